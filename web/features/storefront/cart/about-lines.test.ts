import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { aboutLines, nameOfLines } from './about-lines.ts'
import { addToCart, type CartItem, cart, removeFromCart } from './cart.ts'

const line = { service: 'MTN', phoneNumber: '0241234567', offer: '1GB', amount: 5.5, image: '', productId: 'p1' }

beforeEach(() => {
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => kept.set(key, text),
    removeItem: (key: string) => kept.delete(key),
  })
  vi.stubGlobal('window', new EventTarget())
  cart.reread()
})
afterEach(() => void vi.unstubAllGlobals())

it('a question about lines stands while they are in the cart, whatever else comes and goes', () => {
  addToCart(line)
  const asked = cart.get()
  const about = aboutLines(asked)
  expect(about.changed()).toBeNull()
  addToCart({ ...line, offer: '2GB' })
  expect(about.changed()).toBeNull()
  // Another tab, of which no news has come yet.
  localStorage.setItem('cartItems', JSON.stringify(cart.get().slice(1)))
  expect(about.changed()).toMatch(/changed in another tab/)
})

it('the same line put into the cart again is another line', () => {
  addToCart(line)
  const [first] = cart.get() as [CartItem]
  const about = aboutLines([first])
  removeFromCart(first.id)
  addToCart(line)
  expect(about.changed()).not.toBeNull()
  expect(nameOfLines(cart.get())).not.toBe(nameOfLines([first]))
})

it('the same lines at the same prices bear one name in every tab, and any others another', () => {
  for (const offer of ['1GB', '2GB', '5GB']) addToCart({ ...line, offer })
  const lines = cart.get()
  const name = nameOfLines(lines)
  expect(name).toMatch(/^cart-[0-9a-f]{32}-1650$/)
  expect(nameOfLines(JSON.parse(JSON.stringify(lines)))).toBe(name)
  const others = [lines.slice(1), lines.slice(0, 2), lines.map((one) => ({ ...one, amount: 6 }))]
  expect(new Set([name, ...others.map(nameOfLines)]).size).toBe(4)
  expect(nameOfLines([{ ...line, id: 'of an old version' }])).toBeNull()
})
