import { describe, expect, it } from 'vitest'
import type { Product } from '../../../../shared/products.ts'
import { type CartItem, totalOf } from './cart.ts'
import { repriceCart } from './reprice-cart.ts'

const mtn: Product = {
  _id: 'p-mtn',
  productId: '1',
  network: 'MTN',
  image: '/images/x.webp',
  status: 'available',
  packages: [
    { _id: 'k1', offer: '1GB', priceCustomer: 5.5, priceAgent: 4.7 },
    { _id: 'k2', offer: '2GB', priceCustomer: 10.5, priceAgent: 9.3 },
  ],
}

function line(changes: Partial<CartItem> = {}): CartItem {
  return { id: 'c1', productId: 'p-mtn', service: 'MTN', phoneNumber: '0241234567', offer: '1GB', amount: 5.5, image: '', ...changes }
}

describe('repriceCart', () => {
  it('leaves a cart alone whose prices have not changed', () => {
    const items = [line(), line({ id: 'c2', offer: '2GB', amount: 10.5 })]
    expect(repriceCart(items, [mtn], 'Customer')).toEqual({ items, changes: [] })
  })

  it('takes the new price and says what it was', () => {
    const { items, changes } = repriceCart([line({ amount: 5 })], [mtn], 'Customer')
    expect(items[0]?.amount).toBe(5.5)
    expect(changes).toEqual([{ id: 'c1', kind: 'price', before: 5, now: 5.5 }])
  })

  it("takes an agent's price after an upgrade", () => {
    expect(repriceCart([line()], [mtn], 'Agent').items[0]?.amount).toBe(4.7)
  })

  it.each([
    ['the product is gone', [], line()],
    ['the product is out of stock', [{ ...mtn, status: 'out of stock' as const }], line()],
    ['the offer is gone', [mtn], line({ offer: '9GB' })],
    ['the offer is sold out', [{ ...mtn, packages: mtn.packages.map((one) => ({ ...one, soldOut: true })) }], line()],
  ])('names a line when %s', (_, products, item) => {
    expect(repriceCart([item], products, 'Customer')).toEqual({ items: [item], changes: [{ id: 'c1', kind: 'gone' }] })
  })
})

describe('totalOf', () => {
  it('adds up in pesewas', () => {
    expect(totalOf([{ amount: 0.1 }, { amount: 0.2 }, { amount: 5.55 }])).toBe(5.85)
  })
})
