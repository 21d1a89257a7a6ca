import * as z from 'zod/mini'
import { AFA_REGIONS, afaNameProblem, afaTextProblem, birthDateProblem, ghanaCardProblem, typeGhanaCard } from './afa-rules.ts'
import type { ApiScope } from './api-keys.ts'
import { MAX_BULK_LINES } from './bulk-rules.ts'
import { accepts, phone, tidy } from './fields.ts'
import { NETWORKS } from './networks.ts'
import { ORDER_STATUSES } from './orders.ts'

/** The most orders in one request of `POST /v1/orders/bulk`. */
export const MAX_API_LINES = 100

/** The most orders in one request of `GET /v1/lists/{id}/orders`. */
export const MAX_LIST_PAGE = 1_000

const PRICE = 'Send expected_price as text, like "23.00".'
const LINES = `Send 1 to ${MAX_API_LINES} orders.`
const LIST_LINES = `Send 1 to ${MAX_BULK_LINES} orders.`
const LIST_NAME = 'A name has 1 to 60 characters.'
const CURSOR = 'Send the next_cursor of an earlier reply.'
const STATUS = `The status is ${ORDER_STATUSES.join(', ')}.`

const amount = z
  .string()
  .check(z.regex(/^-?[0-9]+\.[0-9]{2}$/), z.describe('Cedis with two decimals, as text so that no client rounds them.'))
const time = z.iso.datetime()

const CONSENT = 'Send consent: true once the person has agreed that the details are passed on.'
const textOf = (what: string, most: number, problem: (text: string) => string | null) =>
  z.string({ error: `Send the ${what}.` }).check(tidy(), accepts(problem), z.maxLength(most), z.describe(`The ${what}.`))
const afaPerson = z.strictObject({
  full_name: z.string({ error: 'Send the full name.' }).check(tidy(), accepts(afaNameProblem), z.describe('As it stands on the card.')),
  ghana_card: z
    .string({ error: 'Send the number of the Ghana Card.' })
    .check(z.overwrite(typeGhanaCard), accepts(ghanaCardProblem), z.describe('Such as GHA-123456789-0. One card is registered once.')),
  birth_date: z.string({ error: 'Send the date of birth.' }).check(
    accepts((day) => birthDateProblem(day, new Date())),
    z.describe('Such as 1990-05-17.'),
  ),
  region: z.enum(AFA_REGIONS, { error: `The region is one of ${AFA_REGIONS.join(', ')}.` }),
  town: textOf('town or village', 60, afaTextProblem),
  occupation: textOf('occupation', 60, afaTextProblem),
  consent: z
    .literal(true, { error: CONSENT })
    .check(z.describe('The person has agreed that these details are passed on to register them.')),
})

const newLine = z.strictObject({
  network: z.enum(NETWORKS, { error: `The network is one of ${NETWORKS.join(', ')}, as the catalogue spells it.` }),
  offer: z.string().check(z.minLength(1), z.maxLength(100), z.describe('As the catalogue spells it, such as 5GB.')),
  receiver: phone.check(z.describe('Ten digits, such as 0244123456.')),
  expected_price: z
    .string({ error: PRICE })
    .check(
      z.regex(/^[0-9]{1,7}\.[0-9]{2}$/, { error: PRICE }),
      z.describe('The price that you saw. Nothing is charged if it is another by now.'),
    ),
})
/** What is bought with `afa` is never answered or listed: only staff who send it on read it. */
export const newApiOrder = z.strictObject({
  ...newLine.def.shape,
  afa: z.optional(
    afaPerson.check(
      z.describe(
        'Needed for AFA, and only then: whom it registers, with the receiver’s number. It is kept encrypted and never shown again.',
      ),
    ),
  ),
})
const newApiOrders = z.strictObject({
  orders: z
    .array(newApiOrder, { error: LINES })
    .check(z.minLength(1, { error: LINES }), z.maxLength(MAX_API_LINES, { error: LINES }), z.describe('All are bought, or none.')),
})
const newApiList = z.strictObject({
  name: z.optional(
    z
      .string({ error: LIST_NAME })
      .check(
        tidy(),
        z.minLength(1, { error: LIST_NAME }),
        z.maxLength(60, { error: LIST_NAME }),
        z.describe('What you call the list; it is shown under Bulk orders, too.'),
      ),
  ),
  orders: z
    .array(newLine, { error: LIST_LINES })
    .check(
      z.minLength(1, { error: LIST_LINES }),
      z.maxLength(MAX_BULK_LINES, { error: LIST_LINES }),
      z.describe('All are bought, or none. An error names the place of its order here: orders.0 is the first. A list takes no AFA.'),
    ),
})
const cursor = z.optional(
  z.string().check(z.regex(/^[0-9]{1,15}(?:-[0-9]{1,4})?$/, { error: CURSOR }), z.describe('The next_cursor of an earlier reply.')),
)
const pageQuery = z.strictObject({ cursor, limit: limitUpTo(100) })
const listQuery = z.strictObject({
  cursor,
  limit: limitUpTo(MAX_LIST_PAGE),
  status: z.optional(z.enum(ORDER_STATUSES, { error: STATUS }).check(z.describe('Only orders that stand so now.'))),
})
const ownId = z.object({ id: z.string().check(z.maxLength(40)) })

