import { expect, it } from 'vitest'
import type { Receiver } from '../../../../shared/contacts.ts'
import type { Product } from '../../../../shared/products.ts'
import { findShortcuts } from './use-shortcuts.ts'

const product = (id: string, status: Product['status']): Product => ({
  _id: id,
  productId: id,
  network: 'MTN',
  image: '/images/x.webp',
  status,
  packages: [{ _id: 'p1', offer: '10GB', priceCustomer: 48, priceAgent: 44 }],
})
const bought = (productId: string | null, offer: string | null): Receiver => ({
  network: 'MTN',
  phoneNumber: '0244123456',
  contactId: null,
  name: 'Mum',
  productId,
  offer,
  lastBoughtAt: null,
})

it('what was bought before is offered again at the price of today, as long as it is for sale', () => {
  const receivers = [bought('mtn', '10GB'), bought('mtn', '1GB'), bought('sold-out', '10GB'), bought(null, null)]
  const products = [product('mtn', 'available'), product('sold-out', 'out of stock')]
  expect(findShortcuts(receivers, products, 'Agent')).toEqual([
    { network: 'MTN', offer: '10GB', phoneNumber: '0244123456', name: 'Mum', price: 44, href: '/store?buy=mtn&offer=10GB&to=0244123456' },
  ])
  expect(findShortcuts(receivers, products, undefined)[0]?.price).toBe(48)
})
