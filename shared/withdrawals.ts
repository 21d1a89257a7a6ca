import * as z from 'zod/mini'
import { endpoints, idParam, messageReply } from './endpoint.ts'
import { accepts, cedis, phone, positiveCedis, tidy } from './fields.ts'
import { IDEMPOTENCY_KEY_HEADER } from './limits.ts'
import { listQuery, pageQuery } from './lists.ts'
import { codeSent, numberCode } from './numbers.ts'
import { idempotencyKey } from './orders.ts'
import { pinProofHeader } from './transaction-pin.ts'
import { PAYOUT_NETWORKS, recipientNameProblem } from './withdrawal-rules.ts'

/**
 * `approval`: a person decides. `ready`: it is sent in a moment. `sending`, `accepted`: under way at the provider. `unknown`: the provider is
 * asked. `paid`; `failed`, `declined`, `cancelled`: the money is back in the earnings; `reversed`: it came back after it was paid.
 */
export const WITHDRAWAL_STATUSES = [
  'approval',
  'ready',
  'sending',
  'accepted',
  'unknown',
  'paid',
  'failed',
  'declined',
  'cancelled',
  'reversed',
] as const
export type WithdrawalStatus = (typeof WITHDRAWAL_STATUSES)[number]

const network = z.enum(PAYOUT_NETWORKS, { error: 'Choose the network of the number.' })
const recipientName = z.string({ error: 'Enter the name on that number.' }).check(tidy(), accepts(recipientNameProblem))

/** A withdrawal as its agent sees it, in cedis: `amount` leaves the earnings, `payout` arrives. Times are ISO. */
const withdrawal = z.object({
  _id: z.string(),
  number: z.string(),
  status: z.enum(WITHDRAWAL_STATUSES),
  amount: z.number(),
  fee: z.number(),
  payout: z.number(),
  phoneNumber: z.string(),
  network,
  name: z.string(),
  /** Why it waits or was not paid, as a sentence; null when there is nothing to say. */
  reason: z.nullable(z.string()),
  /** When the provider is asked next; null when it is not asked. */
  askedNextAt: z.nullable(z.string()),
  createdAt: z.string(),
  endedAt: z.nullable(z.string()),
})
export type Withdrawal = z.output<typeof withdrawal>

/** Amounts in cedis. `atOnce` is what may still go out today without approval. */
const agentRules = z.object({
  enabled: z.boolean(),
  minimum: z.number(),
  fee: z.number(),
  unapproved: z.number(),
  atOnce: z.number(),
})

/** A number that was paid before, most used first. */
const knownNumber = z.object({ phoneNumber: z.string(), network, name: z.string(), used: z.number() })

/** A number that was confirmed by a code. Until `freeAt` a person looks before money goes there. */
const payoutNumber = z.object({ phoneNumber: z.string(), freeAt: z.string() })

/** A movement of the earnings in cedis: above zero for what came in. */
const movement = z.object({
  id: z.string(),
  kind: z.enum(['delivered', 'refunded', 'withdrawn', 'returned', 'other']),
  details: z.string(),
  amount: z.number(),
  balance: z.number(),
  createdAt: z.string(),
})
export type EarningsMovement = z.output<typeof movement>

/**
 * What a shop has earned, in cedis: before + released − takenBack − withdrawn − beingPaid − held = withdrawable, where released, takenBack and
 * withdrawn are those since `since`.
 */
const earnings = z.object({
  balance: z.number(),
  withdrawable: z.number(),
  held: z.object({ amount: z.number(), freeAt: z.nullable(z.string()), orders: z.number() }),
  onTheWay: z.object({ amount: z.number(), orders: z.number() }),
  /** What refunds took back after it was withdrawn; it is repaid from what is earned next. */
  debt: z.number(),
  sums: z.object({
    since: z.string(),
    before: z.number(),
    released: z.number(),
    takenBack: z.object({ amount: z.number(), count: z.number() }),
    withdrawn: z.object({ amount: z.number(), count: z.number() }),
    beingPaid: z.object({ amount: z.number(), count: z.number() }),
  }),
  rules: agentRules,
  numbers: z.array(knownNumber),
  confirmed: z.array(payoutNumber),
  /** Whether a new number can be confirmed by a code. */
  sendsCodes: z.boolean(),
  latest: z.array(movement),
})
export type Earnings = z.output<typeof earnings>

