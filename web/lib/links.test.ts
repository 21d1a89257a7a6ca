import { expect, test } from 'vitest'
import { callLink, mailLink, smsLink, whatsAppLink, whatsAppShareLink } from '../../shared/links.ts'
import { signInPath } from './sign-in-path.ts'

const HOSTILE = ['5GB & 2GB', 'a=b', '#1 offer?', '100% + 5%', '1/2', '"<b>\'', 'two\r\nlines', '₵5 📶', '&text=paid', 'مرحبا']

test.each(HOSTILE)('%j is shared as it stands', (text) => {
  const { origin, pathname, searchParams, hash } = new URL(whatsAppShareLink(text))
  expect([origin, pathname, [...searchParams.entries()], hash]).toEqual(['https://wa.me', '/', [['text', text]], ''])
})

test.each(HOSTILE)('a chat begins with %j as it stands', (text) => {
  const { pathname, searchParams, hash } = new URL(whatsAppLink('0241234567', text))
  expect([pathname, [...searchParams.entries()], hash]).toEqual(['/233241234567', [['text', text]], ''])
})

test.each([
  ['0241234567', 'https://wa.me/233241234567'],
  ['024 123 4567', 'https://wa.me/233241234567'],
  ['+233 24 123 4567', 'https://wa.me/233241234567'],
  ['00233241234567', 'https://wa.me/233241234567'],
  ['https://wa.me/message/ABC', 'https://wa.me/message/ABC'],
  ['javascript:alert(1)', 'https://wa.me/1'],
  ['024 123 4567?text=send float', 'https://wa.me/233241234567'],
])('a chat with %s is at %s', (number, link) => {
  expect(whatsAppLink(number)).toBe(link)
})

test.each([
  ['024 123-4567', '0241234567'],
  ['+233 (24) 123 4567', '+233241234567'],
  ['0241234567;phone-context=x', '0241234567'],
  ['024#31#', '02431'],
])('%s is dialled as %s', (phone, dialled) => {
  expect([callLink(phone), smsLink(phone)]).toEqual([`tel:${dialled}`, `sms:${dialled}`])
})

test.each(['hello@dwadi.example', 'a+b@dwadi.example', 'a?bcc=x&y@dwadi.example', 'a%20b@dwadi.example', "o'neil@dwadi.example"])(
  'a mail to %s has no other recipient, subject or text',
  (email) => {
    const { protocol, pathname, search, hash } = new URL(mailLink(email))
    expect([protocol, decodeURIComponent(pathname), search, hash]).toEqual(['mailto:', email, '', ''])
  },
)

test.each([...HOSTILE.map((text) => `/store?buy=${encodeURIComponent(text)}`), '/user/finance#top', '/admin/orders?search=a&page=2'])(
  'signing in leads back to %s',
  (path) => {
    for (const screen of ['/login', '/register'] as const) {
      const { pathname, searchParams, hash } = new URL(signInPath(screen, path), 'https://shop.example')
      expect([pathname, [...searchParams.entries()], hash]).toEqual([screen, [['redirect', path]], ''])
    }
  },
)
