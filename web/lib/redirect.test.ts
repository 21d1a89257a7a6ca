import { describe, expect, it } from 'vitest'
import { safeRedirect } from './redirect.ts'
import { signInPath } from './sign-in-path.ts'

describe('safeRedirect', () => {
  it.each(['/store', '/cart', '/user/history', '/store?buy=0193-ab', '/', '/user/finance#top'])('keeps the own path %s', (path) => {
    expect(safeRedirect(path)).toBe(path)
  })

  it.each([
    null,
    '',
    'store',
    'https://evil.example',
    'javascript:alert(1)',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/%5cevil.example',
    '/%2fevil.example',
    '%2f%2fevil.example',
    '/%252fevil.example',
    '/%25255cevil.example',
    '/store//evil',
    '/\tevil.example',
    '/\nevil.example',
    ' /store',
    '/%09/evil.example',
    '/%0d%0aset-cookie:x',
    '/%',
    '/login',
    '/login?redirect=/cart',
    '/register',
    '/%6cogin',
  ])('sends %j to the store', (target) => {
    expect(safeRedirect(target)).toBe('/store')
  })

  it('never leaves this origin', () => {
    const parts = ['/', '\\', '%2f', '%5c', 'a', '.', '@', ':', '%09', '?', '#', '%25']
    for (const a of parts)
      for (const b of parts)
        for (const c of parts)
          for (const d of parts) {
            const kept = safeRedirect(`/${a}${b}${c}${d}evil.example`)
            expect(new URL(kept, 'https://shop.example').origin).toBe('https://shop.example')
          }
  })
})

it('signInPath comes back to where it was', () => {
  const path = signInPath('/login', '/store?buy=a&x=1')
  expect(safeRedirect(new URLSearchParams(path.split('?')[1]).get('redirect'))).toBe('/store?buy=a&x=1')
})