/** `fee` is the fee seen; it is compared, never charged. */
const withdrawalRequest = z.object({
  amount: positiveCedis,
  fee: cedis,
  phoneNumber: phone,
  network,
  name: recipientName,
})
export type WithdrawalRequest = z.output<typeof withdrawalRequest>

const withdrawalReply = z.object({ withdrawal, withdrawable: z.number() })

/** A withdrawal as staff see it. `earned` is what is left in the earnings, `provider` what the provider said last. */
const staffWithdrawal = z.extend(withdrawal, {
  reference: z.string(),
  agent: z.object({ _id: z.string(), username: z.string(), phone: z.string() }),
  shop: z.object({ id: z.string(), name: z.string(), slug: z.string() }),
  newNumber: z.boolean(),
  /** The number was confirmed by a code. */
  confirmed: z.boolean(),
  earned: z.number(),
  provider: z.nullable(z.string()),
  wasSent: z.boolean(),
  byHand: z.boolean(),
  /** The network's, of a withdrawal paid by hand. */
  transactionId: z.nullable(z.string()),
  decidedBy: z.nullable(z.string()),
})
export type StaffWithdrawal = z.output<typeof staffWithdrawal>
const staffReply = z.object({ withdrawal: staffWithdrawal })

const inCedis = (least: number, most: number) =>
  cedis.check(z.refine((value) => value >= least && value <= most, { error: `Enter ${least} to ${most.toLocaleString('en')} cedis.` }))

/** The owner's rules, in cedis. `byHand`: nothing goes out by itself. `available`: the card provider's account is set up for it. */
const rules = z.object({
  enabled: z.boolean({ error: 'Say yes or no: enabled.' }),
  minimum: inCedis(1, 10_000),
  fee: inCedis(0, 100),
  unapproved: inCedis(0, 100_000),
  holdNights: z
    .number({ error: 'Enter a number of nights.' })
    .check(z.refine((nights) => Number.isInteger(nights) && nights >= 0 && nights <= 14, { error: 'Enter 0 to 14 nights.' })),
  byHand: z.boolean({ error: 'Say yes or no: byHand.' }),
  /** How long a number waits that is confirmed soon after the account's phone, e-mail address or password was changed. */
  numberHoldHours: z
    .number({ error: 'Enter a number of hours.' })
    .check(z.refine((hours) => Number.isInteger(hours) && hours >= 0 && hours <= 168, { error: 'Enter 0 to 168 hours.' })),
})
export type WithdrawalRules = z.output<typeof rules>

const reason = z
  .string({ error: 'Say why, for the agent to read.' })
  .check(tidy(), z.minLength(3, { error: 'Say why, for the agent to read.' }), z.maxLength(200, { error: 'Use at most 200 characters.' }))

export const staffWithdrawalsQuery = z.extend(listQuery, {
  open: z.optional(z.literal('true', { error: 'Send open=true, or leave it out.' })),
})

