import * as z from 'zod/mini'
import { CHANNELS } from './channel-rules.ts'
import { endpoints } from './endpoint.ts'
import { afaForm, cedis, ifOnTheWayHeader, network, orAsText, phone, tidy } from './fields.ts'
import { IDEMPOTENCY_KEY_HEADER, MAX_CHECKOUT_ITEMS } from './limits.ts'
import { listQuery } from './lists.ts'
import { NOT_AN_AMOUNT } from './money.ts'
import { offerName } from './products.ts'
import { SEES_ORDERS } from './staff-rules.ts'
import { DELIVERY_STATUSES, supplierDelivery } from './suppliers.ts'
import { pinProofHeader } from './transaction-pin.ts'

export const ORDER_STATUSES = ['pending', 'completed', 'rejected'] as const
export type OrderStatus = (typeof ORDER_STATUSES)[number]

/** The bought item, as the cart sent it. */
const orderItem = z.object({
  id: z.string(),
  service: z.string(),
  phoneNumber: z.string(),
  offer: z.string(),
  amount: z.number(),
  image: z.string(),
})

/** An order as its buyer or an admin sees it. Amounts in cedis, `date` and `actionTimestamp` as text in UTC. */
export const order = z.object({
  _id: z.string(),
  /** The id that the buyer's client chose in `POST /order/create`, shown only to that client; otherwise the order number. */
  id: z.string(),
  /** The shop's order number, used on screens, messages and receipts. */
  number: z.string(),
  user: z.string(),
  agent: z.string(),
  network: z.string(),
  receiver: z.string(),
  offer: z.string(),
  /** The price without the card surcharge. `surcharge` is this order's share of the one on its card payment. */
  totalAmount: z.number(),
  surcharge: z.number(),
  items: z.array(orderItem),
  reference: z.string(),
  /** The reference that the buyer's own client gave its wallet order. */
  clientReference: z.optional(z.string()),
  paidWith: z.enum(['wallet', 'card']),
  paymentReference: z.nullable(z.string()),
  status: z.enum(ORDER_STATUSES),
  date: z.string(),
  createdAt: z.string(),
  actionTimestamp: z.nullable(z.string()),
  /** The delivery status as text for the buyer; null when a person processes the order. */
  supplierStatus: z.nullable(z.string()),
  /** The network verifies the receiver's number first, which takes days; the order is not late. */
  verifying: z.optional(z.literal(true)),
  /** A pending AFA order that waits for the details of the person whom it registers. */
  needsDetails: z.optional(z.literal(true)),
  /** For admins only: the phone number of the account, or of the guest. */
  buyerPhone: z.optional(z.nullable(z.string())),
  /** For admins only: the delivery in full. */
  supplier: z.optional(z.nullable(supplierDelivery)),
  /** For admins only: why a pending order must wait, because its card payment is disputed or was refunded; otherwise null. */
  onHold: z.optional(z.nullable(z.string())),
  /** For admins only: the batch that a pending order is locked in, and whose that is. */
  batch: z.optional(z.object({ number: z.number(), by: z.string() })),
  /** For admins only: bought without an account, by a guest of an agent's shop. */
  guest: z.optional(z.boolean()),
  /** For admins only: bought by another way than the site. */
  channel: z.optional(z.enum(CHANNELS)),
  /** The list of an agent that it was bought with. */
  list: z.optional(z.string()),
  /** Of a refunded order: why, in the shop's words. */
  refundReason: z.optional(z.string()),
})
export type Order = z.output<typeof order>

/** What has happened to an order, in order. `at` is an ISO time, null for the one step that is still to come. */
export const orderStep = z.object({
  step: z.enum(['paid', 'sent', 'delivered', 'completed', 'resent', 'refunded']),
  at: z.nullable(z.string()),
})
export type OrderStep = z.output<typeof orderStep>

/**
 * When a pending order should arrive, from how long the network's recent orders took: eight in ten took between `fromMinutes`
 * and `toMinutes`, nine in ten at most `toMinutes`. `by` is an ISO time.
 */
export const expectedDelivery = z.object({ fromMinutes: z.number(), toMinutes: z.number(), by: z.string() })
export type ExpectedDelivery = z.output<typeof expectedDelivery>

