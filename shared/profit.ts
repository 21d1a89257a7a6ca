import * as z from 'zod/mini'
import { endpoints } from './endpoint.ts'
import { network, positiveCedis } from './fields.ts'
import { offerName } from './products.ts'

const day = z
  .string({ error: 'Choose a day.' })
  .check(z.regex(/^20[0-9]{2}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])$/, { error: 'Choose a day.' }))

/** Days in Ghana, which is UTC all year, both included. */
const profitQuery = z
  .object({ from: day, until: day })
  .check(z.refine(({ from, until }) => from <= until, { error: 'The first day cannot be after the last.', path: ['until'] }))

/**
 * Delivered orders, by the day of their delivery. `sales` is their price, `delivered`, less the price of those `refunded` afterwards, on the day of
 * the refund. `grossProfit` is the sales of those with a known cost, less that cost. Orders whose cost nobody knows are in `orders` and `sales`, and
 * apart in `uncosted…`.
 */
const delivered = z.object({
  orders: z.number(),
  delivered: z.number(),
  sales: z.number(),
  cost: z.number(),
  grossProfit: z.number(),
  uncostedOrders: z.number(),
  uncostedSales: z.number(),
  refundedOrders: z.number(),
  refunded: z.number(),
})
export type Delivered = z.output<typeof delivered>

/** What else the ledger earned or lost, in cedis: all of it counts towards the profit. */
const otherLines = z.object({
  surcharges: z.number(),
  upgradeFees: z.number(),
  withdrawalFees: z.number(),
  providerFees: z.number(),
  disputeLosses: z.number(),
  referralRewards: z.number(),
  checkerLosses: z.number(),
})

export const profitReply = z.object({
  total: delivered,
  other: otherLines,
  /** The gross profit and the other lines together. */
  profit: z.number(),
  days: z.array(z.extend(delivered, { day: z.string(), profit: z.number() })),
  networks: z.array(z.extend(delivered, { network })),
  /** `by-hand`, or a supplier's name. */
  suppliers: z.array(z.extend(delivered, { supplier: z.string() })),
  /** The twenty agents with most sales less later refunds, of those with a delivery. */
  agents: z.array(z.extend(delivered, { agentId: z.string(), username: z.string() })),
})
export type ProfitReply = z.output<typeof profitReply>

/** Delivered orders of a package whose cost is not known; `orders` and `sales` count a thousand of them at most. */
const uncosted = z.object({
  productId: z.string(),
  network,
  offer: z.string(),
  supplier: z.string(),
  orders: z.number(),
  sales: z.number(),
  /** The cost of the package there now, which may be used for them; null while there is none. */
  costNow: z.nullable(z.number()),
})
const uncostedReply = z.object({ packages: z.array(uncosted) })

/** The most orders whose cost one request sets. */
export const MOST_COSTS_SET = 500

const recordCosts = z.object({
  productId: z.uuid({ error: 'That product does not exist.' }),
  offer: offerName,
  supplier: z.string().check(z.regex(/^[a-z0-9][a-z0-9-]{1,39}$/, { error: 'Choose a supplier from the list, or by hand.' })),
  cost: positiveCedis,
})
export type RecordCostsRequest = z.output<typeof recordCosts>

export const profitEndpoints = endpoints({
  'GET /admin/profit': {
    id: 'readProfit',
    tag: 'stats',
    summary: 'Profit by day, network, supplier and agent, from the ledger',
    access: 'finance',
    query: profitQuery,
    reply: profitReply,
  },
  'GET /admin/profit/uncosted': {
    id: 'listUncosted',
    tag: 'stats',
    summary: 'Delivered orders whose cost is not known, by package, at most a hundred',
    access: 'finance',
    reply: uncostedReply,
  },
  'POST /admin/profit/uncosted': {
    id: 'recordCosts',
    tag: 'stats',
    summary: 'Say what delivered orders of a package have cost, once, at most 500 of them',
    access: 'finance',
    body: recordCosts,
    reply: z.object({ orders: z.number(), left: z.number() }),
    errors: ['NOT_FOUND'],
  },
})
