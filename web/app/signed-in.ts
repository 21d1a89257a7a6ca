import { resumeCheckout } from '../features/checkout/pay-from-wallet.ts'
import { watchPayments } from '../features/payments/watch-payments.ts'
import { refreshSessionUser } from '../features/users/api.ts'
import { refreshShopDebits } from '../features/users/shop-debits.ts'
import { askPinWith } from '../lib/http.ts'
import { loadConfirmDialog } from '../ui/confirm-dialogs.tsx'
import { startPurchaseEffects } from './purchase-effects.ts'
import { openRealtime } from './realtime.ts'

/** What runs while somebody is signed in; returns how to stop it. */
export function startSignedIn(): () => void {
  refreshSessionUser().catch(() => undefined)
  refreshShopDebits().catch(() => undefined)
  askPinWith(async () => (await import('../features/transaction-pin/ask-pin.tsx')).askPin())
  loadConfirmDialog().catch(() => undefined)
  const stopEffects = startPurchaseEffects()
  void resumeCheckout()
  const stopWatching = watchPayments()
  const closeRealtime = openRealtime()
  return () => {
    stopEffects()
    stopWatching()
    closeRealtime()
  }
}