export const apiOrder = z.object({
  id: z.string(),
  status: z
    .enum(ORDER_STATUSES)
    .check(z.describe('pending, completed once the data has arrived, or rejected once the money is back in the wallet.')),
  verifying: z
    .boolean()
    .check(z.describe('While it is pending: the network checks a number that never had such data first, which takes one to six days.')),
  network: z.string(),
  offer: z.string(),
  receiver: z.string(),
  price: amount,
  created_at: time,
  decided_at: z.nullable(time),
})
export type ApiOrder = z.output<typeof apiOrder>
const placed = z.object({ ...apiOrder.def.shape, balance: amount })
const movement = z.object({
  kind: z.string(),
  details: z.string(),
  reference: z.nullable(z.string()),
  order_id: z.nullable(z.string()).check(z.describe('The order that was paid for or refunded.')),
  amount,
  balance_after: amount,
  created_at: time,
})
const apiList = z.object({
  id: z.string(),
  name: z.string(),
  orders: z.int().check(z.describe('How many orders it has.')),
  pending: z.int(),
  completed: z.int(),
  rejected: z.int(),
  total: amount.check(z.describe('What was paid for it, in cedis.')),
  refunded: amount.check(z.describe('What of it is back in the wallet.')),
  created_at: time,
})
export type ApiList = z.output<typeof apiList>
const listedOrder = z.object({
  line: z.int().check(z.describe('Its place in the request, from 1.')),
  ...apiOrder.def.shape,
})
const apiChecker = z.object({
  name: z.string(),
  serial: z.string(),
  pin: z.string(),
  portal: z.string().check(z.describe('Where it is used.')),
  replaced: z.boolean().check(z.describe('It was faulty; another one in the list works instead.')),
})
const nextCursor = z.nullable(z.string())

/* @__NO_SIDE_EFFECTS__ */
function limitUpTo(most: number) {
  const error = `The limit is a whole number from 1 to ${most}.`
  return z.optional(z.coerce.number({ error }).check(z.int({ error }), z.minimum(1, { error }), z.maximum(most, { error })))
}

type Declared = {
  id: string
  summary: string
  scope: ApiScope
  /** A write: asks for the header Idempotency-Key, and replies 201. */
  writes?: true
  params?: z.core.$ZodType
  query?: z.core.$ZodType
  body?: z.core.$ZodType
  reply: z.core.$ZodType
  /** Statuses of its errors, besides 401, 403, 429, 500 and 503. */
  errors: readonly number[]
}

