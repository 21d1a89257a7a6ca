import * as z from 'zod/mini'
import { endpoints, idParam, messageReply } from './endpoint.ts'
import { cedis, orAsText, tidy } from './fields.ts'
import { IDEMPOTENCY_KEY_HEADER } from './limits.ts'
import { listQuery } from './lists.ts'
import { NOT_AN_AMOUNT } from './money.ts'
import { idempotencyKey } from './orders.ts'

/**
 * `PUT /user/balance`: credits a chosen user's wallet, or debits it when negative, with a note for the other admins. The customer
 * reads the note of a debit; that of a credit only with `showNote`. A negative amount for oneself, without note and key, sets money aside.
 */
export const changeBalanceRequest = z.object({
  chosenId: z.uuid({ error: 'Choose a user from the list.' }),
  amount: orAsText(cedis.check(z.refine((value) => value !== 0, { error: 'The amount cannot be zero.' })), NOT_AN_AMOUNT),
  note: z.optional(z.string().check(tidy(), z.maxLength(200, { error: 'The note must be at most 200 characters long.' }))),
  showNote: z.optional(z.boolean({ error: 'Say yes or no: show the note to the customer.' })),
})
export type ChangeBalanceRequest = z.output<typeof changeBalanceRequest>

const balanceReply = z.object({ balance: z.number() })

/** A debit of one's wallet by the shop: `amount` in cedis, `note` the reason given, `at` an ISO time. */
export const shopDebit = z.object({ id: z.string(), amount: z.number(), note: z.string(), at: z.string() })
export type ShopDebit = z.output<typeof shopDebit>

/** Dismisses the debit with this id and all older ones. */
const dismissDebitsRequest = z.object({
  id: z.string({ error: 'Say which debit.' }).check(z.regex(/^[0-9]{1,18}$/, { error: 'That debit does not exist.' })),
})

const STATEMENT_KINDS = [
  'Order',
  'Refund',
  'Sent back',
  'Recharge',
  'Mobile money',
  'Card payment',
  'Top-up',
  'Top-up on hold',
  'Top-up released',
  'Card surcharge',
  'Card refund',
  'Card dispute',
  'Overpaid agent upgrade',
  'Referral reward',
  'Set aside',
  'Back from set aside',
  'Credit by the shop',
  'Debit by the shop',
] as const

/** One movement of a wallet, in cedis. `id` is unique, and `balance` is the wallet's right after the movement. */
const statementLine = z.object({
  id: z.string(),
  createdAt: z.string(),
  kind: z.enum(STATEMENT_KINDS),
  /** The number of the order or the recharge, or the card payment's reference; null for what the shop credits or debits. */
  reference: z.nullable(z.string()),
  /** Such as "MTN 1GB to 0551234567". For what the shop credits or debits, its note where the customer may read it. */
  details: z.nullable(z.string()),
  /** Above zero for what came in, below for what went out. */
  amount: z.number(),
  balance: z.number(),
})
export type StatementLine = z.output<typeof statementLine>

/** A movement as staff see it: `details` with what was noted for them, `by` whoever moved money by hand. */
export const movement = z.extend(statementLine, {
  by: z.nullable(z.string()),
  /** It takes back a credit. */
  isUndo: z.boolean(),
  /** The order's `_id`, where it is about one. */
  orderId: z.nullable(z.string()),
})
export type Movement = z.output<typeof movement>

/** `month` is YYYY-MM. A search looks in all that a line shows. */
export const statementQuery = z.extend(listQuery, {
  month: z.optional(z.string().check(z.regex(/^20\d\d-(?:0[1-9]|1[0-2])$/, { error: 'Choose a month, such as 2026-11.' }))),
})