/** `verifying`: the network verifies the receiver's number first, for days; nothing is expected by then. `needsDetails` as in an order. */
const orderProgress = z.object({
  steps: z.array(orderStep),
  expected: z.nullable(expectedDelivery),
  verifying: z.optional(z.literal(true)),
  needsDetails: z.optional(z.literal(true)),
})
export type OrderProgress = z.output<typeof orderProgress>

/** How a buyer agreed to another receiver. */
export const CONSENTS = ['whatsapp', 'call', 'sms', 'in-person'] as const
export type Consent = (typeof CONSENTS)[number]

/** A receiver that the shop corrected with the buyer's consent: who agreed, how, and when (ISO). */
export const receiverCorrection = z.object({
  from: z.string(),
  to: z.string(),
  agreedBy: z.string(),
  consent: z.enum(CONSENTS),
  at: z.string(),
})
export type ReceiverCorrection = z.output<typeof receiverCorrection>

/** `open`, or how it ended: delivered after all, sent once more, or refunded. */
export const REPORT_STATUSES = ['open', 'delivered', 'resent', 'refunded'] as const
export type ReportStatus = (typeof REPORT_STATUSES)[number]

/** What a customer reported about an order that did not arrive, and the shop's replies, oldest first. Times are ISO. */
export const report = z.object({
  _id: z.string(),
  /** The order's `_id` and number. */
  orderId: z.string(),
  number: z.string(),
  status: z.enum(REPORT_STATUSES),
  openedAt: z.string(),
  endedAt: z.nullable(z.string()),
  messages: z.array(z.object({ from: z.enum(['customer', 'shop']), text: z.string(), at: z.string() })),
})
export type Report = z.output<typeof report>

/**
 * `opensAt`: from when a report can be opened, an ISO time; null when none can be, because one is open or the order is
 * refunded. `report`: the newest, open or ended.
 */
const reporting = z.object({ opensAt: z.nullable(z.string()), report: z.nullable(report) })
export type Reporting = z.output<typeof reporting>

/** An id chosen by a client: no spaces, control characters or text-direction marks. */
const NO_CLIENT_ID = { error: 'An order needs an id of 1 to 64 letters, digits or signs, without spaces.' }
const clientId = z.union(
  [z.string().check(z.regex(/^[!-~]{1,64}$/, NO_CLIENT_ID)), z.number().check(z.int(NO_CLIENT_ID), z.minimum(0, NO_CLIENT_ID))],
  NO_CLIENT_ID,
)

const NO_REFERENCE = { error: 'The reference is not valid.' }

/** `POST /order/create`. Clients may send fields that the server decides itself; they are ignored. */
export const createOrderRequest = z.object({
  newOrder: z.object(
    {
      id: z.pipe(clientId, z.transform(String)),
      network,
      offer: offerName,
      receiver: phone,
      totalAmount: orAsText(cedis, NOT_AN_AMOUNT),
      productId: z.optional(z.uuid({ error: 'That product does not exist.' })),
      reference: z.nullish(z.union([z.string().check(z.maxLength(64, NO_REFERENCE)), z.number()], NO_REFERENCE)),
    },
    { error: 'Send the order as newOrder.' },
  ),
})
const orderReply = z.object({ order })

/** One line of a cart. `amount` is the price that the buyer saw, in cedis; it is compared, never charged. */
export const checkoutItem = z.object({
  productId: z.uuid({ error: 'Choose a product.' }),
  offer: offerName,
  phoneNumber: phone,
  amount: cedis,
  /** Of AFA: what `POST /afa` answered. */
  afa: afaForm,
})
export type CheckoutItem = z.input<typeof checkoutItem>

export const checkoutRequest = z.object({
  items: z
    .array(checkoutItem, { error: 'Send the cart as items.' })
    .check(
      z.minLength(1, { error: 'Your cart is empty' }),
      z.maxLength(MAX_CHECKOUT_ITEMS, { error: `A checkout takes at most ${MAX_CHECKOUT_ITEMS} items.` }),
    ),
})
/** `balanceVersion` tells which of two balances is newer, as in a user's record. */
export const checkoutReply = z.object({ orders: z.array(order), balance: z.number(), balanceVersion: z.number() })
export type CheckoutReply = z.output<typeof checkoutReply>

