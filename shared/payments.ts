import * as z from 'zod/mini'
import { placeBulkRequest } from './bulk.ts'
import { endpoints } from './endpoint.ts'
import { ifOnTheWayHeader, positiveCedis, tidy } from './fields.ts'
import { listQuery } from './lists.ts'
import { checkoutRequest, order } from './orders.ts'
import { pinProofHeader } from './transaction-pin.ts'
import { user } from './users.ts'

/**
 * The status of a card payment. `paid`: what it was for exists. `held`: money came but could not buy what it was meant for,
 * so it went to the wallet or waits for the operator. `failed` and `expired`: no money came.
 */
export const PAYMENT_STATUSES = ['open', 'paid', 'held', 'failed', 'expired'] as const
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number]

/**
 * How far the payer of an open payment has come, as last reported: under way (a prompt on the phone waits for approval),
 * unfinished (closed before trying) or declined. None is final while the payment is open.
 */
export const PAYMENT_PROGRESS = ['under-way', 'unfinished', 'declined'] as const
export type PaymentProgress = (typeof PAYMENT_PROGRESS)[number]

const PAYMENT_PURPOSES = ['order', 'agent-upgrade', 'top-up'] as const
export type PaymentPurpose = (typeof PAYMENT_PURPOSES)[number]

/**
 * A top-up puts `amount`, in cedis, into the wallet; the surcharge comes on top. With `items` it also buys these from the wallet
 * as soon as it is paid, and `amount` is exactly what is missing (`topUpFor`).
 */
export const paymentRequest = z.discriminatedUnion(
  'purpose',
  [
    z.extend(checkoutRequest, { purpose: z.literal('order') }),
    z.object({ purpose: z.literal('agent-upgrade') }),
    z.object({ purpose: z.literal('top-up'), amount: positiveCedis, items: z.optional(checkoutRequest.shape.items) }),
  ],
  { error: 'The purpose is order, agent-upgrade or top-up.' },
)
export type PaymentRequest = z.input<typeof paymentRequest>

/**
 * A list of up to 5,000 orders, all of them at its `total`, in one payment. With `topUp` that payment only brings what the wallet lacks for it, in
 * cedis (`topUpFor`), and the list is then paid for from the wallet.
 */
const listPaymentRequest = z.extend(placeBulkRequest, { topUp: z.optional(positiveCedis) })
export type ListPaymentRequest = z.input<typeof listPaymentRequest>

/** What the pop-up needs. `amount` is in pesewas including the surcharge. */
export const paymentReply = z.object({
  reference: z.string(),
  amount: z.number(),
  currency: z.literal('GHS'),
  email: z.string(),
  publicKey: z.string(),
  accessCode: z.string(),
})
export type PaymentReply = z.output<typeof paymentReply>

export const confirmPaymentReply = z.object({
  payment: z.object({
    reference: z.string(),
    status: z.enum(PAYMENT_STATUSES),
    /** Why it was not fulfilled, or cannot be spent yet, as a sentence for the payer; null when all is well. */
    message: z.nullable(z.string()),
    /** Null when it is not open, or the provider has not said. */
    progress: z.nullable(z.enum(PAYMENT_PROGRESS)),
  }),
  /** The list that was paid for, whose orders `GET /bulk/:id` has; left out for other payments. */
  list: z.optional(z.string()),
  orders: z.array(order),
  user,
})
export type ConfirmPaymentReply = z.output<typeof confirmPaymentReply>

/** `GET /payment/mine`: one of the caller's own card payments. Amounts in cedis; `total` is what the payer was charged. */
export const ownPayment = z.object({
  reference: z.string(),
  purpose: z.enum(PAYMENT_PURPOSES),
  /** `open` waits for the payer's approval; `expired` was closed after half an hour without one. */
  status: z.enum(PAYMENT_STATUSES),
  /** A sentence for the payer; null when it is paid. */
  message: z.nullable(z.string()),
  /** Null when it is not open, or the provider has not said. */
  progress: z.nullable(z.enum(PAYMENT_PROGRESS)),
  /** The items bought; empty for an upgrade and for a top-up alone. `amount` is the line's price. */
  items: z.array(
    z.object({ productId: z.nullable(z.string()), network: z.string(), offer: z.string(), phoneNumber: z.string(), amount: z.number() }),
  ),
  /** For a top-up, what goes into the wallet. */
  price: z.number(),
  surcharge: z.number(),
  total: z.number(),
  createdAt: z.string(),
  settledAt: z.nullable(z.string()),
})
export type OwnPayment = z.output<typeof ownPayment>

