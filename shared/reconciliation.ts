import * as z from 'zod/mini'
import { endpoints, messageReply } from './endpoint.ts'
import { tidy } from './fields.ts'

/** The results of reconciliation, and whether purchases are paused. */

const violation = z.object({ rule: z.string(), subject: z.string(), detail: z.string() })
export type ReconciliationViolation = z.output<typeof violation>

export const invariantState = z.object({
  id: z.string(),
  /** What must hold, in plain words. */
  title: z.string(),
  /** `unchecked`: not checked yet, or the last check failed to finish. */
  status: z.enum(['holds', 'broken', 'unchecked']),
  checkedAt: z.nullable(z.iso.datetime()),
  /** When all rows were last checked, and how many there were; newer rows are checked every half minute. */
  wholeAt: z.nullable(z.iso.datetime()),
  rows: z.number(),
  /** What the rows are: orders, entries. */
  what: z.string(),
  /** The first violations. `money` pauses purchases; with only `records`, selling goes on. */
  found: z.array(z.extend(violation, { concerns: z.enum(['money', 'records']) })),
  /** Why the last check failed to finish. */
  problem: z.nullable(z.string()),
})
export type InvariantState = z.output<typeof invariantState>

export const reconciliationReply = z.object({
  invariants: z.array(invariantState),
  /** The current pause of purchases, or null. */
  pause: z.nullable(z.object({ pausedAt: z.iso.datetime(), found: z.array(z.extend(violation, { invariant: z.string() })) })),
  /** The last backup that was brought back on a database of its own and whose books were proved (`npm run rehearse`); null before the first. */
  lastRehearsal: z.nullable(
    z.object({
      at: z.iso.datetime(),
      /** The moment whose state came back. */
      restoredTo: z.iso.datetime(),
      /** A backup's one file, or the archive of the database's log. */
      source: z.enum(['file', 'archive']),
      orders: z.number(),
      entries: z.number(),
      /** Null when it was not noted. */
      tookSeconds: z.nullable(z.number()),
    }),
  ),
})
export type ReconciliationReply = z.output<typeof reconciliationReply>

const checkNowReply = z.object({ message: z.string(), askedAt: z.iso.datetime() })

export const MAX_LIFT_REASON = 500
export const liftPauseRequest = z.object({
  reason: z
    .string()
    .check(tidy(), z.minLength(3, 'Say in a few words why selling may go on.'), z.maxLength(MAX_LIFT_REASON, 'Make it shorter.')),
})

export const reconciliationEndpoints = endpoints({
  'GET /admin/books': {
    id: 'readReconciliation',
    tag: 'admin',
    summary: 'What the shop proves about its own books, and whether purchases are paused',
    access: 'finance',
    reply: reconciliationReply,
  },
  'POST /admin/books/check': {
    id: 'reconcileLedger',
    tag: 'admin',
    summary: 'Check everything now, over all rows',
    access: 'finance',
    reply: checkNowReply,
  },
  'POST /admin/books/resume': {
    id: 'resumePurchases',
    tag: 'admin',
    summary: 'Resume purchases, with a reason',
    access: 'owner',
    body: liftPauseRequest,
    reply: messageReply,
    errors: ['CONFLICT'],
  },
})
