import { describe, expect, it } from 'vitest'
import type { CheckoutItem } from '../../../../shared/orders.ts'
import { isPurchaseAttempt, type PurchaseAttempt, purchaseAttemptFor, retryDelayMs } from './purchase-attempt.ts'

const item: CheckoutItem = { productId: 'p1', offer: '1GB', phoneNumber: '0241234567', amount: 5.5 }
let made = 0
const newKey = () => `key-${++made}`

function attempt(unanswered: PurchaseAttempt | null, items: CheckoutItem[] = [item], userId = 'u1') {
  return purchaseAttemptFor(unanswered, { userId, source: 'buy', items, now: 1, newKey })
}

describe('purchaseAttemptFor', () => {
  it('keeps the key of the same unanswered purchase', () => {
    const first = attempt(null)
    expect(attempt(first).key).toBe(first.key)
    expect(attempt(first, [{ ...item }]).key).toBe(first.key)
  })

  it.each([
    ['another receiver', [{ ...item, phoneNumber: '0201234567' }]],
    ['another price', [{ ...item, amount: 6 }]],
    ['one more line', [item, item]],
  ])('gives %s a new key', (_, items) => {
    const first = attempt(null)
    expect(attempt(first, items).key).not.toBe(first.key)
  })

  it('gives another person a new key', () => {
    const first = attempt(null)
    expect(attempt(first, [item], 'u2').key).not.toBe(first.key)
  })

  it('gives a purchase after an answered one a new key', () => {
    expect(attempt(null).key).not.toBe(attempt(null).key)
  })
})

it('isPurchaseAttempt refuses anything else', () => {
  expect([null, 'x', {}, { key: 'a' }].some(isPurchaseAttempt)).toBe(false)
  expect(isPurchaseAttempt(attempt(null))).toBe(true)
})

it('retryDelayMs asks at least ten times within a minute', () => {
  let waited = 0
  let tries = 0
  while (waited < 60_000) waited += retryDelayMs(tries++)
  expect(tries).toBeGreaterThan(10)
})
