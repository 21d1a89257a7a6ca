import type { Receiver } from '../../../../shared/contacts.ts'
import type { Product } from '../../../../shared/products.ts'
import type { UserLevel } from '../../../../shared/users.ts'
import { session } from '../../../lib/session.ts'
import { useProducts } from '../products/api.ts'
import { lastCatalogue } from '../products/last-catalogue.ts'
import { priceFor } from '../products/price-for.ts'
import { useReceivers } from './api.ts'
import { buyAgainPath } from './buy-again-path.ts'

/** Something bought before that can be bought again as it was. `price` in cedis, for this buyer. */
export type Shortcut = { network: string; offer: string; phoneNumber: string; name: string | null; price: number; href: string }

/** What the signed-in user bought last, for different numbers; leaves out what isn't for sale now. */
export function useShortcuts(most = 3): readonly Shortcut[] {
  const user = session.use()
  const { data: fresh } = useProducts()
  const remembered = lastCatalogue.use()
  const products = fresh ?? remembered?.products ?? []
  return findShortcuts(useReceivers(), products, user?.userLevel).slice(0, most)
}

export function findShortcuts(receivers: readonly Receiver[], products: readonly Product[], level: UserLevel | undefined): Shortcut[] {
  return receivers.flatMap(({ network, phoneNumber, name, productId, offer }) => {
    const product = products.find(({ _id, status }) => _id === productId && status === 'available')
    const line = product?.packages.find((candidate) => candidate.offer === offer)
    if (!product || !line) return []
    const href = buyAgainPath({ network, productId: product._id, offer: line.offer, receiver: phoneNumber })
    return [{ network, offer: line.offer, phoneNumber, name, price: priceFor(line, level), href }]
  })
}
