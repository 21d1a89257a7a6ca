import { noteBought } from '../features/catalogue/contacts/api.ts'
import { onPurchasePlaced, type PlacedPurchase } from '../features/orders/purchases/announce-purchase.ts'
import { refreshSessionUser } from '../features/people/users/api.ts'
import { cart, findCartLines, removeFromCart } from '../features/storefront/cart/cart.ts'
import { rememberPurchase } from '../features/wallet/wallet/remembered-purchase.ts'
import { readAgain } from '../lib/query-client.ts'

/** Brings the cart, the recent receivers, the orders and the balance up to date after each purchase; returns how to stop. */
export function startPurchaseEffects(): () => void {
  return onPurchasePlaced(applyPurchase)
}

function applyPurchase({ source, items, cartIds }: PlacedPurchase): void {
  noteBought(items)
  rememberPurchase(null)
  // Another tab may have put something else into the cart meanwhile, which stays.
  cart.reread()
  if (source === 'cart') removeFromCart(...(cartIds ?? findCartLines(items)))
  readAgain({ queryKey: ['orders'] })
  refreshSessionUser().catch(() => undefined)
}
