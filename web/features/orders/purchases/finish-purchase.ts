import type { CheckoutItem } from '../../../../shared/orders.ts'
import { goTo } from '../../../lib/dialog-history.ts'
import { checkoutTexts } from '../../../texts/checkout.ts'
import { toast } from '../../../ui/toast.ts'
import { refreshCatalogue } from '../../catalogue/products/api.ts'
import { refreshSessionUser } from '../../people/users/api.ts'
import { announcePurchase } from './announce-purchase.ts'
import type { PurchaseSource } from './purchase-attempt.ts'

export const REDIRECT_MS = 2000

export type BoughtItem = Pick<CheckoutItem, 'productId' | 'offer' | 'phoneNumber'>

let showCartPlaced: ((items: readonly BoughtItem[]) => void) | null = null

/** The open cart shows in a sheet that its orders are placed. Returns how to stop. */
export function onCartPlaced(show: (items: readonly BoughtItem[]) => void): () => void {
  showCartPlaced = show
  return () => {
    if (showCartPlaced === show) showCartPlaced = null
  }
}

/** Announces the purchase, and tells the buyer in a toast where no sheet does. The BUY PAGE shows its own. */
export function finishPurchase(source: PurchaseSource, items: readonly CheckoutItem[]): void {
  announcePurchase({ source, items })
  if (source !== 'cart') return
  if (showCartPlaced) {
    showCartPlaced(items)
    return
  }
  toast.success(checkoutTexts.made)
  toast.success(checkoutTexts.ordersPlaced)
  goToHistory()
}

/** For one bundle whose BUY PAGE is gone. */
export function tellPlaced(): void {
  toast.success(checkoutTexts.made)
  toast.success(checkoutTexts.orderPlaced)
}

/** Shows My Transactions after two seconds, in which the message can be read. Returns how to cancel. */
export function goToHistory(): () => void {
  const timer = setTimeout(() => goTo('/user/history'), REDIRECT_MS)
  return () => clearTimeout(timer)
}

/** Told once: where `show` does, which a screen has that is still open, or else in a toast. What the screens know may be old. */
export function reportRefusal(error: Error, show: ((message: string) => void) | null = null): void {
  if (show) show(error.message)
  else toast.danger(error.message)
  refreshCatalogue()
  refreshSessionUser().catch(() => undefined)
}
