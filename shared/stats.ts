import * as z from 'zod/mini'
import { endpoints } from './endpoint.ts'
import { NETWORKS } from './networks.ts'
import { SEES_ORDERS } from './staff-rules.ts'

/** A number of orders and their value in cedis. */
const countAndValue = z.object({ count: z.number(), value: z.number() })

/** The same for a period, with its name in UTC, such as "Saturday" or "November". */
const labelled = z.extend(countAndValue, { label: z.string() })

/** Items waiting for a decision; `oldest` is when the longest waiting one began to wait (ISO time), or null. */
const waiting = z.extend(countAndValue, { oldest: z.nullable(z.string()) })

/** The number of days in `salesPerDay`, today included. */
export const SALES_DAYS = 30

/**
 * `GET /order/stats`. Amounts in cedis; days and months are in UTC, the week starts on Sunday. `orders` count on the day they
 * were placed, whatever became of them. Sales are orders delivered, on the day of their delivery, less refunds on the day of the refund, as in Insight.
 */
export const stats = z.object({
  /** For staff who see the shop's finances. */
  finance: z.optional(z.object({ totalPayments: z.number(), totalFunds: z.number() })),
  orders: z.object({
    total: countAndValue,
    completed: countAndValue,
    rejected: countAndValue,
    pending: countAndValue,
    today: labelled,
    thisWeek: countAndValue,
    thisMonth: labelled,
    lastMonth: labelled,
  }),
  /** The last `SALES_DAYS` days, oldest first, including days without sales. `date` is YYYY-MM-DD. */
  salesPerDay: z.array(z.extend(countAndValue, { date: z.string() })),
  /** This month's sales, largest value first, without networks that have none. */
  salesPerNetwork: z.array(z.extend(countAndValue, { network: z.enum(NETWORKS) })),
  /** `orders` are those to decide: neither with a supplier nor in a batch. `recharges` and `heldPayments` for staff who see the shop's finances. */
  waiting: z.object({ orders: waiting, recharges: z.optional(waiting), heldPayments: z.optional(waiting) }),
})
type Waiting = z.output<typeof waiting>
export type Stats = z.output<typeof stats>
/** As somebody sees them who may see the shop's finances. */
export type WholeStats = Stats & {
  finance: NonNullable<Stats['finance']>
  waiting: Record<'orders' | 'recharges' | 'heldPayments', Waiting>
}
export type CountAndValue = z.output<typeof countAndValue>

/**
 * What the shop tells visitors about itself. While there are too few orders to be true, `ordersDelivered` is null, and a
 * network is left out of `deliveryTimes`, a product out of `bestSellers`. Half of a network's recent orders took at most
 * `typicalMinutes`. `packageIds` are what most buyers of the product chose lately, the first one by most; at most three.
 */
export const figures = z.object({
  ordersDelivered: z.nullable(z.number()),
  deliveryTimes: z.array(z.object({ network: z.enum(NETWORKS), typicalMinutes: z.number() })),
  bestSellers: z.array(z.object({ productId: z.string(), packageIds: z.array(z.string()) })),
})
export type Figures = z.output<typeof figures>

export const statsEndpoints = endpoints({
  'GET /shop/figures': {
    id: 'readFigures',
    tag: 'shop',
    summary: 'How many orders the shop has delivered, how long its networks usually take, and what sells best',
    access: 'anyone',
    reply: figures,
  },
  'GET /order/stats': { id: 'readStats', tag: 'stats', summary: 'The Admin Statistics', access: SEES_ORDERS, reply: stats },
})
