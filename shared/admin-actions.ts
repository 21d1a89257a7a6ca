import * as z from 'zod/mini'
import { endpoints } from './endpoint.ts'
import { listQuery } from './lists.ts'

/** The state before or after, by field name; amounts in cedis under `balance`, `amount`, `priceCustomer`, `priceAgent`. */
const facts = z.nullable(z.record(z.string(), z.unknown()))

/** `GET /admin/actions`: one action of an admin, newest first. `createdAt` is an ISO time. */
export const adminAction = z.object({
  _id: z.string(),
  /** The admin's username; null for actions of the shop itself. */
  actor: z.nullable(z.string()),
  /** Noun and verb, such as `order.completed`, `wallet.credit`, `user.level`. */
  action: z.string(),
  subjectType: z.string(),
  subjectId: z.string(),
  /** A readable name of the subject: a username, an order's id with its network and offer, a product's network. */
  subject: z.string(),
  before: facts,
  after: facts,
  note: z.string(),
  ip: z.nullable(z.string()),
  createdAt: z.string(),
})
export type AdminAction = z.output<typeof adminAction>

const day = (message: string) => z.optional(z.string().check(z.regex(/^20\d\d-[01]\d-[0-3]\d$/, { error: message })))

/** `from` and `to` are days in Ghana (UTC), both included. A search of digits alone also finds an order by its number. */
export const activityQuery = z.extend(listQuery, { from: day('Choose the first day.'), to: day('Choose the last day.') })

export const activityEndpoints = endpoints({
  'GET /admin/actions': {
    id: 'listAdminActions',
    tag: 'admin',
    summary: 'Who did what as an admin, newest first',
    access: 'owner',
    query: activityQuery,
    reply: z.array(adminAction),
    list: true,
  },
})
