import * as z from 'zod/mini'
import { endpoints } from './endpoint.ts'
import { orAsText, tidy } from './fields.ts'
import { listQuery } from './lists.ts'
import { NOT_AN_AMOUNT } from './money.ts'
import { MAX_RECHARGE, rechargeProblem } from './recharge-rules.ts'

export const RECHARGE_STATUSES = ['pending', 'approved', 'declined'] as const
export type RechargeStatus = (typeof RECHARGE_STATUSES)[number]

/** A request to credit a mobile-money payment to the wallet. `amount` in cedis. */
export const recharge = z.object({
  _id: z.string(),
  rechargeId: z.string(),
  amount: z.number(),
  status: z.enum(RECHARGE_STATUSES),
  createdAt: z.string(),
  /** When the customer said that they have sent the money, as an ISO time; null before. */
  saidPaidAt: z.nullable(z.string()),
  /** Why it was declined, for the customer to read; null when nothing was said. */
  declineReason: z.nullable(z.string()),
  /** What was credited once it is approved: what came in, which may differ from `amount`. Null before. */
  credited: z.nullable(z.number()),
  user: z.object({ _id: z.string(), username: z.string(), phone: z.string() }),
})
export type Recharge = z.output<typeof recharge>

export const rechargeRequest = z.object({
  amount: orAsText(
    z
      .number({ error: NOT_AN_AMOUNT })
      .check(
        z.refine((value) => rechargeProblem(value) === null, { error: ({ input }) => rechargeProblem(Number(input)) ?? NOT_AN_AMOUNT }),
      ),
    NOT_AN_AMOUNT,
  ),
})
export type RechargeRequest = z.output<typeof rechargeRequest>

/** A recharge's reference has eight digits, the first not 0, for typing on a phone keypad. */
export const RECHARGE_ID_DIGITS = 8

/** A recharge is named by its `_id` or by its eight digits. */
const rechargeParams = z.object({
  id: z.union([z.uuid(), z.string().check(z.regex(/^[1-9][0-9]{7}$/))], { error: 'That recharge does not exist.' }),
})

/** The reason is for the customer to read. The body may be left out. */
const declineRechargeRequest = z.nullish(
  z.object({
    reason: z.optional(z.string().check(tidy(), z.maxLength(200, { error: 'The reason must be at most 200 characters long.' }))),
  }),
)

export const rechargeListQuery = z.extend(listQuery, {
  /** Only the caller's own, also for an admin. */
  mine: z.optional(z.literal('true', { error: 'Send mine=true, or leave it out.' })),
  status: z.optional(z.enum(RECHARGE_STATUSES, { error: 'Choose a status from the list.' })),
})

const decideRechargeReply = z.object({ recharge, balance: z.number() })

const rechargeReply = z.object({ rechargeId: z.string(), recharge })

/** The most pending requests of one user, so that a stuck button does not fill the owner's list. */
export const MAX_PENDING_RECHARGES = 20
/** The same for a user without an approved recharge, and with a confirmed number; and the most that these may add up to, in cedis. */
export const MAX_PENDING_OF_NEWCOMER = 2
export const MAX_PENDING_OF_CONFIRMED = 5
export const MAX_PENDING_CEDIS_OF_NEWCOMER = 2 * MAX_RECHARGE

export const rechargeEndpoints = endpoints({
  'GET /recharge': {
    id: 'listRecharges',
    tag: 'recharges',
    summary: 'Own recharge requests, newest first; an admin sees all',
    access: 'signed-in',
    query: rechargeListQuery,
    reply: z.array(recharge),
    list: true,
  },
  'POST /recharge': {
    id: 'requestRecharge',
    tag: 'recharges',
    summary: 'Ask for a mobile-money payment to be credited to the wallet',
    access: 'signed-in',
    body: rechargeRequest,
    reply: rechargeReply,
  },
  'PUT /recharge/:id/paid': {
    id: 'sayRechargePaid',
    tag: 'recharges',
    summary: 'Say that the money of an own pending request has been sent',
    access: 'signed-in',
    params: rechargeParams,
    reply: z.object({ recharge }),
    errors: ['NOT_FOUND', 'ALREADY_DECIDED'],
  },
  'PUT /recharge/:id/approve': {
    id: 'approveRecharge',
    tag: 'recharges',
    summary: 'Credit a pending recharge to the wallet',
    access: 'finance',
    params: rechargeParams,
    reply: decideRechargeReply,
    errors: ['NOT_FOUND', 'ALREADY_DECIDED', 'SECOND_PERSON_NEEDED'],
  },
  'PUT /recharge/:id/decline': {
    id: 'declineRecharge',
    tag: 'recharges',
    summary: 'Decline a pending recharge',
    access: 'finance',
    params: rechargeParams,
    body: declineRechargeRequest,
    reply: z.object({ recharge }),
    errors: ['NOT_FOUND', 'ALREADY_DECIDED'],
  },
  'PUT /recharge/:id/reopen': {
    id: 'reopenRecharge',
    tag: 'recharges',
    summary: 'Make a declined recharge pending again',
    access: 'finance',
    params: rechargeParams,
    reply: z.object({ recharge }),
    errors: ['NOT_FOUND', 'ALREADY_DECIDED'],
  },
})
