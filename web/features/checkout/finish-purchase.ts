import type { CheckoutItem } from '../../../shared/orders.ts'
import { goTo } from '../../lib/dialog-history.ts'
import { checkoutTexts } from '../../texts/checkout.ts'
import { toast } from '../../ui/toast.ts'
import { refreshCatalogue } from '../products/api.ts'
import { refreshSessionUser } from '../users/api.ts'
import { announcePurchase } from './announce-purchase.ts'
import type { PurchaseSource } from './purchase-attempt.ts'

export const REDIRECT_MS = 2000

/** Tells the customer that it was paid, and announces the purchase. That the order is placed stands on the BUY PAGE, as its heading. */
export function finishPurchase(source: PurchaseSource, items: readonly CheckoutItem[]): void {
  toast.success(checkoutTexts.made)
  if (source === 'cart') toast.success(checkoutTexts.ordersPlaced)
  finishQuietly(source, items)
}

/** The same without the toasts, for a purchase the customer has been told about. What the BUY PAGE shows stays until it is closed. */
export function finishQuietly(source: PurchaseSource, items: readonly CheckoutItem[]): void {
  announcePurchase({ source, items })
  if (source === 'cart') goToHistory()
}

/** Shows My Transactions after two seconds, in which the message can be read. */
export function goToHistory(): void {
  setTimeout(() => goTo('/user/history'), REDIRECT_MS)
}

export function reportRefusal(error: Error): void {
  toast.danger(error.message)
  refreshCatalogue()
  refreshSessionUser().catch(() => undefined)
}