export const idempotencyKey = z
  .string({ error: 'Send an Idempotency-Key header.' })
  .check(z.regex(/^[A-Za-z0-9_-]{20,128}$/, { error: 'The Idempotency-Key has 20 to 128 letters, digits, - or _.' }))

export const ORDER_SEGMENTS = ['to-decide', 'waiting'] as const
export type OrderSegment = (typeof ORDER_SEGMENTS)[number]

export const orderListQuery = z.extend(listQuery, {
  status: z.optional(z.enum(ORDER_STATUSES, { error: 'Choose a status from the list.' })),
  network: z.optional(network),
  /** For the staff: the pending orders that a person has to decide, or those that wait for a supplier; `all` for any order. */
  segment: z.optional(z.enum([...ORDER_SEGMENTS, 'all'], { error: 'Choose a part of the pending orders.' })),
  /** For an admin, who otherwise sees all orders: only their own. */
  mine: z.optional(z.literal('true', { error: 'Send mine=true, or leave it out.' })),
})

const REASON = 'Give a reason of 3 to 300 characters.'
const reason = z.string({ error: REASON }).check(tidy(), z.minLength(3, { error: REASON }), z.maxLength(300, { error: REASON }))
const REFUND_REASON = 'Say why in 3 to 200 characters. The buyer reads it.'
export const refundReason = z
  .string({ error: REFUND_REASON })
  .check(tidy(), z.minLength(3, { error: REFUND_REASON }), z.maxLength(200, { error: REFUND_REASON }))
const supplierStatus = z.enum(DELIVERY_STATUSES, { error: 'Say how the order stands at its supplier.' })

/**
 * `override` rejects an order although its supplier has it, may have it or has delivered it. With `supplierStatus`, only
 * while the delivery's status is still the one that the admin saw.
 */
export const decideOrderRequest = z.object({
  status: z.enum(['completed', 'rejected'], { error: 'An order can be completed or rejected.' }),
  override: z.optional(z.object({ reason, supplierStatus: z.optional(supplierStatus) }, { error: REASON })),
  /** Why it is refunded, in words that its buyer reads. */
  refundReason: z.optional(refundReason),
})
export type Decision = z.output<typeof decideOrderRequest>['status']

/** An order is named by its `_id` or by its number. */
export const orderId = z.union([z.uuid(), z.string().check(z.regex(/^[1-9][0-9]{0,17}$/))], { error: 'That order does not exist.' })
export const orderParams = z.object({ id: orderId })

/** The most orders that one call decides. */
const MAX_DECISIONS = 100

/**
 * Orders that wait to be sent, or that a supplier has, may have or has delivered, are refused unless listed in `chosen` with
 * the status that the admin saw; `reason` is required where `needsReason` says so.
 */
export const decideManyRequest = z.object({
  ids: z
    .array(orderId, { error: 'Choose the orders.' })
    .check(
      z.minLength(1, { error: 'Choose at least one order.' }),
      z.maxLength(MAX_DECISIONS, { error: `Choose at most ${MAX_DECISIONS} orders.` }),
    ),
  status: z.enum(['completed', 'rejected'], { error: 'An order can be completed or rejected.' }),
  refundReason: z.optional(refundReason),
  chosen: z.optional(
    z.object({
      reason: z.optional(reason),
      orders: z
        .array(z.object({ id: orderId, supplierStatus }), { error: 'Choose the orders.' })
        .check(z.maxLength(MAX_DECISIONS, { error: `Choose at most ${MAX_DECISIONS} orders.` })),
    }),
  ),
})
export type DecideManyRequest = z.output<typeof decideManyRequest>
const decideManyReply = z.object({ decided: z.array(order), refused: z.array(z.object({ id: z.string(), message: z.string() })) })

/** `POST /proxy`: only the reference is read; an address or headers in the payload are ignored. */
const proxyRequest = z.object({
  body: z.object(
    { reference: z.union([z.string().check(z.maxLength(64)), z.number()], { error: 'Send the reference of the order.' }) },
    { error: 'Send the order as body.' },
  ),
})
const proxyReply = z.object({ data: z.object({ status: z.string() }) })

