import type { Notice } from './notice.ts'
import type { Order } from './orders.ts'
import type { OwnPayment } from './payments.ts'
import type { Product } from './products.ts'
import type { Recharge } from './recharges.ts'
import type { User } from './users.ts'

/** The realtime events, with the record that each carries. */
export type RealtimeEvents = {
  /** To admins: a user as the user list shows them. */
  userUpdated: (user: User) => void
  /** To the user alone: their own record, balance included. */
  CurrUserUpdated: (user: User) => void
  /** To all. */
  noticeUpdated: (notice: Notice) => void
  /** To all: a product that is new or changed, or the last of one that is gone: out of stock, and `deleted`. */
  productsUpdated: (change: Product | DeletedProduct) => void
  /** To the buyer and to admins. */
  ordersUpdated: (order: Order) => void
  /** To the asker and to admins. */
  rechargeUpdated: (recharge: Recharge) => void
  /** To the payer: a card payment of theirs was paid, held or closed. */
  paymentUpdated: (payment: OwnPayment) => void
}
/**
 * Whole, since clients of the public API put what they are sent in the place of the product, or add it: they then show a card
 * that cannot be chosen, until they read the catalogue again.
 */
export type DeletedProduct = Product & { status: 'out of stock'; deleted: true }
export type RealtimeEvent = keyof RealtimeEvents
export type RealtimePayload<E extends RealtimeEvent> = Parameters<RealtimeEvents[E]>[0]

/** Where the realtime channel listens, on the shop's own origin. */
export const REALTIME_PATH = '/socket.io/'
/** And at the base address of the API, for a client that knows no other. */
export const REALTIME_API_PATH = '/api/socket.io/'
