import * as z from 'zod/mini'
import { endpoints, idParam } from './endpoint.ts'
import { positiveCedis, tidy } from './fields.ts'
import { listQuery } from './lists.ts'
import { MOMO_NETWORKS, NOT_COUNTED_KINDS } from './message-formats.ts'
import { STATEMENT_WORDS, type StatementRole } from './readers/heading-words.ts'
import { MOST_STATEMENT_ROWS } from './received-payment-rules.ts'

/** The most that is read at once. */
export const MOST_MESSAGES = 1_000
const MOST_CHARACTERS = 400_000

/** In what a payment and the request that it is for agree. */
export const AGREEMENTS = ['amount', 'reference', 'number', 'name', 'only request'] as const
export type Agreement = (typeof AGREEMENTS)[number]

/** A request as it stands beside a payment. `amount` in cedis. */
const matchedRequest = z.object({
  _id: z.string(),
  rechargeId: z.string(),
  amount: z.number(),
  status: z.enum(['pending', 'approved', 'declined']),
  createdAt: z.string(),
  user: z.object({ _id: z.string(), username: z.string(), phone: z.string() }),
})

/** Mobile money that came in. `amount` in cedis; `sentAt` is the network's time, null where the message has none. */
const receivedPayment = z.object({
  _id: z.string(),
  network: z.enum(MOMO_NETWORKS),
  transactionId: z.string(),
  amount: z.number(),
  payerName: z.nullable(z.string()),
  payerPhone: z.nullable(z.string()),
  reference: z.nullable(z.string()),
  sentAt: z.nullable(z.string()),
  receivedAt: z.string(),
  receivedBy: z.string(),
  raw: z.string(),
})
export type ReceivedPayment = z.output<typeof receivedPayment>

/**
 * A payment that waits, with the request that it is probably for. `reasons` are sentences that say what does not agree; `does` is
 * what crediting it means: approve the request, reopen a declined one first, only note that an approved one was for this payment,
 * or, without a request, credit a customer.
 */
const match = z.object({
  payment: receivedPayment,
  request: z.nullable(matchedRequest),
  agrees: z.array(z.enum(AGREEMENTS)),
  reasons: z.array(z.string()),
  does: z.enum(['approve', 'reopen', 'note', 'choose']),
  /** Customers who say, by its transaction id, that it is theirs. */
  claims: z.array(z.object({ user: z.object({ _id: z.string(), username: z.string(), phone: z.string() }), at: z.string() })),
})
export type Match = z.output<typeof match>

/** A credited payment that a later message calls into question. */
const questioned = z.object({ payment: receivedPayment, username: z.string(), creditedAt: z.string(), reason: z.string() })
export type QuestionedPayment = z.output<typeof questioned>

const matches = z.object({
  certain: z.array(match),
  doubtful: z.array(match),
  unmatched: z.array(match),
  /** Unmatched ones that somebody put aside for later. */
  kept: z.array(match),
  questioned: z.array(questioned),
  /** Pending requests, also those without a payment, and the oldest of them. */
  requests: z.object({ count: z.number(), amount: z.number(), oldestAt: z.nullable(z.string()) }),
})
export type Matches = z.output<typeof matches>

/** A message or row that adds nothing to a wallet, and why, as a sentence. `amount` in cedis. */
const notCounted = z.object({
  kind: z.enum(NOT_COUNTED_KINDS),
  amount: z.nullable(z.number()),
  transactionId: z.nullable(z.string()),
  /** How the message begins. */
  text: z.string(),
  says: z.string(),
})
export type NotCountedMessage = z.output<typeof notCounted>

/** What became of everything that was read. */
const readReply = z.object({
  read: z.number(),
  certain: z.number(),
  doubtful: z.number(),
  unmatched: z.number(),
  notCounted: z.array(notCounted),
})
export type ReadReply = z.output<typeof readReply>

const ROWS = { error: `Send 1 to ${MOST_STATEMENT_ROWS.toLocaleString('en')} rows.` }
const cells = z
  .array(z.string().check(z.maxLength(1_000, { error: 'A cell is too long.' })))
  .check(z.maxLength(100, { error: 'There are too many columns.' }))
const place = z.optional(z.int().check(z.minimum(0), z.maximum(99)))

/** A statement's cells as they came, the column of each role from 0, and what a person answered about its words. The shop reads them. */
const statementRequest = z.object({
  network: z.enum(MOMO_NETWORKS, { error: 'Choose a network from the list.' }),
  headings: cells,
  rows: z.array(cells, ROWS).check(z.minLength(1, ROWS), z.maxLength(MOST_STATEMENT_ROWS, ROWS)),
  columns: z.object(
    Object.fromEntries((Object.keys(STATEMENT_WORDS) as StatementRole[]).map((role) => [role, place])) as Record<
      StatementRole,
      typeof place
    >,
  ),
  answers: z.optional(z.record(z.string().check(z.maxLength(400)), z.string().check(z.maxLength(20)))),
})
export type StatementRequest = z.output<typeof statementRequest>

