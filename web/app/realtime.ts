import { io, type Socket } from 'socket.io-client'
import { REALTIME_PATH, type RealtimeEvents } from '../../shared/realtime.ts'
import type { User } from '../../shared/users.ts'
import { notePaymentChange } from '../features/card/payments/waiting-payments.ts'
import { applyProductChange } from '../features/catalogue/products/api.ts'
import { orderHistory, takeOverReport } from '../features/orders/orders/api.ts'
import type * as OrderNews from '../features/orders/orders/notify-about-order.ts'
import { refreshSessionUser } from '../features/people/users/api.ts'
import { refreshShopDebits } from '../features/people/users/shop-debits.ts'
import { setNotice } from '../features/shop/notice/api.ts'
import { loadPersistently } from '../lib/load-persistently.ts'
import { refreshPublicData } from '../lib/public-data.ts'
import { readAgain, refreshSoon, replaceInLists } from '../lib/query-client.ts'
import { session } from '../lib/session.ts'
import { endSession, updateSessionUser } from '../lib/session-change.ts'
import { connectionTexts } from '../texts/connection.ts'

const RETURN_MS = 1500

/** Follows the shop's announcements while somebody is signed in. Reads everything again at every connect, since announcements may have been missed. */
export function openRealtime(): () => void {
  // Time-outs and reconnection delays are the library's defaults.
  const token = session.get()?.token ?? ''
  const socket: Socket<RealtimeEvents, Record<string, never>> = io({
    path: REALTIME_PATH,
    auth: { token },
  })

  socket.on('connect', () => {
    readAgain()
    refreshPublicData()
    refreshShopDebits().catch(() => undefined)
    refreshSessionUser().catch(() => undefined)
  })
  socket.on('connect_error', (error) => {
    if (error.message === 'UNAUTHENTICATED') endSession('expired', '', token)
    else if (!socket.active) returnLater()
  })
  // The server disconnects a socket when its user's level or status changes. Reconnecting checks the session again.
  socket.on('disconnect', (reason) => {
    if (reason === 'io server disconnect') returnLater()
  })

  socket.on('CurrUserUpdated', takeOverOwnRecord)
  socket.on('userUpdated', (user) => {
    takeOverOwnRecord(user)
    if (!replaceInLists(['users'], user)) refreshSoon(['users'])
    refreshSoon(['stats'])
  })
  socket.on('productsUpdated', (change) => applyProductChange(change))
  socket.on('noticeUpdated', (changed) => setNotice(changed))
  socket.on('ordersUpdated', (order) => {
    const user = session.get()
    if (!user || (!user.isAdmin && order.user !== user.username)) return
    if (!replaceInLists(['orders'], order)) refreshSoon(['orders'])
    refreshSoon(['order'])
    const history = orderHistory.get()
    if (history?.some((known) => known._id === order._id)) {
      orderHistory.set(history.map((known) => (known._id === order._id ? order : known)))
    }
    if (user.isAdmin) refreshSoon(['stats'], ['inbox'])
    else void loadNews(({ notifyAboutOrder }) => notifyAboutOrder(order))
  })
  socket.on('bulkUpdated', () => refreshSoon(['bulk'], ['orders'], ['stats'], ['inbox']))
  socket.on('reportUpdated', (report) => {
    takeOverReport(report)
    refreshSoon(['reports'], ['inbox'])
    const isShop = session.get()?.isAdmin === true
    void loadNews(({ notifyAboutReport }) => notifyAboutReport(report, isShop))
  })
  socket.on('paymentUpdated', notePaymentChange)
  socket.on('suppliersUpdated', () => refreshSoon(['suppliers']))
  socket.on('approvalsUpdated', () => refreshSoon(['approvals'], ['inbox']))
  socket.on('rechargeUpdated', (recharge) => {
    if (!replaceInLists(['recharges'], recharge)) refreshSoon(['recharges'])
    if (session.get()?.isAdmin) refreshSoon(['stats'], ['inbox'])
  })

  // The browser knows that it is online again before the library's next attempt is due.
  function hurryBack() {
    refreshSessionUser().catch(() => undefined)
    if (!socket.connected) socket.disconnect().connect()
  }
  window.addEventListener('online', hurryBack)

  let returning: ReturnType<typeof setTimeout> | undefined
  function returnLater() {
    clearTimeout(returning)
    returning = setTimeout(() => socket.connect(), RETURN_MS)
  }

  return () => {
    clearTimeout(returning)
    window.removeEventListener('online', hurryBack)
    socket.removeAllListeners()
    socket.disconnect()
  }
}

/** What a toast says is downloaded when there is something to say. */
async function loadNews(notify: (news: typeof OrderNews) => void): Promise<void> {
  notify(await loadPersistently(() => import('../features/orders/orders/notify-about-order.ts')))
}

function takeOverOwnRecord(user: User): void {
  const before = session.get()
  if (user._id !== before?._id) return
  if (user.status === 'Banned') {
    endSession('banned', connectionTexts.banned)
    return
  }
  updateSessionUser(user)
  if (user.balanceVersion !== before.balanceVersion) refreshSoon(['statement'])
  if (user.balance < before.balance) refreshShopDebits().catch(() => undefined)
}
