import { watchPayments } from '../features/card/payments/watch-payments.ts'
import { resumeCheckout } from '../features/orders/purchases/pay-from-wallet.ts'
import { refreshSessionUser } from '../features/people/users/api.ts'
import { refreshShopDebits } from '../features/people/users/shop-debits.ts'
import { askPinWith } from '../lib/http.ts'
import { loadPersistently } from '../lib/load-persistently.ts'
import { loadConfirmDialog } from '../ui/confirm-dialogs.tsx'
import { startPurchaseEffects } from './purchase-effects.ts'

/** What runs while somebody is signed in; returns how to stop it. */
export function startSignedIn(): () => void {
  askPinWith(async () => (await import('../features/people/transaction-pin/ask-pin.tsx')).askPin())
  const stopEffects = startPurchaseEffects()
  void resumeCheckout()
  const stopWatching = watchPayments()
  let isOver = false
  let closeRealtime: (() => void) | undefined
  // What the screen itself needs comes first.
  void loadPersistently(() => import('../lib/when-quiet.ts')).then(async ({ loadAhead, whenQuiet }) => {
    await whenQuiet()
    if (isOver) return
    refreshSessionUser().catch(() => undefined)
    refreshShopDebits().catch(() => undefined)
    const { openRealtime } = await loadPersistently(() => import('./realtime.ts'))
    if (isOver) return
    closeRealtime = openRealtime()
    await loadAhead(loadConfirmDialog)
  })
  return () => {
    isOver = true
    stopEffects()
    stopWatching()
    closeRealtime?.()
  }
}
