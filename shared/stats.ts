import * as z from 'zod/mini'
import { endpoints } from './endpoint.ts'
import { NETWORKS } from './networks.ts'

/** How many orders, and their worth in cedis. */
const countAndValue = z.object({ count: z.number(), value: z.number() })

/** The same for a span of time, with the name of its day or month in UTC, such as "Saturday" or "November". */
const labelled = z.extend(countAndValue, { label: z.string() })

/** What waits for a decision; `oldest` is the ISO time since when the longest waiting one waits, null when none does. */
const waiting = z.extend(countAndValue, { oldest: z.nullable(z.string()) })

/** How many days `salesPerDay` covers, today included. */
export const SALES_DAYS = 30

/**
 * `GET /order/stats`: the Admin Statistics. Amounts in cedis; days and months are those of UTC, the week starts on Sunday.
 * Orders count on the day they were placed, whatever became of them; sales leave out those that were rejected.
 */
export const stats = z.object({
  finance: z.object({ totalPayments: z.number(), totalFunds: z.number() }),
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
  /** The last `SALES_DAYS` days, oldest first, days without a sale included. `date` is YYYY-MM-DD. */
  salesPerDay: z.array(z.extend(countAndValue, { date: z.string() })),
  /** This month's sales, the greatest value first; networks without a sale are left out. */
  salesPerNetwork: z.array(z.extend(countAndValue, { network: z.enum(NETWORKS) })),
  waiting: z.object({ orders: waiting, recharges: waiting, heldPayments: waiting }),
})
export type Stats = z.output<typeof stats>
export type CountAndValue = z.output<typeof countAndValue>

export const statsEndpoints = endpoints({
  'GET /order/stats': { id: 'readStats', tag: 'stats', summary: 'The Admin Statistics', access: 'admin', reply: stats },
})
