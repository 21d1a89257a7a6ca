import * as z from 'zod/mini'
import { endpoints, messageReply } from './endpoint.ts'
import { tidy } from './fields.ts'
import { NETWORKS } from './networks.ts'
import { SEES_ORDERS } from './staff-rules.ts'
import { SUPPLIERS, type SupplierName } from './suppliers.ts'

/**
 * What the shop has paid in elsewhere and spends with every order: at a supplier, at the SMS service, or at a portal that is used by hand.
 */
const FLOAT_KINDS = ['supplier', 'sms', 'by-hand'] as const

/**
 * `finished`: no money left there. `stopped`: the circuit breaker is open. `trying`: it was open, and the next order shows whether it
 * works again. `low`: it ends before the shop closes, or sooner than the owner wants to be told. `unknown`: no reading yet.
 */
export const FLOAT_STATES = ['finished', 'stopped', 'trying', 'low', 'enough', 'unknown'] as const
export type FloatState = (typeof FLOAT_STATES)[number]

const ordersAndValue = z.object({ orders: z.number(), value: z.number() })

/** Amounts in cedis, or in messages for the SMS service; times are ISO times. */
export const float = z.object({
  /** The supplier's name, `sms`, or `by-hand:` and the network. */
  key: z.string(),
  kind: z.enum(FLOAT_KINDS),
  /** The networks whose orders go there now. */
  networks: z.array(z.enum(NETWORKS)),
  /** The networks whose orders go there when the suppliers before it cannot take them. */
  backsUp: z.array(z.enum(NETWORKS)),
  state: z.enum(FLOAT_STATES),
  /** Null while not known, and for staff who do not see the shop's finances; what is entered by hand goes down with every order that is delivered by hand at a known cost. */
  balance: z.nullable(z.number()),
  balanceAt: z.nullable(z.string()),
  /** Orders that were delivered by hand since then whose cost nobody has typed in, so that the balance is less than it says. */
  withoutCost: z.number(),
  /** Why the last call failed, in the supplier's words, and when; null while all is well. */
  problem: z.nullable(
    z.object({ reason: z.string(), at: z.nullable(z.string()), failures: z.number(), nextTryAt: z.nullable(z.string()) }),
  ),
  /** Spent in an hour of this day, from deliveries at their cost or from what the balance lost; null while too little is known. */
  perHour: z.nullable(z.number()),
  rateFrom: z.nullable(z.enum(['deliveries', 'balance'])),
  /** When it is used up at that rate, counted in the hours in which the shop is open; null when that is not known or weeks away. */
  emptyAt: z.nullable(z.string()),
  /** Orders that wait there to be sent, and their prices. */
  held: ordersAndValue,
  /** What must at least be topped up so that those can go; null while the cost of one of them is not known. */
  topUpAtLeast: z.nullable(z.number()),
  howToTopUp: z.string(),
  /** This day (UTC): what was there at first, what came in and what went out; null without a reading of the day. */
  today: z.nullable(z.object({ opening: z.number(), topUps: z.number(), spent: z.number() })),
})
export type Float = z.output<typeof float>

export const floatsReply = z.object({
  floats: z.array(float),
  alarmHours: z.number(),
  /** When the shop opens and closes today (ISO times); null on a day on which it does not. */
  day: z.nullable(z.object({ opens: z.string(), closes: z.string() })),
  /** The newest reading of all. */
  readAt: z.nullable(z.string()),
})
export type FloatsReply = z.output<typeof floatsReply>

const MOST_TOP_UP_TEXT = 600
const MOST_BALANCE = 10_000_000

const supplierParam = z.object({ name: z.enum(SUPPLIERS, { error: 'The shop does not work with that supplier.' }) })

export const countedBalanceRequest = z.object({
  network: z.enum(NETWORKS, { error: 'Choose the network.' }),
  /** In cedis. */
  balance: z
    .number({ error: 'Enter the balance, like 250.00.' })
    .check(z.minimum(0, 'A balance is never below zero.'), z.maximum(MOST_BALANCE, 'That is more than a portal holds.')),
})
export type CountedBalanceRequest = z.output<typeof countedBalanceRequest>

export const floatSettingsRequest = z.object({
  alarmHours: z.optional(
    z
      .int({ error: 'Enter whole hours, from 1 to 72.' })
      .check(z.minimum(1, 'Enter whole hours, from 1 to 72.'), z.maximum(72, 'Enter whole hours, from 1 to 72.')),
  ),
  howToTopUp: z.optional(
    z.object({
      key: z.string().check(z.regex(/^[a-z-]{2,20}(:[A-Za-z ]{2,30})?$/, 'Choose a supplier.')),
      text: z.string().check(tidy(), z.maxLength(MOST_TOP_UP_TEXT, 'Make it shorter.')),
    }),
  ),
})
export type FloatSettingsRequest = z.output<typeof floatSettingsRequest>

const wholeNumber = (least: number, most: number) => {
  const error = `Enter a whole number from ${least} to ${most}.`
  return z.int({ error }).check(z.minimum(least, { error }), z.maximum(most, { error }))
}

