import * as z from 'zod/mini'
import { endpoints } from './endpoint.ts'
import { cedis, network, tidy } from './fields.ts'

const time = z.iso.datetime({ error: 'Choose a day and a time.' })

/** What moved in the wallets, by cause. `other` is there so that the lines always add up. */
export const WALLET_LINES = ['mobile-money', 'card', 'credit', 'sales', 'refunds', 'debit', 'taken-back', 'rewards', 'other'] as const
/**
 * What was earned. Sales are `delivered` less `refunded`; `uncosted` are those without a known cost, `late-costs` the profit of earlier orders whose
 * cost became known. `sales` is what closes of before call `delivered`.
 */
export const EARNED_LINES = [
  'delivered',
  'sales',
  'uncosted',
  'cost',
  'late-costs',
  'refunded',
  'surcharges',
  'upgrade-fees',
  'provider-fees',
  'dispute-losses',
  'withdrawal-fees',
  'referral-rewards',
  'checker-losses',
] as const

const line = <const Names extends readonly [string, ...string[]]>(names: Names) =>
  z.object({ what: z.enum(names), count: z.number(), amount: z.number() })

/** A range of time, from `from` up to but without `until`. Amounts in cedis, those that reduce the sum below zero. */
const daySheet = z.object({
  from: z.string(),
  until: z.string(),
  wallets: z.object({ opening: z.number(), lines: z.array(line(WALLET_LINES)), closing: z.number() }),
  earned: z.object({
    lines: z.array(line(EARNED_LINES)),
    sales: z.optional(z.number()),
    grossProfit: z.optional(z.number()),
    profit: z.number(),
  }),
  delivered: z.number(),
  uncostedOrders: z.number(),
  /** Orders that wait when the sheet is made, what was paid for them, and how many of them are to be decided. */
  pending: z.object({ orders: z.number(), amount: z.number(), toDecide: z.optional(z.number()) }),
  /** `sales` and `profit` are what all screens call sales and gross profit. */
  networks: z.array(
    z.object({ network, orders: z.number(), sales: z.number(), cost: z.number(), profit: z.number(), uncostedOrders: z.number() }),
  ),
})
export type DaySheet = z.output<typeof daySheet>

/**
 * Money that is elsewhere: on the payment numbers, or at a supplier. `expected` is what was counted at the last close with what the
 * ledger has moved since; null where it was never counted. `read` is what the shop itself has read there.
 */
const place = z.object({
  key: z.string(),
  name: z.string(),
  expected: z.nullable(z.number()),
  read: z.nullable(z.number()),
  readAt: z.nullable(z.string()),
  /** What is counted one by one and added up: each payment number, where there are several. */
  parts: z.array(z.object({ key: z.string(), name: z.string() })),
})
export type CountedPlace = z.output<typeof place>

/** `moved` is what the owner paid in (or, below zero, took out) besides; it is booked as the owner's money. */
const counted = z.object({
  key: z.string(),
  name: z.string(),
  expected: z.nullable(z.number()),
  moved: z.number(),
  counted: z.number(),
  note: z.string(),
  parts: z.array(z.object({ key: z.string(), name: z.string(), counted: z.number() })),
})

const signedClose = z.object({
  _id: z.string(),
  from: z.string(),
  until: z.string(),
  opening: z.number(),
  closing: z.number(),
  profit: z.number(),
  signedBy: z.string(),
  signedAt: z.string(),
  note: z.string(),
  /** The close that this one corrects, and the one that corrects it. */
  corrects: z.nullable(z.string()),
  correctedBy: z.nullable(z.string()),
})
export type SignedClose = z.output<typeof signedClose>

const wholeClose = z.extend(signedClose, { sheet: daySheet, counted: z.array(counted) })
export type WholeClose = z.output<typeof wholeClose>

const AMOUNT = 'Enter what you counted, in cedis with at most two decimals.'
const countedCedis = z
  .number({ error: AMOUNT })
  .check(z.refine((value) => Number.isFinite(value) && Math.round(value * 100) / 100 === value, { error: AMOUNT }))
const countedInput = z.object({
  key: z.string().check(z.minLength(1), z.maxLength(60)),
  counted: countedCedis,
  /** When the shop itself read it, where nobody counted: refused once it is old. */
  readAt: z.optional(time),
  parts: z._default(z.array(z.object({ key: z.string().check(z.maxLength(60)), counted: countedCedis })).check(z.maxLength(10)), []),
  moved: z._default(cedis, 0),
  note: z._default(z.string().check(tidy(), z.maxLength(200, { error: 'A sentence has at most 200 characters.' })), ''),
})

const signDayClose = z
  .object({
    from: time,
    until: time,
    /** What the wallets hold at the end, as it was shown. */
    closing: cedis,
    counted: z._default(z.array(countedInput).check(z.maxLength(50)), []),
    note: z._default(z.string().check(tidy(), z.maxLength(500, { error: 'The note has at most 500 characters.' })), ''),
    /** The close that this one corrects: the same range once more. */
    corrects: z.optional(z.string().check(z.regex(/^[1-9][0-9]{0,14}$/))),
  })
  .check(z.refine(({ from, until }) => from < until, { error: 'The end has to be after the beginning.', path: ['until'] }))
export type SignDayClose = z.output<typeof signDayClose>

const rangeQuery = z.object({ from: z.optional(time), until: z.optional(time) })
const closeParams = z.object({ id: z.string().check(z.regex(/^[1-9][0-9]{0,14}$/, { error: 'That close does not exist.' })) })

export const dayCloseEndpoints = endpoints({
  'GET /admin/day-close': {
    id: 'readDayClose',
    tag: 'admin',
    summary: 'What moved in a range of time, since the last close unless another one is asked for, and the last closes',
    access: 'finance',
    query: rangeQuery,
    reply: z.object({
      sheet: daySheet,
      places: z.array(place),
      /** Whether this range may be signed: it begins where the last close ended. */
      isNext: z.boolean(),
      closes: z.array(signedClose),
    }),
  },
  'GET /admin/day-close/:id': {
    id: 'readSignedClose',
    tag: 'admin',
    summary: 'A close as it was signed',
    access: 'finance',
    params: closeParams,
    reply: z.object({ close: wholeClose }),
    errors: ['NOT_FOUND'],
  },
  'POST /admin/day-close': {
    id: 'signDayClose',
    tag: 'admin',
    summary: 'Sign a range of time off, for good',
    access: 'finance',
    body: signDayClose,
    reply: z.object({ close: wholeClose }),
    errors: ['CONFLICT', 'NOT_FOUND'],
  },
  'GET /export/day-close': {
    id: 'exportDayClose',
    tag: 'export',
    summary: 'A range of time, or a close as it was signed, as CSV',
    access: 'finance',
    query: z.extend(rangeQuery, { id: z.optional(closeParams.shape.id) }),
    reply: 'csv',
    errors: ['NOT_FOUND'],
  },
})