/** How many pending orders wait, by network. `byHand`: the oldest that could be batched now, at most `MAX_BATCH`; amounts in cedis. */
const orderCounts = z.object({
  pending: z.number(),
  completed: z.number(),
  rejected: z.number(),
  networks: z.array(
    z.object({
      network: z.string(),
      toDecide: z.number(),
      waiting: z.number(),
      byHand: z.object({ orders: z.number(), amount: z.number(), oldestAt: z.nullable(z.string()) }),
    }),
  ),
})
export type OrderCounts = z.output<typeof orderCounts>

const CANNOT_BUY = [
  'CONFLICT',
  'ON_THE_WAY',
  'INSUFFICIENT_BALANCE',
  'PIN_REQUIRED',
  'PRICE_CHANGED',
  'NOT_AVAILABLE',
  'KEY_REUSED',
  'PURCHASES_PAUSED',
] as const

export const orderEndpoints = endpoints({
  'GET /order/allorders': {
    id: 'listOrders',
    tag: 'orders',
    summary: 'Own orders, newest first; an admin sees all',
    access: 'signed-in',
    query: orderListQuery,
    reply: z.array(order),
    list: true,
  },
  'GET /admin/order-counts': {
    id: 'countOrders',
    tag: 'orders',
    summary: 'How many orders are to be decided, wait or are decided, by network',
    access: SEES_ORDERS,
    reply: orderCounts,
  },
  'GET /order/:id': {
    id: 'readOrder',
    tag: 'orders',
    summary: "One of one's own orders, what has happened to it, and when to expect it; an admin may read any",
    access: 'signed-in',
    params: orderParams,
    reply: z.object({ order, progress: orderProgress, reporting, correction: z.nullable(receiverCorrection) }),
    errors: ['NOT_FOUND'],
  },
  'PUT /order/update-status/:id': {
    id: 'decideOrder',
    tag: 'orders',
    summary: 'Complete or reject a pending order; one that a supplier has is rejected only with a reason',
    access: 'orders',
    params: orderParams,
    body: decideOrderRequest,
    reply: orderReply,
    errors: ['NOT_FOUND', 'ALREADY_DECIDED', 'CONFLICT', 'SECOND_PERSON_NEEDED'],
  },
  'POST /order/decide-many': {
    id: 'decideOrders',
    tag: 'orders',
    summary: 'Complete or reject many pending orders, each by itself',
    access: 'orders',
    body: decideManyRequest,
    reply: decideManyReply,
  },
  'POST /proxy': {
    id: 'readDeliveryStatus',
    tag: 'orders',
    summary: "What the data supplier says of one's own order",
    access: 'signed-in',
    body: proxyRequest,
    reply: proxyReply,
    errors: ['NOT_FOUND'],
  },
})

export const checkoutEndpoints = endpoints({
  'POST /order/checkout': {
    id: 'checkout',
    tag: 'orders',
    summary: 'Buy a whole cart from the wallet',
    access: 'signed-in',
    headers: z.object({ [IDEMPOTENCY_KEY_HEADER]: idempotencyKey, ...ifOnTheWayHeader, ...pinProofHeader }),
    body: checkoutRequest,
    reply: checkoutReply,
    errors: CANNOT_BUY,
  },
  'POST /order/create': {
    id: 'createOrder',
    tag: 'orders',
    summary: 'Buy one bundle from the wallet, or with the card payment that `reference` names',
    description: `Without a \`reference\` (left out, null or empty) the wallet pays. With one:

| the reference | pays |
|---|---|
| of a card payment that is paid, begun here or by the client at the card provider with the buyer's e-mail address | that payment |
| digits alone, and the provider has no such payment | the wallet; the order keeps it as \`clientReference\` |
| anything else | nothing: 402 |

When the provider does not answer, nothing is taken: 502. One payment that the client began pays for several calls, each with its price and 3 %; what
is left waits ten minutes for further calls and then goes into the wallet. The same \`id\` again is the same order.`,
    access: 'signed-in',
    headers: z.object({ ...ifOnTheWayHeader, ...pinProofHeader }),
    body: createOrderRequest,
    reply: orderReply,
    errors: [...CANNOT_BUY, 'UNPAID', 'NOT_FOUND', 'OUTSIDE_SERVICE'],
  },
})