export const withdrawalEndpoints = endpoints({
  'GET /earnings': {
    id: 'readEarnings',
    tag: 'agent-shops',
    summary: 'What the own shop has earned and what of it can be withdrawn',
    access: 'signed-in',
    reply: z.object({ earnings: z.nullable(earnings) }),
  },
  'GET /earnings/movements': {
    id: 'listEarningsMovements',
    tag: 'agent-shops',
    summary: 'Every movement of the own earnings, newest first',
    access: 'signed-in',
    query: pageQuery,
    reply: z.array(movement),
    list: true,
  },
  'GET /earnings/withdrawals': {
    id: 'listOwnWithdrawals',
    tag: 'agent-shops',
    summary: 'Own withdrawals, newest first',
    access: 'signed-in',
    query: pageQuery,
    reply: z.array(withdrawal),
    list: true,
  },
  'POST /earnings/withdrawals': {
    id: 'requestWithdrawal',
    tag: 'agent-shops',
    summary: 'Withdraw earnings to a mobile money number; the same key never withdraws twice',
    access: 'signed-in',
    headers: z.object({ [IDEMPOTENCY_KEY_HEADER]: idempotencyKey, ...pinProofHeader }),
    body: withdrawalRequest,
    reply: withdrawalReply,
    errors: ['PIN_REQUIRED', 'NOT_FOUND', 'INSUFFICIENT_BALANCE', 'CONFLICT', 'KEY_REUSED'],
  },
  'POST /earnings/payout-numbers/code': {
    id: 'sendPayoutCode',
    tag: 'agent-shops',
    summary:
      'Send a code by SMS to a number that earnings shall go to. Asked for again at once, it sends nothing and says how long to wait',
    access: 'signed-in',
    body: z.object({ phoneNumber: phone }),
    reply: codeSent,
    errors: ['NOT_FOUND', 'CONFLICT', 'PASSWORD_NEEDED'],
  },
  'POST /earnings/payout-numbers': {
    id: 'confirmPayoutNumber',
    tag: 'agent-shops',
    summary: 'Confirm a number for the own earnings by the code that was sent to it; the account is told',
    access: 'signed-in',
    body: z.object({ phoneNumber: phone, code: numberCode }),
    reply: z.object({ number: payoutNumber }),
    errors: ['NOT_FOUND', 'CONFLICT'],
  },
  'POST /earnings/payout-numbers/remove': {
    id: 'removePayoutNumber',
    tag: 'agent-shops',
    summary: 'Remove a number that own earnings went to, or that was confirmed: a person looks before money goes there again',
    access: 'signed-in',
    body: z.object({ phoneNumber: phone }),
    reply: messageReply,
    errors: ['NOT_FOUND'],
  },
  'PUT /earnings/withdrawals/:id/cancel': {
    id: 'cancelWithdrawal',
    tag: 'agent-shops',
    summary: 'Take back an own withdrawal that waits for approval and was never sent',
    access: 'signed-in',
    params: idParam('withdrawal'),
    reply: withdrawalReply,
    errors: ['NOT_FOUND', 'ALREADY_DECIDED'],
  },
  'GET /withdrawals': {
    id: 'listWithdrawals',
    tag: 'agent-shops',
    summary: "Agents' withdrawals: those that are not ended, the longest waiting first, or all, newest first",
    access: 'finance',
    query: staffWithdrawalsQuery,
    reply: z.array(staffWithdrawal),
    list: true,
  },
  'PUT /withdrawals/:id/approve': {
    id: 'approveWithdrawal',
    tag: 'agent-shops',
    summary: 'Let a waiting withdrawal go out through the provider, under the reference that it always had',
    access: 'finance',
    params: idParam('withdrawal'),
    reply: staffReply,
    errors: ['NOT_FOUND', 'ALREADY_DECIDED', 'CONFLICT'],
  },
  'PUT /withdrawals/:id/pay-by-hand': {
    id: 'recordWithdrawalPaid',
    tag: 'agent-shops',
    summary: 'Say that a waiting withdrawal was paid from a phone; `transactionId` is that of the network',
    access: 'finance',
    params: idParam('withdrawal'),
    body: z.object({
      transactionId: z
        .string({ error: 'Enter the transaction id.' })
        .check(tidy(), z.regex(/^[A-Za-z0-9.-]{4,40}$/, { error: 'Enter the transaction id from the message of the network.' })),
    }),
    reply: staffReply,
    errors: ['NOT_FOUND', 'ALREADY_DECIDED', 'CONFLICT'],
  },
  'PUT /withdrawals/:id/decline': {
    id: 'declineWithdrawal',
    tag: 'agent-shops',
    summary: 'Decline a waiting withdrawal; its money goes back to the earnings',
    access: 'finance',
    params: idParam('withdrawal'),
    body: z.object({ reason }),
    reply: staffReply,
    errors: ['NOT_FOUND', 'ALREADY_DECIDED', 'CONFLICT'],
  },
  'PUT /withdrawals/:id/check': {
    id: 'checkWithdrawal',
    tag: 'agent-shops',
    summary: 'Ask the provider now what became of a withdrawal',
    access: 'finance',
    params: idParam('withdrawal'),
    reply: staffReply,
    errors: ['NOT_FOUND'],
  },
  'GET /withdrawals/rules': {
    id: 'readWithdrawalRules',
    tag: 'agent-shops',
    summary: 'The rules for withdrawals, and whether the provider pays out',
    access: 'finance',
    reply: z.object({ rules, available: z.boolean() }),
  },
  'PUT /withdrawals/rules': {
    id: 'changeWithdrawalRules',
    tag: 'agent-shops',
    summary: 'Change the rules for withdrawals; what is not sent stays as it is',
    access: 'owner',
    body: z.partial(rules),
    reply: z.object({ rules, available: z.boolean() }),
  },
})
