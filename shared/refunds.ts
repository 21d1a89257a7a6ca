import * as z from 'zod/mini'
import { endpoints, idParam, messageReply } from './endpoint.ts'
import { tidy } from './fields.ts'
import { listQuery } from './lists.ts'
import { SEES_WALLETS } from './staff-rules.ts'
import { pinProofHeader } from './transaction-pin.ts'

const code = z
  .string({ error: 'Type the code.' })
  .check(tidy(), z.regex(/^[A-Za-z0-9 -]{12,20}$/, { error: 'A code has 12 letters and digits, like K7WP-2MXR-9TQA.' }))

/**
 * `due` is sent next, `review` waits for a person since the provider does not have it. `accepted` is with the provider, `unknown` is asked
 * about. `code` waits for the guest to use their code, `claimed` has been put into a wallet by it. `wallet`: a
 * customer's, which did not go, is in their wallet again. `returned`: the guest's bank or the provider gave it back in another way.
 */
export const REFUND_STATUSES = ['due', 'sending', 'accepted', 'unknown', 'review', 'paid', 'code', 'claimed', 'wallet', 'returned'] as const
export type GuestRefundStatus = (typeof REFUND_STATUSES)[number]

/** What a list of refunds may be of: those for a person to decide, those that the provider has, those with a code, and those that ended. */
export const REFUND_LISTS = ['waiting', 'on-the-way', 'codes', 'ended', 'all'] as const
export type RefundList = (typeof REFUND_LISTS)[number]

/** A refund as staff see it, in cedis: of a guest of `shop`, or of the customer named. `provider` is what the provider said last. */
const staffRefund = z.object({
  _id: z.string(),
  status: z.enum(REFUND_STATUSES),
  amount: z.number(),
  phone: z.string(),
  reason: z.string(),
  order: z.nullable(z.object({ number: z.string(), network: z.string(), offer: z.string() })),
  shop: z.nullable(z.string()),
  customer: z.nullable(z.string()),
  paymentReference: z.string(),
  provider: z.nullable(z.string()),
  disputed: z.boolean(),
  wasSent: z.boolean(),
  transactionId: z.nullable(z.string()),
  decidedBy: z.nullable(z.string()),
  claimedBy: z.nullable(z.string()),
  codeSentAt: z.nullable(z.string()),
  createdAt: z.string(),
  endedAt: z.nullable(z.string()),
})
export type StaffRefund = z.output<typeof staffRefund>
const staffReply = z.object({ refund: staffRefund })

/**
 * What may become of an order's refund, in cedis. `offered`: it is in the wallet and may be sent back the way it was paid; `kept`: it stays
 * there, and `why` says so in words for the customer. `checking`: the provider gave no clear answer and is asked. `returned`: it did not go
 * and is in the wallet again. `byHand`: the shop sent it by mobile money.
 */
const refundToSource = z.object({
  amount: z.number(),
  state: z.enum(['offered', 'kept', 'on-its-way', 'checking', 'paid', 'returned']),
  why: z.nullable(z.string()),
  byHand: z.boolean(),
  requestedAt: z.nullable(z.string()),
  endedAt: z.nullable(z.string()),
})
export type RefundToSource = z.output<typeof refundToSource>

