import * as z from 'zod/mini'
import { endpoints, idParam } from './endpoint.ts'
import { tidy } from './fields.ts'
import { order, REPORT_STATUSES } from './orders.ts'
import { RECHARGE_STATUSES } from './recharges.ts'
import { SEES_ORDERS, SEES_WALLETS } from './staff-rules.ts'
import { USER_LEVELS, USER_STATUSES } from './users.ts'
import { movement } from './wallet.ts'

/** How many customers, orders or movements one page holds. */
export const CUSTOMER_PAGE = 20

/** Where the next page begins: what the last reply gave as `next`. */
const before = z.optional(z.string().check(z.regex(/^[0-9]{1,18}(?:-[0-9]{1,5})?$/, { error: 'Start from the list’s first page.' })))
const next = z.nullable(z.string())

const customerQuery = z.object({
  search: z.optional(
    z.string().check(
      tidy(),
      z.maxLength(100, { error: 'Search with at most 100 characters.' }),
      z.refine((text) => !text.includes('\0'), { error: 'That text holds characters that cannot be searched for.' }),
    ),
  ),
  before,
})
const pageQuery = z.object({ before })

/** `balance` and `totalPurchase` in cedis; null for staff who don't see wallets. */
const customerLine = z.object({
  _id: z.string(),
  username: z.string(),
  phone: z.string(),
  userLevel: z.enum(USER_LEVELS),
  status: z.enum(USER_STATUSES),
  balance: z.nullable(z.number()),
  /** Why a search found them, when it is not by name or number: "Bought order 10265", "E-mail ama@example.com". */
  found: z.nullable(z.string()),
})
export type CustomerLine = z.output<typeof customerLine>

const customerNote = z.object({
  _id: z.string(),
  text: z.string(),
  by: z.string(),
  at: z.string(),
  /** Written by the caller, who may delete it. */
  mine: z.boolean(),
})

/** One signed-in browser. `device` in words, null when it began before devices were noted. */
const customerSession = z.object({ _id: z.string(), device: z.nullable(z.string()), startedAt: z.string(), lastUsedAt: z.string() })

/** The newest credit by hand of the last day that still stands. `entry` names it for undoing; `by` is null for the shop itself. */
const lastCredit = z.object({ entry: z.string(), amount: z.number(), by: z.nullable(z.string()), mine: z.boolean(), at: z.string() })

/** One customer in full. What is in a wallet is null for staff who don't see wallets. */
export const customer = z.object({
  _id: z.string(),
  username: z.string(),
  phone: z.string(),
  email: z.string(),
  userLevel: z.enum(USER_LEVELS),
  status: z.enum(USER_STATUSES),
  createdAt: z.string(),
  wallet: z.nullable(
    z.object({ balance: z.number(), balanceVersion: z.number(), totalPurchase: z.number(), lastCredit: z.nullable(lastCredit) }),
  ),
  /** Today's orders (UTC) that were not rejected; `amount` in cedis. */
  today: z.object({ orders: z.number(), amount: z.number() }),
  waitingTopUps: z.number(),
  openReports: z.number(),
  notes: z.array(customerNote),
  sessions: z.array(customerSession),
})
export type Customer = z.output<typeof customer>

/** A top-up request of one customer. `amount` in cedis; null for staff who don't see wallets. */
const customerRecharge = z.object({
  _id: z.string(),
  rechargeId: z.string(),
  amount: z.nullable(z.number()),
  status: z.enum(RECHARGE_STATUSES),
  createdAt: z.string(),
  declineReason: z.nullable(z.string()),
})
export type CustomerRecharge = z.output<typeof customerRecharge>

const customerReport = z.object({
  _id: z.string(),
  /** The order's `_id`, number, and what it was. */
  orderId: z.string(),
  number: z.string(),
  network: z.string(),
  offer: z.string(),
  receiver: z.string(),
  status: z.enum(REPORT_STATUSES),
  openedAt: z.string(),
})
export type CustomerReport = z.output<typeof customerReport>

const noteRequest = z.object({
  text: z
    .string({ error: 'Write the note.' })
    .check(
      tidy(),
      z.minLength(1, { error: 'Write the note.' }),
      z.maxLength(500, { error: 'The note must be at most 500 characters long.' }),
    ),
})
const customerReply = z.object({ customer })