/** `GET /payment/top-up`: what the caller may top up now. Amounts in cedis. */
export const topUpRules = z.object({
  minimum: z.number(),
  maximum: z.number(),
  /** What is left of the daily limit. */
  leftToday: z.number(),
  /** How long the caller, as a new payer, cannot spend a top-up; 0 when at once. */
  holdHours: z.number(),
  /** Topped up and not to be spent before `until`, an ISO time; the soonest first. */
  onHold: z.array(z.object({ reference: z.string(), amount: z.number(), until: z.string() })),
  /** Up to how much a recharge request is credited by itself once its payment comes in; 0 when a person checks all of them. */
  requestsUpTo: z.number(),
})
export type TopUpRules = z.output<typeof topUpRules>

const ownPaymentQuery = z.extend(listQuery, {
  /** Only payments that still wait for the payer's approval. */
  open: z.optional(z.literal('1', { error: 'Send open=1, or leave it out.' })),
})

/** `GET /payment/disputes`: a chargeback or a refund at the card provider, as an admin sees it. Amounts in cedis. */
export const paymentDispute = z.object({
  id: z.string(),
  kind: z.enum(['dispute', 'refund']),
  reference: z.string(),
  amount: z.number(),
  currency: z.string(),
  /** For a dispute `open`, `won`, `lost` or `unclear`; for a refund its status. */
  outcome: z.string(),
  category: z.string(),
  /** What the shop has to do, and where, as sentences. */
  whatToDo: z.string(),
  /** The deadline for an answer, as an ISO time; null when none is needed. */
  dueAt: z.nullable(z.string()),
  heardAt: z.string(),
  /** How much of it is in the ledger. */
  booked: z.number(),
  /** Why the payment's pending orders are on hold; null when they are not. */
  onHold: z.nullable(z.string()),
  customer: z.nullable(z.object({ username: z.string(), phone: z.string(), email: z.string() })),
  payerEmail: z.nullable(z.string()),
  orders: z.array(order),
})
export type PaymentDispute = z.output<typeof paymentDispute>

/** `GET /payment/unmatched`: a card payment under a reference that the shop never issued. `amount` in cedis. */
export const unmatchedPayment = z.object({
  reference: z.string(),
  amount: z.number(),
  currency: z.string(),
  payerEmail: z.nullable(z.string()),
  /** The customer with that e-mail address, if any. */
  user: z.nullable(z.string()),
  whatToDo: z.string(),
  foundAt: z.string(),
})
export type UnmatchedPayment = z.output<typeof unmatchedPayment>

export const releaseHoldRequest = z.object({
  reason: z
    .string({ error: 'Say in a few words why these orders may go on.' })
    .check(
      tidy(),
      z.minLength(3, { error: 'Say in a few words why these orders may go on.' }),
      z.maxLength(300, { error: 'Make it shorter.' }),
    ),
})

/** A card payment that could not be turned into what it was for, as an admin sees it. `amount` in cedis. */
export const heldPayment = z.object({
  reference: z.string(),
  user: z.string(),
  /** Of the account; null for a guest, whose number stands in `user`. */
  phone: z.nullable(z.string()),
  amount: z.number(),
  status: z.enum(PAYMENT_STATUSES),
  reason: z.string(),
  inWallet: z.boolean(),
  /** What is beyond the limits of topping up and waits for `POST /payment/:reference/release`, in cedis; null for nothing. */
  waits: z.nullable(z.number()),
  createdAt: z.string(),
})
export type HeldPayment = z.output<typeof heldPayment>

