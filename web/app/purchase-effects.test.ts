import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { CheckoutItem } from '../../shared/orders.ts'
import { announcePurchase } from '../features/orders/purchases/announce-purchase.ts'
import { addToCart, cart, clearCart } from '../features/storefront/cart/cart.ts'
import { startPurchaseEffects } from './purchase-effects.ts'

const item: CheckoutItem = { productId: 'mtn', offer: '1GB', phoneNumber: '0241234567', amount: 5.5 }
const other: CheckoutItem = { ...item, phoneNumber: '0551234567' }

beforeEach(() => {
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
    removeItem: (key: string) => void kept.delete(key),
  })
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  clearCart()
  for (const line of [item, item, other]) addToCart({ ...line, service: 'MTN' })
})
let stopEffects = () => {}
beforeEach(() => {
  stopEffects = startPurchaseEffects()
})
afterEach(() => {
  stopEffects()
  vi.unstubAllGlobals()
})

function leftAfter(source: 'buy' | 'cart', bought: CheckoutItem[]): string[] {
  announcePurchase({ source, items: bought })
  return cart.get().map(({ phoneNumber }) => phoneNumber)
}

it('a bundle bought by itself leaves the cart alone, even if the cart holds the same one', () => {
  expect(leftAfter('buy', [item])).toEqual([item.phoneNumber, item.phoneNumber, other.phoneNumber])
})

it.each([
  [[item], [item.phoneNumber, other.phoneNumber]],
  [[item, item], [other.phoneNumber]],
  [[other, item], [item.phoneNumber]],
  [[item, item, item, other], []],
])('of the cart go the lines that were bought, each once', (bought, left) => {
  expect(leftAfter('cart', bought)).toEqual(left)
})

it('a purchase removes only what it bought, whichever tab put it into the cart', () => {
  const stop = cart.subscribe(() => undefined)
  const lines = JSON.parse(localStorage.getItem('cartItems') ?? '[]')
  const there = ['0201234567', '0261234567'].map((phoneNumber) => ({ ...lines[2], id: phoneNumber, phoneNumber }))
  localStorage.setItem('cartItems', JSON.stringify([...lines, ...there]))
  expect(leftAfter('cart', [item, item, { ...item, phoneNumber: '0201234567' }])).toEqual([other.phoneNumber, '0261234567'])
  stop()
})

it('a purchase placed before its effects were loaded gets them afterwards', () => {
  stopEffects()
  expect(leftAfter('cart', [item, item, other])).toEqual([item.phoneNumber, item.phoneNumber, other.phoneNumber])
  stopEffects = startPurchaseEffects()
  expect(cart.get()).toEqual([])
})
