import type { Notice } from './notice.ts'
import type { Order, Report } from './orders.ts'
import type { OwnPayment } from './payments.ts'
import type { Product } from './products.ts'
import type { Recharge } from './recharges.ts'
import type { User } from './users.ts'

/** The realtime events and the record that each carries. */
export type RealtimeEvents = {
  /** To admins: a user as in the user list. */
  userUpdated: (user: User) => void
  /** To that user: their own record, including the balance. */
  CurrUserUpdated: (user: User) => void
  /** To everyone. */
  noticeUpdated: (notice: Notice) => void
  /** To everyone: a new or changed product, or a deleted one (out of stock, with `deleted`). */
  productsUpdated: (change: Product | DeletedProduct) => void
  /** To the buyer and the admins. */
  ordersUpdated: (order: Order) => void
  /** To the buyer and the staff who see orders: a list of many orders was placed or has moved on. Read it, and the orders, anew. */
  bulkUpdated: (list: { _id: string }) => void
  /** To the buyer and the admins: a report was opened, answered or ended. */
  reportUpdated: (report: Report) => void
  /** To the requester and the admins. */
  rechargeUpdated: (recharge: Recharge) => void
  /** To staff who see orders: a supplier's balance, its circuit breaker or what waits there has changed. Read it anew. */
  suppliersUpdated: (change: { at: string }) => void
  /** To staff who move money: what waits for a second person has changed. */
  approvalsUpdated: (nothing: Record<never, never>) => void
  /** To the payer: a card payment of theirs was paid, held or closed. */
  paymentUpdated: (payment: OwnPayment) => void
}
/**
 * A complete product, since some clients simply replace or add what they are sent: they then show a card that cannot be
 * chosen until they reload the catalogue.
 */
export type DeletedProduct = Product & { status: 'out of stock'; deleted: true }
export type RealtimeEvent = keyof RealtimeEvents
export type RealtimePayload<E extends RealtimeEvent> = Parameters<RealtimeEvents[E]>[0]

/** The realtime channel's path on the shop's own origin. */
export const REALTIME_PATH = '/socket.io/'
/** The same under the API's base address, for clients that know no other. */
export const REALTIME_API_PATH = '/api/socket.io/'
