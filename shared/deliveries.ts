import * as z from 'zod/mini'
import { endpoints } from './endpoint.ts'
import { phone, tidy } from './fields.ts'
import { CONSENTS, order, orderParams, receiverCorrection } from './orders.ts'
import { ROUTES } from './settings.ts'
import { SEES_ORDERS } from './staff-rules.ts'
import { DELIVERY_STATUSES } from './suppliers.ts'

/**
 * What has happened to an order, oldest first; `at` is an ISO time. `supplier` and `reference` name the delivery, `detail` is what the
 * supplier said, `by` who of the staff did it. `to` of `restarted`: the supplier that gets it now, null for by hand; without `by`, it went on by itself, for
 * the reason in `detail`. `delivered-after-all`: by a supplier that had refused it or called it failed, once it had gone on.
 */
const ORDER_EVENTS = [
  'paid',
  'sent',
  'accepted',
  'not-taken',
  'unknown',
  'asked',
  'rejected',
  'failed',
  'delivered',
  'delivered-after-all',
  'restarted',
  'corrected',
  'batched',
  'released',
  'reported',
  'completed',
  'refunded',
] as const
const orderEvent = z.object({
  kind: z.enum(ORDER_EVENTS),
  at: z.string(),
  supplier: z.optional(z.string()),
  reference: z.optional(z.string()),
  detail: z.optional(z.string()),
  by: z.optional(z.string()),
  to: z.optional(z.nullable(z.string())),
  batch: z.optional(z.number()),
  correction: z.optional(receiverCorrection),
})
export type OrderEvent = z.output<typeof orderEvent>

/** Whether an act is possible, and if not, why. */
const possibility = z.object({ possible: z.boolean(), why: z.nullable(z.string()) })

const orderDetail = z.object({
  order,
  buyer: z.object({ _id: z.string(), username: z.string(), phone: z.string(), level: z.string(), since: z.string(), orders: z.number() }),
  events: z.array(orderEvent),
  /** Where it can be sent; cost in cedis, null while nobody has set it, and left out for those who see no costs. */
  routes: z.array(z.object({ to: z.enum(ROUTES), resting: z.boolean(), reason: z.string(), cost: z.optional(z.nullable(z.number())) })),
  sendAgain: z.extend(possibility, { needsPortal: z.boolean() }),
  correct: possibility,
  ask: possibility,
  /** The buyer's newest other orders. */
  recent: z.array(order),
})
export type OrderDetail = z.output<typeof orderDetail>
const detailReply = z.object({ detail: orderDetail })

const supplierStatus = z.nullable(z.enum(DELIVERY_STATUSES, { error: 'Say how the order stands at its supplier.' }))

const AGREED = 'Say who agreed, in 2 to 60 characters.'

export const deliveryEndpoints = endpoints({
  'GET /admin/orders/:id': {
    id: 'readOrderDetail',
    tag: 'orders',
    summary: 'One order with all that happened to it, its buyer, and what can be done',
    access: SEES_ORDERS,
    params: orderParams,
    reply: detailReply,
    errors: ['NOT_FOUND'],
  },
  'PUT /admin/orders/:id/query-status': {
    id: 'queryOrderStatus',
    tag: 'orders',
    summary: 'Ask the supplier at once what became of an order',
    access: 'orders',
    params: orderParams,
    reply: detailReply,
    errors: ['NOT_FOUND', 'CONFLICT'],
  },
  'PUT /admin/orders/:id/send-again': {
    id: 'sendOrderAgain',
    tag: 'orders',
    summary: 'Send an order again, to the same supplier or another, or take it back to be sent by hand; only when that is safe',
    access: 'orders',
    params: orderParams,
    body: z.object({
      to: z.enum(ROUTES, { error: 'Choose a supplier from the list, or by hand.' }),
      /** The delivery's status that the admin saw; null for none. */
      supplierStatus,
      /** For an unclear order: the admin looked on the supplier's portal, and it was not there. */
      lookedAtPortal: z.optional(z.boolean()),
    }),
    reply: detailReply,
    errors: ['NOT_FOUND', 'CONFLICT', 'ALREADY_DECIDED', 'SECOND_PERSON_NEEDED'],
  },
  'PUT /admin/orders/:id/receiver': {
    id: 'correctReceiver',
    tag: 'orders',
    summary: "Correct an order's receiver with the buyer's consent, before it was sent or after a refusal",
    access: 'orders',
    params: orderParams,
    body: z.object({
      receiver: phone,
      /** The receiver that the admin saw. */
      seen: z.string({ error: 'Send the receiver that you saw.' }),
      agreedBy: z.string({ error: AGREED }).check(tidy(), z.minLength(2, { error: AGREED }), z.maxLength(60, { error: AGREED })),
      consent: z.enum(CONSENTS, { error: 'Say how the buyer agreed.' }),
    }),
    reply: detailReply,
    errors: ['NOT_FOUND', 'CONFLICT', 'ALREADY_DECIDED', 'SECOND_PERSON_NEEDED'],
  },
})
export type SendAgainRequest = z.output<(typeof deliveryEndpoints)['PUT /admin/orders/:id/send-again']['body']>
export type CorrectReceiverRequest = z.output<(typeof deliveryEndpoints)['PUT /admin/orders/:id/receiver']['body']>
