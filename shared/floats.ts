import * as z from 'zod/mini'
import { endpoints, messageReply } from './endpoint.ts'
import { NETWORKS } from './networks.ts'
import { SEES_ORDERS } from './staff-rules.ts'
import { SUPPLIERS } from './suppliers.ts'

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
      text: z.string().check(z.trim(), z.maxLength(MOST_TOP_UP_TEXT, 'Make it shorter.')),
    }),
  ),
})
export type FloatSettingsRequest = z.output<typeof floatSettingsRequest>

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