/**
 * References that the card provider accepts. Ours have 16 to 24 letters and digits; clients that began a payment themselves
 * chose their own.
 */
export const CARD_REFERENCE = /^[A-Za-z0-9.=-]{1,64}$/

const paymentParams = z.object({
  reference: z.string().check(z.regex(CARD_REFERENCE, { error: 'That payment does not exist.' })),
})

const heldPaymentQuery = z.extend(listQuery, { status: z.literal('held', { error: 'Only held payments are listed.' }) })

export const paymentEndpoints = endpoints({
  'POST /payment': {
    id: 'startPayment',
    tag: 'payments',
    summary: 'Get a payment by card or mobile money ready, for a cart, the agent upgrade or a top-up of the wallet',
    access: 'signed-in',
    headers: z.object({ ...ifOnTheWayHeader, ...pinProofHeader }),
    body: paymentRequest,
    reply: paymentReply,
    errors: ['ON_THE_WAY', 'PIN_REQUIRED', 'PRICE_CHANGED', 'NOT_AVAILABLE', 'CONFLICT', 'OUTSIDE_SERVICE', 'PURCHASES_PAUSED'],
  },
  'POST /payment/list': {
    id: 'startListPayment',
    tag: 'payments',
    summary: 'Get a payment by card or mobile money ready for a list of up to 5,000 orders',
    access: 'signed-in',
    headers: z.object(pinProofHeader),
    body: listPaymentRequest,
    reply: paymentReply,
    errors: ['FORBIDDEN', 'PIN_REQUIRED', 'PRICE_CHANGED', 'NOT_AVAILABLE', 'CONFLICT', 'OUTSIDE_SERVICE', 'PURCHASES_PAUSED'],
  },
  'GET /payment/top-up': {
    id: 'readTopUpRules',
    tag: 'payments',
    summary: 'How much the caller may top up through the card provider, and what of that is on hold',
    access: 'signed-in',
    reply: topUpRules,
  },
  'POST /payment/:reference/confirm': {
    id: 'confirmPayment',
    tag: 'payments',
    summary: 'Ask what has become of a card payment',
    access: 'signed-in',
    params: paymentParams,
    reply: confirmPaymentReply,
    errors: ['NOT_FOUND'],
  },
  'GET /payment': {
    id: 'listHeldPayments',
    tag: 'payments',
    summary: 'Card payments that could not be turned into what they were for',
    access: 'finance',
    query: heldPaymentQuery,
    reply: z.array(heldPayment),
    list: true,
  },
  'GET /payment/mine': {
    id: 'listOwnPayments',
    tag: 'payments',
    summary: 'Own card payments, newest first; open=1 lists those that still wait for approval',
    access: 'signed-in',
    query: ownPaymentQuery,
    reply: z.array(ownPayment),
    list: true,
  },
  'GET /payment/disputes': {
    id: 'listDisputes',
    tag: 'payments',
    summary: 'Disputes and refunds at the card provider, the most urgent first',
    access: 'finance',
    query: listQuery,
    reply: z.array(paymentDispute),
    list: true,
  },
  'GET /payment/unmatched': {
    id: 'listUnmatchedPayments',
    tag: 'payments',
    summary: 'Card payments under references that the shop never gave out',
    access: 'finance',
    query: listQuery,
    reply: z.array(unmatchedPayment),
    list: true,
  },
  'POST /payment/:reference/release': {
    id: 'releaseHold',
    tag: 'payments',
    summary: 'Let the orders of a disputed card payment go on',
    access: 'finance',
    params: paymentParams,
    body: releaseHoldRequest,
    reply: z.object({ released: z.literal(true) }),
    errors: ['NOT_FOUND', 'CONFLICT'],
  },
})

/** The signature covers the raw bytes, so the body is declared without a schema. */
export const paymentWebhookEndpoints = endpoints({
  'POST /payment/webhook': {
    id: 'receivePaymentWebhook',
    tag: 'payments',
    summary: "The card provider's webhook events",
    access: 'anyone',
    reply: z.object({ received: z.boolean() }),
    errors: ['UNAUTHENTICATED'],
    hidden: true,
  },
})