/** A credit, top-up or (below zero) debit in cedis that waits for a second person. `hash` names exactly this; `mine` is the caller's own. */
const approval = z.object({
  _id: z.string(),
  hash: z.string(),
  userId: z.string(),
  username: z.string(),
  amount: z.number(),
  note: z.string(),
  /** Set for a top-up, which is approved where it stands: the payment if one was read, or else the recharge. */
  topUp: z.nullable(z.object({ rechargeId: z.nullable(z.string()), paymentId: z.nullable(z.string()) })),
  /** Set for a debit that takes a payment back, or undoes the credit of a journal entry. It is approved there. */
  undo: z.nullable(z.object({ paymentId: z.nullable(z.string()), entryId: z.nullable(z.string()) })),
  /** Set for prices: what takes an owner, and when they go live (ISO time; null is at once). `userId` and `username` are then the proposer's. */
  prices: z.nullable(z.object({ says: z.array(z.string()), liveAt: z.nullable(z.string()) })),
  proposedBy: z.string(),
  mine: z.boolean(),
  proposedAt: z.string(),
  expiresAt: z.string(),
})
export type Approval = z.output<typeof approval>

export const walletEndpoints = endpoints({
  'PUT /user/balance': {
    id: 'changeBalance',
    tag: 'wallet',
    summary: "Credit or debit a user's wallet; set money of one's own aside for the next order",
    description: `For \`finance\`: credits (above zero) or debits the wallet of \`chosenId\`.

For anybody signed in: a negative amount for oneself, without a note and without an Idempotency-Key, sets the money aside. The next
\`POST /order/create\` gets all of it back before it pays, and so does whatever else needs the wallet's money. What is left returns to the wallet
after two minutes. Above zero, or for somebody else: 403.`,
    access: 'signed-in',
    headers: z.object({ [IDEMPOTENCY_KEY_HEADER]: z.optional(idempotencyKey) }),
    body: changeBalanceRequest,
    reply: balanceReply,
    errors: [
      'INSUFFICIENT_BALANCE',
      'NOT_FOUND',
      'KEY_REUSED',
      'CONFLICT',
      'SECOND_PERSON_NEEDED',
      'SECOND_FACTOR_NEEDED',
      'PASSWORD_NEEDED',
      'PURCHASES_PAUSED',
      'FORBIDDEN',
    ],
  },
  'GET /admin/approvals': {
    id: 'listApprovals',
    tag: 'wallet',
    summary: 'Credits, top-ups and debits that wait for a second person, newest first, at most 100',
    access: 'finance',
    reply: z.object({ approvals: z.array(approval) }),
  },
  'POST /admin/approvals/:id/approve': {
    id: 'approveBalanceChange',
    tag: 'wallet',
    summary: 'Carry out what somebody else proposed, once',
    access: 'finance',
    params: idParam('proposal'),
    body: z.object({ hash: z.string({ error: 'Say what you saw.' }).check(z.maxLength(64)) }),
    reply: balanceReply,
    errors: ['INSUFFICIENT_BALANCE', 'NOT_FOUND', 'ALREADY_DECIDED', 'CONFLICT'],
  },
  'POST /admin/approvals/:id/decline': {
    id: 'declineBalanceChange',
    tag: 'wallet',
    summary: 'End a proposal without moving money',
    access: 'finance',
    params: idParam('proposal'),
    reply: messageReply,
    errors: ['NOT_FOUND', 'ALREADY_DECIDED'],
  },
  'GET /wallet/statement': {
    id: 'listStatement',
    tag: 'wallet',
    summary: "Every movement of one's own wallet, newest first, each with the balance after it",
    access: 'signed-in',
    query: statementQuery,
    reply: z.array(statementLine),
    list: true,
  },
  'GET /user/debits': {
    id: 'listShopDebits',
    tag: 'wallet',
    summary: "What the shop took from one's wallet and one has not dismissed, newest first",
    access: 'signed-in',
    reply: z.array(shopDebit),
  },
  'POST /user/debits/dismiss': {
    id: 'dismissShopDebits',
    tag: 'wallet',
    summary: "Dismiss the explanation of the shop's debits up to one of them",
    access: 'signed-in',
    body: dismissDebitsRequest,
    reply: messageReply,
    errors: ['NOT_FOUND'],
  },
})