export const refundEndpoints = endpoints({
  'GET /order/:id/refund-to-source': {
    id: 'readRefundToSource',
    tag: 'orders',
    summary: "Whether the refund of one's own order, which was paid by card or mobile money, can go back that way, and how far it is",
    access: 'signed-in',
    params: idParam('order'),
    reply: z.object({ refund: refundToSource }),
    errors: ['NOT_FOUND'],
  },
  'POST /order/:id/refund-to-source': {
    id: 'requestRefundToSource',
    tag: 'orders',
    summary: "Take the refund of one's own order from the wallet and send it back to the card or phone that paid; once for each order",
    access: 'signed-in',
    params: idParam('order'),
    headers: z.object(pinProofHeader),
    reply: z.object({ refund: refundToSource, balance: z.number() }),
    errors: ['PIN_REQUIRED', 'NOT_FOUND', 'CONFLICT', 'INSUFFICIENT_BALANCE'],
  },
  'POST /shops/payment/:reference/refund-codes': {
    id: 'showRefundCodes',
    tag: 'agent-shops',
    summary:
      'Show a guest, in the browser that paid, codes for what could not go back the way it came; each refund is paid once, whichever code of it is used',
    access: 'anyone',
    params: z.object({ reference: z.string().check(z.regex(/^[A-Za-z0-9]{16,24}$/, { error: 'That payment does not exist.' })) }),
    reply: z.object({ codes: z.array(z.object({ amount: z.number(), code: z.string() })) }),
    errors: ['NOT_FOUND', 'CONFLICT'],
  },
  'POST /refund-codes': {
    id: 'claimRefund',
    tag: 'wallet',
    summary: "Put a guest's refund into one's own wallet by its code, once",
    access: 'signed-in',
    body: z.object({ code }),
    reply: z.object({ amount: z.number(), balance: z.number() }),
    errors: ['NOT_FOUND', 'CONFLICT'],
  },
  'POST /shops/order/:reference/refund-code': {
    id: 'sendOwnRefundCode',
    tag: 'agent-shops',
    summary: "Send the code of a guest's refund to the number that paid, by SMS",
    access: 'anyone',
    params: z.object({ reference: z.string().check(z.regex(/^[A-Za-z0-9]{16,24}$/, { error: 'That order does not exist.' })) }),
    reply: messageReply,
    errors: ['NOT_FOUND', 'CONFLICT'],
  },
  'GET /refunds': {
    id: 'listRefunds',
    tag: 'wallet',
    summary:
      "Refunds to the card or phone that paid, guests' and customers': those to decide and on the way the longest waiting first, the others newest first",
    access: SEES_WALLETS,
    query: z.extend(listQuery, {
      list: z._default(z.enum(REFUND_LISTS, { error: `Choose one of ${REFUND_LISTS.join(', ')}.` }), 'waiting'),
    }),
    reply: z.array(staffRefund),
    list: true,
  },
  'PUT /refunds/:id/check': {
    id: 'checkRefund',
    tag: 'wallet',
    summary: "Ask the provider now what became of a guest's refund",
    access: 'finance',
    params: idParam('refund'),
    reply: staffReply,
    errors: ['NOT_FOUND', 'CONFLICT'],
  },
  'PUT /refunds/:id/send-again': {
    id: 'sendRefundAgain',
    tag: 'wallet',
    summary: 'Send a refund again that the provider has said twice it does not have; it is asked once more before',
    access: 'finance',
    params: idParam('refund'),
    reply: staffReply,
    errors: ['NOT_FOUND', 'CONFLICT'],
  },
  'PUT /refunds/:id/code': {
    id: 'turnRefundIntoCode',
    tag: 'wallet',
    summary: "Give a guest a code for a wallet, or put it into the customer's wallet again, instead of sending it back the way it came",
    access: 'finance',
    params: idParam('refund'),
    reply: staffReply,
    errors: ['NOT_FOUND', 'CONFLICT'],
  },
  'PUT /refunds/:id/pay-by-hand': {
    id: 'recordRefundPaid',
    tag: 'wallet',
    summary: "Say that a refund was paid from the shop's own phone; its codes end. `transactionId` is that of the network",
    access: 'finance',
    params: idParam('refund'),
    body: z.object({
      transactionId: z
        .string({ error: 'Enter the transaction id.' })
        .check(tidy(), z.regex(/^[A-Za-z0-9.-]{4,40}$/, { error: 'Enter the transaction id from the message of the network.' })),
    }),
    reply: staffReply,
    errors: ['NOT_FOUND', 'CONFLICT'],
  },
  'PUT /refunds/:id/send-code': {
    id: 'sendRefundCode',
    tag: 'wallet',
    summary: "Send the code of a guest's refund to the number that paid, by SMS",
    access: SEES_WALLETS,
    params: idParam('refund'),
    reply: staffReply,
    errors: ['NOT_FOUND', 'CONFLICT'],
  },
})
