import { wipeAtSignOut } from '../../../lib/session.ts'
import type { PurchaseSource } from './purchase-attempt.ts'

export type PlacedPurchase = {
  source: PurchaseSource
  /** A product that the shop has deleted since has no id. */
  items: readonly { productId: string | null; offer: string; phoneNumber: string }[]
  /** The cart lines it paid for, where they were noted when it began. Otherwise they are found by their contents. */
  cartIds?: readonly string[]
}

type Listener = (purchase: PlacedPurchase) => void

let listener: Listener | null = null
/** Placed before the listener's code had loaded. */
let waiting: PlacedPurchase[] = []
wipeAtSignOut(() => {
  waiting = []
})

export function announcePurchase(purchase: PlacedPurchase): void {
  if (listener) listener(purchase)
  else waiting.push(purchase)
}

/** Sets the one listener, and hands it the purchases placed before it was there. Returns how to stop listening. */
export function onPurchasePlaced(next: Listener): () => void {
  listener = next
  for (const purchase of waiting.splice(0)) next(purchase)
  return () => {
    if (listener === next) listener = null
  }
}
