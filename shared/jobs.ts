import * as z from 'zod/mini'
import { endpoints, idParam, messageReply } from './endpoint.ts'
import { tidy } from './fields.ts'
import { pageQuery } from './lists.ts'
import { ORDER_STATUSES } from './orders.ts'
import { DELIVERY_STATUSES, SUPPLIERS } from './suppliers.ts'

/** A job that has used up its retries and waits for a person. `reason` is the last error; dates are ISO times. */
export const failedJob = z.object({
  _id: z.string(),
  queue: z.string(),
  /** The job's payload, such as `{ orderId }`. */
  data: z.record(z.string(), z.unknown()),
  /** The job's order, or null. `totalAmount` and the card `surcharge` on top are in cedis. */
  order: z.nullable(
    z.object({
      _id: z.string(),
      id: z.string(),
      network: z.string(),
      offer: z.string(),
      receiver: z.string(),
      agent: z.string(),
      totalAmount: z.number(),
      surcharge: z.number(),
      status: z.enum(ORDER_STATUSES),
      reference: z.string(),
      supplier: z.nullable(z.enum(SUPPLIERS)),
      /** The status of its delivery at the supplier. */
      delivery: z.nullable(z.enum(DELIVERY_STATUSES)),
    }),
  ),
  /** The receiver of the message, if the job sends one. */
  messageTo: z.nullable(z.string()),
  reason: z.string(),
  /** Why it cannot be dismissed, as text for an admin; null when it can. */
  keep: z.nullable(z.string()),
  attempts: z.number(),
  createdAt: z.string(),
  failedAt: z.string(),
})
export type FailedJob = z.output<typeof failedJob>

/** `GET /admin/jobs`: the state of the shop's background work. `X-Total-Count` counts the failed jobs. */
export const jobsReply = z.object({
  failed: z.array(failedJob),
  /** Jobs of each queue: ready but not started (`waiting`), due `later`, `active`, and `failed`. */
  queues: z.array(z.object({ queue: z.string(), waiting: z.number(), later: z.number(), active: z.number(), failed: z.number() })),
  /** Orders whose jobs have not been added yet: if this stays high, the relay is not running. */
  ordersToRelay: z.number(),
  /** `openUntil` and `reason` while the circuit breaker is open; `balance` in cedis as of `balanceAt`, null for staff
   * who do not see the shop's finances. */
  suppliers: z.array(
    z.object({
      name: z.enum(SUPPLIERS),
      openUntil: z.nullable(z.string()),
      reason: z.string(),
      balance: z.nullable(z.number()),
      balanceAt: z.nullable(z.string()),
    }),
  ),
  /** Messages sent today, and the daily cap. */
  sms: z.object({ usedToday: z.number(), dailyCap: z.number() }),
})
export type JobsReply = z.output<typeof jobsReply>

export const MAX_DISMISS_REASON = 500
export const dismissJobRequest = z.object({
  reason: z
    .string()
    .check(tidy(), z.minLength(3, 'Say in a few words why it may be left undone.'), z.maxLength(MAX_DISMISS_REASON, 'Make it shorter.')),
})
export type DismissJobRequest = z.output<typeof dismissJobRequest>

export const failedJobEndpoints = endpoints({
  'GET /admin/jobs': {
    id: 'readJobs',
    tag: 'admin',
    summary: "The shop's own work: what waits and what has failed",
    access: 'orders',
    query: pageQuery,
    reply: jobsReply,
  },
  'POST /admin/jobs/:id/retry': {
    id: 'retryJob',
    tag: 'admin',
    summary: 'Try a failed job again',
    access: 'orders',
    params: idParam('job'),
    reply: messageReply,
    errors: ['NOT_FOUND'],
  },
  /** `message` describes the job's order if that is still pending. */
  'POST /admin/jobs/:id/dismiss': {
    id: 'dismissJob',
    tag: 'admin',
    summary: 'Leave a failed job undone for good, with a reason',
    access: 'orders',
    params: idParam('job'),
    body: dismissJobRequest,
    reply: messageReply,
    errors: ['NOT_FOUND', 'CONFLICT'],
  },
})