const ONE_WAY = 'Say which request or which customer it is for.'
const creditRequest = z.object({
  /** What the screen showed, in cedis: it is only compared. */
  amount: positiveCedis,
  rechargeId: z.optional(z.uuid({ error: ONE_WAY })),
  userId: z.optional(z.uuid({ error: ONE_WAY })),
})
export type CreditPaymentRequest = z.output<typeof creditRequest>

const SET_ASIDE = ['not-this-request', 'keep', 'dismiss', 'bring-back'] as const
const setAsideRequest = z.object({
  how: z.enum(SET_ASIDE, { error: 'Say what to do with it.' }),
  /** The request that it is not for. */
  rechargeId: z.optional(z.uuid({ error: 'That recharge does not exist.' })),
})
export type SetAsideRequest = z.output<typeof setAsideRequest>

const approveRequest = z.object({
  matches: z
    .array(z.object({ paymentId: z.uuid(), rechargeId: z.uuid(), amount: positiveCedis }))
    .check(z.minLength(1, { error: 'Choose at least one.' }), z.maxLength(200, { error: 'Approve at most 200 at once.' })),
})

const approveReply = z.object({
  credited: z.number(),
  /** The sum of what was credited, in cedis. */
  amount: z.number(),
  /** Those that were not, each with a sentence. */
  refused: z.array(z.object({ paymentId: z.string(), message: z.string() })),
})

/** A payment with what became of it. */
const listedPayment = z.extend(receivedPayment, {
  status: z.enum(['waiting', 'credited', 'dismissed']),
  credit: z.nullable(z.object({ username: z.string(), rechargeId: z.nullable(z.string()), at: z.string(), by: z.string() })),
})
export type ListedPayment = z.output<typeof listedPayment>

const DECIDE_ERRORS = ['NOT_FOUND', 'ALREADY_DECIDED', 'CONFLICT'] as const

export const receivedPaymentEndpoints = endpoints({
  'GET /received-payment': {
    id: 'listReceivedPayments',
    tag: 'recharges',
    summary: 'Mobile money that came in, newest first, with who got it',
    access: 'finance',
    query: listQuery,
    reply: z.array(listedPayment),
    list: true,
  },
  'GET /received-payment/matches': {
    id: 'listMatches',
    tag: 'recharges',
    summary: 'Payments that wait, with the recharge requests that they are for',
    access: 'finance',
    reply: matches,
  },
  'POST /received-payment/messages': {
    id: 'receiveMessages',
    tag: 'recharges',
    summary: 'Read pasted mobile-money messages',
    access: 'finance',
    body: z.object({
      text: z
        .string()
        .check(
          z.minLength(1, { error: 'Paste at least one message.' }),
          z.maxLength(MOST_CHARACTERS, { error: 'Paste fewer messages at once.' }),
        ),
    }),
    reply: readReply,
  },
  'POST /received-payment/statement': {
    id: 'receiveStatement',
    tag: 'recharges',
    summary: 'Read the rows of a mobile-money statement',
    access: 'finance',
    body: statementRequest,
    reply: readReply,
  },
  'POST /received-payment/approve': {
    id: 'approveMatches',
    tag: 'recharges',
    summary: 'Credit certain matches, each once; those that are no longer certain are refused one by one',
    access: 'finance',
    body: approveRequest,
    reply: approveReply,
  },
  'POST /received-payment/:id/credit': {
    id: 'creditPayment',
    tag: 'recharges',
    summary: 'Credit a payment for a request, or to a customer',
    access: 'finance',
    params: idParam('payment'),
    body: creditRequest,
    reply: z.object({ amount: z.number(), username: z.string() }),
    errors: [...DECIDE_ERRORS, 'SECOND_PERSON_NEEDED'],
  },
  'PUT /received-payment/:id/set-aside': {
    id: 'setAsidePayment',
    tag: 'recharges',
    summary: 'Say that a payment is not for a request, keep it for later, or dismiss it',
    access: 'finance',
    params: idParam('payment'),
    body: setAsideRequest,
    reply: z.object({ message: z.string() }),
    errors: DECIDE_ERRORS,
  },
  'POST /received-payment/:id/take-back': {
    id: 'takeBackPayment',
    tag: 'recharges',
    summary: 'Debit a wrongly credited payment, with a reason that the customer reads',
    access: 'finance',
    params: idParam('payment'),
    body: z.object({
      reason: z
        .string({ error: 'Give a reason: the customer reads it.' })
        .check(
          tidy(),
          z.minLength(3, { error: 'Give a reason: the customer reads it.' }),
          z.maxLength(200, { error: 'The reason must be at most 200 characters long.' }),
        ),
    }),
    reply: z.object({ amount: z.number(), username: z.string() }),
    errors: [...DECIDE_ERRORS, 'INSUFFICIENT_BALANCE', 'SECOND_PERSON_NEEDED'],
  },
})