/** The developer API under `/v1`: routes, OpenAPI file and guide follow from this. */
export const V1 = {
  'GET /balance': {
    id: 'getBalance',
    summary: 'What is in the wallet',
    scope: 'balance:read',
    reply: z.object({ balance: amount, currency: z.literal('GHS') }),
    errors: [],
  },
  'GET /statement': {
    id: 'listMovements',
    summary: 'What moved the balance, the newest first',
    scope: 'balance:read',
    query: pageQuery,
    reply: z.object({ data: z.array(movement), next_cursor: nextCursor }),
    errors: [400],
  },
  'GET /catalogue': {
    id: 'listOffers',
    summary: 'What can be bought now, at your prices',
    scope: 'catalogue:read',
    reply: z.object({ data: z.array(z.object({ network: z.string(), offer: z.string(), price: amount })) }),
    errors: [],
  },
  'GET /orders': {
    id: 'listOrders',
    summary: 'Your orders, the newest first',
    scope: 'orders:read',
    query: pageQuery,
    reply: z.object({ data: z.array(apiOrder), next_cursor: nextCursor }),
    errors: [400],
  },
  'GET /orders/{id}': {
    id: 'getOrder',
    summary: 'One of your orders',
    scope: 'orders:read',
    params: ownId,
    reply: apiOrder,
    errors: [404],
  },
  'GET /orders/{id}/checkers': {
    id: 'getCheckers',
    summary: 'The serials and PINs of one of your orders; none unless it is a checker that was handed over',
    scope: 'orders:read',
    params: ownId,
    reply: z.object({ data: z.array(apiChecker) }),
    errors: [404],
  },
  'POST /orders': {
    id: 'createOrder',
    summary: 'Buy one bundle from the wallet',
    scope: 'orders:write',
    writes: true,
    body: newApiOrder,
    reply: placed,
    errors: [400, 402, 409, 413, 415],
  },
  'POST /orders/bulk': {
    id: 'createOrders',
    summary: `Buy up to ${MAX_API_LINES} bundles at once: all, or none`,
    scope: 'orders:write',
    writes: true,
    body: newApiOrders,
    reply: z.object({ data: z.array(apiOrder), balance: amount }),
    errors: [400, 402, 409, 413, 415],
  },
  'POST /lists': {
    id: 'createList',
    summary: `Buy up to ${MAX_BULK_LINES} bundles at once: all, or none. The reply counts the orders; read them from the list`,
    scope: 'orders:write',
    writes: true,
    body: newApiList,
    reply: z.object({ ...apiList.def.shape, balance: amount }),
    errors: [400, 402, 409, 413, 415],
  },
  'GET /lists': {
    id: 'listLists',
    summary: 'Your lists, the newest first, with how many of their orders stand how',
    scope: 'orders:read',
    query: pageQuery,
    reply: z.object({ data: z.array(apiList), next_cursor: nextCursor }),
    errors: [400],
  },
  'GET /lists/{id}': {
    id: 'getList',
    summary: 'One of your lists',
    scope: 'orders:read',
    params: ownId,
    reply: apiList,
    errors: [404],
  },
  'GET /lists/{id}/orders': {
    id: 'listOrdersOfList',
    summary: 'The orders of a list, in the order in which you sent them',
    scope: 'orders:read',
    params: ownId,
    query: listQuery,
    reply: z.object({ data: z.array(listedOrder), next_cursor: nextCursor }),
    errors: [400, 404],
  },
} as const satisfies Record<string, Declared>

export type V1Route = keyof typeof V1

/** What becomes of a test order, by the last four digits of its receiver. Any other receiver is delivered. */
export const TEST_OUTCOMES = {
  '0001': 'delivered after a few seconds',
  '0002': 'refused after a few seconds, and the money returned',
  '0003': 'stays pending: nobody knows yet',
  '0004': 'slow: delivered after two minutes',
  '0005': 'delivered after a few seconds, and refunded two minutes later',
  '0006': 'not bought: 402, the balance is too low',
  '0007': 'not bought: 409, the price has changed',
  '0008': 'not bought: 409, the offer is not available',
  '0009': 'not bought: 503, purchases are paused',
} as const

/** In cedis: what the wallet for tests begins with, and what is added to it whenever it would not do. */
export const TEST_BALANCE = '1000.00'