const supplierOrder = z
  .array(z.enum(SUPPLIERS, { error: 'Choose suppliers from the list.' }), { error: 'Send the suppliers in their order.' })
  .check(
    z.maxLength(SUPPLIERS.length, 'That is more suppliers than there are.'),
    z.refine((names: SupplierName[]) => new Set(names).size === names.length, 'A supplier can stand there once only.'),
  )

const supplierRules = z.object({
  /** By network, its suppliers in the order in which they get an order; empty where a person sends it. */
  networks: z.partialRecord(z.enum(NETWORKS), supplierOrder),
  /** An order may go on to a supplier where it costs more than it was sold for, or where its cost is not set. */
  sendBelowCost: z.boolean({ error: 'Say yes or no: whether an order may cost more than it was sold for.' }),
  /** For how many days a number may be with its network for verification before somebody must look. */
  verificationDays: wholeNumber(1, 30),
})
export type SupplierRules = z.output<typeof supplierRules>

/** What is left out stays as it is. `seen` is what the owner saw of it; if that has changed since, nothing is saved. */
export const supplierOrderRequest = z.extend(z.partial(supplierRules), { seen: z.partial(supplierRules) })
export type SupplierOrderRequest = z.output<typeof supplierOrderRequest>

/** One supplier of a network. Counts are of the last seven days; minutes from payment to delivery, of its newest orders. */
const standing = z.object({
  name: z.enum(SUPPLIERS),
  /** The shop is set up for it; orders skip one that it is not set up for. */
  configured: z.boolean(),
  /** Until when its circuit breaker is open (ISO time), and why; null while it takes orders. */
  restsUntil: z.nullable(z.string()),
  reason: z.string(),
  delivered: z.number(),
  refused: z.number(),
  medianMinutes: z.nullable(z.number()),
  /** Packages on sale that have a cost there, and those that cost more there than agents pay. */
  withCost: z.number(),
  aboveAgentPrice: z.number(),
  /** The volumes that it said in the last day it does not sell, in megabytes. */
  notSoldMb: z.array(z.number()),
})

/** An order that a supplier delivered although it was refunded, or that came twice, since its supplier had refused it or called it failed. */
const afterAll = z.object({
  number: z.string(),
  network: z.enum(NETWORKS),
  offer: z.string(),
  receiver: z.string(),
  /** In cedis, what was paid for it. */
  price: z.number(),
  supplier: z.enum(SUPPLIERS),
  /** What that supplier knows it by. */
  reference: z.string(),
  at: z.string(),
  /** The supplier that had delivered it as well, or `by-hand`; null when it was refunded. */
  deliveredBy: z.nullable(z.string()),
})
export type AfterAll = z.output<typeof afterAll>

export const supplierOrderReply = z.object({
  sendBelowCost: z.boolean(),
  verificationDays: z.number(),
  /** Of the last 30 days, the newest first. */
  afterAll: z.array(afterAll),
  networks: z.array(
    z.object({
      network: z.enum(NETWORKS),
      packages: z.number(),
      /** In the owner's order. */
      suppliers: z.array(standing),
      /** Those that could be added. */
      others: z.array(standing),
    }),
  ),
})
export type SupplierOrderReply = z.output<typeof supplierOrderReply>
export type SupplierStanding = z.output<typeof standing>

export const floatEndpoints = endpoints({
  'GET /admin/suppliers': {
    id: 'readFloats',
    tag: 'admin',
    summary: 'What the shop has left at its suppliers, how long it lasts, and which orders wait there',
    access: SEES_ORDERS,
    reply: floatsReply,
  },
  'POST /admin/suppliers/:name/retry': {
    id: 'retrySupplier',
    tag: 'admin',
    summary: 'Try a supplier now: close its circuit breaker and send the orders that wait there',
    access: 'orders',
    params: supplierParam,
    reply: messageReply,
  },
  'POST /admin/suppliers/:name/release': {
    id: 'releaseHeldOrders',
    tag: 'admin',
    summary: 'Take the orders that wait at a supplier back, to process them by hand',
    access: 'orders',
    params: supplierParam,
    reply: messageReply,
  },
  'GET /admin/suppliers/order': {
    id: 'readSupplierOrder',
    tag: 'admin',
    summary: 'Which suppliers get the orders of each network, one after the other, and how each does',
    access: 'owner',
    reply: supplierOrderReply,
  },
  'PUT /admin/suppliers/order': {
    id: 'changeSupplierOrder',
    tag: 'admin',
    summary: 'Change which suppliers get the orders of a network, and when an order goes on to the next',
    access: 'owner',
    body: supplierOrderRequest,
    reply: supplierOrderReply,
    errors: ['CONFLICT'],
  },
  'PUT /admin/suppliers/balance': {
    id: 'recordBalance',
    tag: 'admin',
    summary: 'Enter what is left at a portal that is used by hand',
    access: 'finance',
    body: countedBalanceRequest,
    reply: messageReply,
  },
  'PUT /admin/suppliers/settings': {
    id: 'changeFloatSettings',
    tag: 'admin',
    summary: 'When to be told that a balance runs out, and how each is topped up',
    access: 'finance',
    body: floatSettingsRequest,
    reply: messageReply,
  },
})
