import { beforeEach, expect, test, vi } from 'vitest'
import { IDEMPOTENCY_KEY_HEADER } from '../../../../../shared/limits.ts'
import { idempotencyKey } from '../../../../../shared/orders.ts'
import { forgetKey, paymentKey } from './payment-key.ts'

beforeEach(forgetKey)

test('the same update keeps its key until its outcome is known', () => {
  const key = paymentKey('kofi 20')
  expect(paymentKey('kofi 20')).toBe(key)
  forgetKey()
  expect(paymentKey('kofi 20')).not.toBe(key)
})

test('another update has another key', () => {
  expect(paymentKey('kofi 20')).not.toBe(paymentKey('kofi 30'))
})

test('a key has the form that the server accepts', () => {
  expect(idempotencyKey.parse(paymentKey('kofi 20'))).toHaveLength(36)
  expect(IDEMPOTENCY_KEY_HEADER).toBe('idempotency-key')
})

test('a key survives a reload', async () => {
  const stored = new Map<string, string>()
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => void stored.set(name, value),
    removeItem: (name: string) => void stored.delete(name),
  })
  const key = paymentKey('kofi 20')
  vi.resetModules()
  const reloaded = await import('./payment-key.ts')
  expect(reloaded.paymentKey('kofi 20')).toBe(key)
  vi.unstubAllGlobals()
})
