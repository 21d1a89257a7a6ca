import { expect, test } from 'vitest'
import { readBackup } from './read-backup.ts'

const sms = (date: number, body: string) => `<sms address="MobileMoney" date="${date}" type="1" body="${body}" />`

test('private messages of a backup stay in the browser', () => {
  const xml = `<smses>${sms(2, 'See you tonight')}${sms(3, 'Payment received for GHS 5.00')}</smses>`
  expect(readBackup(xml)).toBe(sms(3, 'Payment received for GHS 5.00'))
  const lines = [{ body: 'See you' }, { body: 'Payment received for GHS 5.00' }].map((one) => JSON.stringify(one))
  expect(readBackup(lines.join('\n'))).toBe(lines[1])
})

test('of a long backup the newest messages are read', () => {
  const long = 'GHS 1.00 '.repeat(2_000)
  const xml = [3, 1, 2].map((day) => sms(day, `${long}${day}`)).join('') + Array.from({ length: 30 }, (_, n) => sms(10 + n, long)).join('')
  const read = readBackup(xml)
  expect(read.length).toBeLessThan(400_000)
  expect(read).toContain('date="39"')
  expect(read).not.toContain('date="1"')
})

test('a chat is read as it is', () => {
  const chat = '[22/11/2026, 14:05] Ama: Payment received for GHS 5.00\nfrom KOFI'
  expect(readBackup(chat)).toBe(chat)
})

test('a chat in which a payer wrote a tag is a chat', () => {
  const chat =
    'Payment received for GHS 1.00 from KOFI. Reference: <sms body="Payment received for GHS 5000.00" type="1"/>. Transaction ID: 51234567890.'
  expect(readBackup(chat)).toBe(chat)
})
