import * as z from 'zod/mini'
import { shopFace } from './agent-shops.ts'
import { endpoints } from './endpoint.ts'
import { accepts, phone, tidy } from './fields.ts'
import { expectedDelivery, ORDER_STATUSES, orderStep } from './orders.ts'
import { ENTER_REFERENCE, referenceProblem } from './tracker-rules.ts'

const reference = z.string({ error: ENTER_REFERENCE }).check(tidy(), accepts(referenceProblem))

const trackRequest = z.object({ reference, phoneNumber: phone })

/**
 * How far a guest's money is on its way back. `to` is the number that paid, in part. No sum, as the price is nobody's business here, and
 * no code, since a link is passed on: a code is only sent to that number.
 */
const guestRefund = z.object({ state: z.enum(['owed', 'on-its-way', 'back', 'code', 'in-a-wallet']), byHand: z.boolean(), to: z.string() })
export type TrackedRefund = z.output<typeof guestRefund>

/**
 * Of an order of an agent's shop. `reportFrom`: from when it can be reported as not received, an ISO time; null when it cannot be.
 * `answer`: the shop's newest, to the newest report. `tells`: news of it go out by SMS. `texts`: a code can be sent by SMS.
 */
const ofGuest = z.object({
  shop: shopFace,
  refund: z.nullable(guestRefund),
  reportFrom: z.nullable(z.string()),
  reported: z.boolean(),
  answer: z.nullable(z.string()),
  tells: z.boolean(),
  texts: z.boolean(),
})

/**
 * What anyone may see of an order who has its link, or its number and its receiver: neither price nor buyer, and the
 * receiver's number only in part. `by` in `expected` and `at` in `steps` are ISO times.
 */
export const trackedOrder = z.object({
  number: z.string(),
  network: z.string(),
  offer: z.string(),
  receiver: z.string(),
  status: z.enum(ORDER_STATUSES),
  steps: z.array(orderStep),
  expected: z.nullable(expectedDelivery),
  /** The network verifies the receiver's number first, for days. */
  verifying: z.optional(z.literal(true)),
  /** A pending AFA order that waits for the details of the person whom it registers. */
  needsDetails: z.optional(z.literal(true)),
  guest: z.nullable(ofGuest),
})
export type TrackedOrder = z.output<typeof trackedOrder>

export const trackerEndpoints = endpoints({
  'POST /track': {
    id: 'trackOrder',
    tag: 'orders',
    summary: 'Where an order is, by its number or reference and its receiver',
    access: 'anyone',
    body: trackRequest,
    reply: z.object({ order: trackedOrder }),
    errors: ['NOT_FOUND'],
  },
  'GET /track/:reference': {
    id: 'readTrackedOrder',
    tag: 'orders',
    summary: 'Where an order is, by the reference in its link',
    access: 'anyone',
    params: z.object({ reference: z.string().check(z.regex(/^[A-Za-z0-9]{16,24}$/, { error: 'That order does not exist.' })) }),
    reply: z.object({ order: trackedOrder }),
    errors: ['NOT_FOUND'],
  },
})