export const customerEndpoints = endpoints({
  'GET /admin/customers': {
    id: 'listCustomers',
    tag: 'admin',
    summary: 'Customers by name, number, e-mail, order, reference, receiver or top-up, newest first',
    access: SEES_ORDERS,
    query: customerQuery,
    /** `total` counts everybody; null for a search. */
    reply: z.object({ customers: z.array(customerLine), total: z.nullable(z.number()), next }),
  },
  'GET /admin/customers/:id': {
    id: 'readCustomer',
    tag: 'admin',
    summary: 'One customer: wallet, today, notes and sessions',
    access: SEES_ORDERS,
    params: idParam('customer'),
    reply: customerReply,
    errors: ['NOT_FOUND'],
  },
  'GET /admin/customers/:id/statement': {
    id: 'listCustomerStatement',
    tag: 'admin',
    summary: "Every movement of a customer's wallet, newest first, each with the balance after it",
    access: SEES_WALLETS,
    params: idParam('customer'),
    query: pageQuery,
    reply: z.object({ lines: z.array(movement), next }),
    errors: ['NOT_FOUND'],
  },
  'GET /admin/customers/:id/orders': {
    id: 'listCustomerOrders',
    tag: 'admin',
    summary: "A customer's orders, newest first",
    access: SEES_ORDERS,
    params: idParam('customer'),
    query: pageQuery,
    reply: z.object({ orders: z.array(order), next }),
    errors: ['NOT_FOUND'],
  },
  'GET /admin/customers/:id/recharges': {
    id: 'listCustomerRecharges',
    tag: 'admin',
    summary: "A customer's top-up requests, newest first",
    access: SEES_ORDERS,
    params: idParam('customer'),
    query: pageQuery,
    reply: z.object({ recharges: z.array(customerRecharge), next }),
    errors: ['NOT_FOUND'],
  },
  'GET /admin/customers/:id/reports': {
    id: 'listCustomerReports',
    tag: 'admin',
    summary: "A customer's reports, newest first",
    access: SEES_ORDERS,
    params: idParam('customer'),
    query: pageQuery,
    reply: z.object({ reports: z.array(customerReport), next }),
    errors: ['NOT_FOUND'],
  },
  'POST /admin/customers/:id/credit/undo': {
    id: 'undoCredit',
    tag: 'admin',
    summary: 'Take back a credit by hand, once, as far as it has not been spent',
    access: 'finance',
    params: idParam('customer'),
    body: z.object({
      entry: z.string({ error: 'Say which credit.' }).check(z.regex(/^[0-9]{1,18}$/, { error: 'That credit does not exist.' })),
    }),
    reply: customerReply,
    errors: ['NOT_FOUND', 'ALREADY_DECIDED', 'INSUFFICIENT_BALANCE', 'SECOND_PERSON_NEEDED'],
  },
  'POST /admin/customers/:id/sessions/end': {
    id: 'endCustomerSessions',
    tag: 'admin',
    summary: "End one of a customer's sessions, or all",
    access: 'support',
    params: idParam('customer'),
    body: z.object({ session: z.optional(z.string().check(z.regex(/^[0-9a-f]{24}$/, { error: 'That session does not exist.' }))) }),
    reply: customerReply,
    errors: ['NOT_FOUND', 'CONFLICT'],
  },
  'POST /admin/customers/:id/notes': {
    id: 'addCustomerNote',
    tag: 'admin',
    summary: 'Note something about a customer for the team',
    access: SEES_ORDERS,
    params: idParam('customer'),
    body: noteRequest,
    reply: customerReply,
    errors: ['NOT_FOUND'],
  },
  'DELETE /admin/customers/:id/notes/:note': {
    id: 'deleteCustomerNote',
    tag: 'admin',
    summary: "Delete one's own note",
    access: SEES_ORDERS,
    params: z.extend(idParam('customer'), { note: z.string().check(z.regex(/^[0-9]{1,18}$/, { error: 'That note does not exist.' })) }),
    reply: customerReply,
    errors: ['NOT_FOUND'],
  },
})
