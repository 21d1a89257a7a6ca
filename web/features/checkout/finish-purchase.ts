import { navigate } from 'wouter/use-browser-location'
import type { CheckoutItem } from '../../../shared/orders.ts'
import { queryClient } from '../../lib/query-client.ts'
import { toast } from '../../ui/toast.ts'
import { cart, findCartLines, removeFromCart } from '../cart/cart.ts'
import { rememberReceivers } from '../orders/recent-receivers.ts'
import { catalogue } from '../products/api.ts'
import { refreshSessionUser } from '../users/api.ts'
import type { PurchaseSource } from './intention.ts'

export const REDIRECT_MS = 2000

/** Says that the orders were placed and brings every list up to date. Answers with how to stay on this screen. */
export function celebratePurchase(source: PurchaseSource, items: readonly CheckoutItem[]): () => void {
  toast.success('Purchase made successfully')
  toast.success(source === 'cart' ? 'Orders placed successfully' : 'Your order is placed successfully')
  return settlePurchase(source, items)
}

/** The same without words, for a purchase that has been announced already. */
export function settlePurchase(source: PurchaseSource, items: readonly CheckoutItem[]): () => void {
  rememberReceivers(items.map((item) => item.phoneNumber))
  // Another tab may have put something else into the cart meanwhile, which stays.
  cart.reread()
  if (source === 'cart') removeFromCart(...findCartLines(items))
  void queryClient.invalidateQueries({ queryKey: ['orders'] })
  refreshSessionUser().catch(() => undefined)
  const timer = setTimeout(() => navigate('/user/history'), REDIRECT_MS)
  return () => clearTimeout(timer)
}

export function reportRefusal(error: Error): void {
  toast.danger(error.message)
  catalogue.invalidate()
  refreshSessionUser().catch(() => undefined)
}
