import * as z from 'zod/mini'
import { endpoints } from './endpoint.ts'
import { order } from './orders.ts'
import { SUPPLIERS } from './suppliers.ts'

/**
 * What waits for somebody of the shop. Of orders: to be sent by hand, kept from their suppliers since they would lose money or nobody has set their cost, of which nobody knows what became, which their supplier
 * refused, which have been with it for too long, which it says it has delivered, and whose card payment is disputed. A batch is with whoever made it, and not to be decided. A backup that nobody
 * has restored for a month, to see that it comes back, waits for the owner of a live shop. So does a disk that is nearly full, in any shop; its detail is the megabytes left. So do messages (detail `sms`) and mails (`mail`) of today that were not sent, since the day's were used up.
 */
const INBOX_KINDS = [
  'day-close',
  'by-hand',
  'not-sent',
  'unclear',
  'refused',
  'too-long',
  'delivered',
  'on-hold',
  'batch',
  'approval',
  'matched',
  'to-compare',
  'top-ups',
  'phone',
  'dispute',
  'held-payments',
  'withdrawals',
  'refunds',
  'report',
  'prices-left-out',
  'checkers-low',
  'restore-rehearsal',
  'disk-low',
  'messages-dropped',
  'stuck-work',
  'paused',
] as const

/** How many orders of a group are sent along, the oldest. */
export const MOST_ORDERS_SHOWN = 50

const inboxGroup = z.object({
  kind: z.enum(INBOX_KINDS),
  /** Unique among the groups, and the same the next time. */
  key: z.string(),
  count: z.number(),
  /** There may be more than were counted. */
  more: z.boolean(),
  oldestAt: z.nullable(z.string()),
  /** What they are worth in cedis; null where that says nothing. */
  amount: z.nullable(z.number()),
  network: z.nullable(z.string()),
  supplier: z.nullable(z.enum(SUPPLIERS)),
  /** What the customer, the provider or the job said. */
  detail: z.string(),
  /** Who reported an order, and the order's number; or who made a batch, and its number. */
  who: z.nullable(z.string()),
  number: z.nullable(z.string()),
  /** The latest time to answer a dispute. */
  dueAt: z.nullable(z.string()),
  /** The oldest of the group's orders. */
  orders: z.array(order),
  /** The id of what the act is about, such as a job or a report; null where the group has several. */
  subject: z.nullable(z.string()),
})
export type InboxGroup = z.output<typeof inboxGroup>

const inbox = z.object({
  /** Only those that the reader may see. */
  groups: z.array(inboxGroup),
  day: z.object({
    /** Orders of today by the hour in UTC, which is Ghana's time: `hours[7]` are those from 7:00 on. */
    hours: z.array(z.number()),
    orders: z.number(),
    decided: z.number(),
    /** Pending orders that a supplier has or is about to get, or that are in a batch, of any day: as under Waiting in Orders. */
    withSuppliers: z.number(),
    /** Today's profit in cedis, as in Day close and Insight, the orders delivered, and how many of them have no cost; null for whoever does not see the finances. */
    profit: z.nullable(z.object({ profit: z.number(), delivered: z.number(), uncosted: z.number() })),
  }),
})
export type InboxReply = z.output<typeof inbox>

export const inboxEndpoints = endpoints({
  'GET /admin/inbox': {
    id: 'readInbox',
    tag: 'admin',
    summary: 'What waits for somebody of the shop, and how the day goes',
    access: 'staff',
    reply: inbox,
  },
})
