import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type * as z from 'zod/mini'
import { routes } from '../shared/api.ts'
import type { Endpoint } from '../shared/endpoint.ts'
import type { Product } from '../shared/products.ts'
import type { SignedInUser } from '../shared/users.ts'
import { openTestShop, type TestShop } from './app.ts'
import { call, makeUser } from './builders.ts'
import { allow } from './slowness.ts'

// Whatever somebody sends, however large and wrong, everybody else is served meanwhile: the thread that answers requests is never busy
// with one thing for long. What is read on a thread aside: reading-aside.test.ts.

/** Of processor time without a pause. The shop's own largest replies take half of it. */
const LONGEST_MS = 300

let shop: TestShop
let owner: SignedInUser
let telecel: Product
let mtn: Product
beforeAll(async () => {
  shop = await openTestShop()
  owner = await makeUser(shop, { level: 'Admin', balance: 100_000 })
  const packages = many(100, (n) => ({ offer: `${n + 1}GB`, priceCustomer: 5, priceAgent: 4 }))
  const body = { network: 'Telecel', image: PIXEL, packages }
  telecel = (await call<{ product: Product }>(shop, 'POST', '/product/create', { as: owner, body })).body.product
  mtn = (await call<Product[]>(shop, 'GET', '/product')).body.find(({ network }) => network === 'MTN')!
})
afterAll(() => shop.close())

const many = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n))
const repeat = (unit: string, characters: number) => unit.repeat(Math.ceil(characters / unit.length)).slice(0, characters)
const PIXEL = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** How long this thread works at most without a pause, in ms of its own time: what else the machine does counts for nothing. */
async function longestStretch(work: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let isDone = false
  const done = work().finally(() => {
    isDone = true
  })
  let before = process.threadCpuUsage()
  while (!isDone) {
    await new Promise(setImmediate)
    const { user, system } = process.threadCpuUsage(before)
    longest = Math.max(longest, (user + system) / 1_000)
    before = process.threadCpuUsage()
  }
  await done
  return longest
}

let requests = 0
async function send(route: string, payload: string, headers: Record<string, string> = {}): Promise<{ status: number; body: string }> {
  const [method, path = ''] = route.split(' ')
  requests += 1
  const reply = await shop.app.inject({
    method: method as 'POST',
    url: `/api${path.replace(/:\w+/g, '00000000-0000-4000-8000-000000000000')}`,
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${owner.token}`,
      'idempotency-key': `request-${String(requests).padStart(20, '0')}`,
      ...headers,
    },
    payload,
  })
  return { status: reply.statusCode, body: reply.body }
}

type Definition = {
  type: string
  shape?: Record<string, Schema>
  innerType?: Schema
  element?: Schema
  in?: Schema
  options?: Schema[]
  checks?: { _zod: { def: { maximum?: number } } }[]
}
type Schema = z.core.$ZodType & { _zod: { def: Definition } }

/** A schema without what may be around it, such as being optional. */
function inside(schema: Schema): Definition {
  const { innerType, in: sent, ...rest } = schema._zod.def
  const inner = innerType ?? sent
  return inner ? inside(inner) : rest
}

const most = ({ checks = [] }: Definition) => checks.map((check) => check._zod.def.maximum).find((maximum) => maximum !== undefined)

/** The lists in a request, by their path. */
function listsIn(schema: Schema, path: string): [string, number | undefined][] {
  const found = inside(schema)
  const below = [...Object.entries(found.shape ?? {}), ...(found.options ?? []).map((option) => ['', option] as const)]
  return [
    ...(found.type === 'array' ? [[path, most(found)] as [string, number | undefined]] : []),
    ...(found.element ? listsIn(found.element, `${path}[]`) : []),
    ...below.flatMap(([key, inner]) => listsIn(inner, `${path} ${key}`)),
  ]
}

const WRITES = Object.entries<Endpoint>(routes).filter(([route, { body }]) => body && !route.startsWith('GET'))

test('every list in a request says how many it takes: more are refused before any is looked at', () => {
  const unbounded = WRITES.flatMap(([route, { body }]) => listsIn(body as Schema, route)).filter(([, maximum]) => maximum === undefined)
  expect(unbounded).toEqual([])
})

/** From the largest body that any route takes down to the usual one. */
const SIZES = [3_072, 1_536, 512, 200, 150, 64, 8].map((kilobytes) => kilobytes * 1_024)

/** By what a body says of its length, which is looked at first. */
async function mostBytes(route: string): Promise<number> {
  for (const size of SIZES) if ((await send(route, '{}', { 'content-length': String(size) })).status !== 413) return size
  return 0
}

/** Each field in turn as one long text, and as a list of more lines than any list takes. */
function longBodies(body: Schema, bytes: number): string[] {
  const units = bytes > 64 * 1_024 ? [' ', '0241234567 1GB'] : ['a ']
  return Object.keys(inside(body).shape ?? {}).flatMap((key) => {
    const room = bytes - key.length - 20
    const values = [...units.map((unit) => repeat(unit, room)), many(Math.floor(room / 3), () => ({}))]
    return values.map((value) => JSON.stringify({ [key]: value }))
  })
}

/** Each list in turn as long as it may be, of lines that are wrong. */
function wrongLists(body: Schema): string[] {
  return Object.entries(inside(body).shape ?? {}).flatMap(([key, schema]) => {
    const maximum = inside(schema).type === 'array' ? most(inside(schema)) : undefined
    return maximum === undefined ? [] : [JSON.stringify({ [key]: many(maximum, () => ({})) })]
  })
}

async function slowOf(bodiesOf: (route: string, body: Schema) => Promise<string[]> | string[]) {
  const slow: unknown[] = []
  for (const [route, { body }] of WRITES) {
    // It would end the session of the others.
    if (route.includes('sessions/end')) continue
    for (const payload of await bodiesOf(route, body as Schema)) {
      const ms = await longestStretch(() => send(route, payload))
      if (ms > allow(LONGEST_MS)) slow.push([route, payload.slice(0, 60), Math.round(ms)])
    }
  }
  return slow
}

test('lists of wrong lines, as long as any route takes them, keep nobody waiting', { timeout: 60_000 }, async () => {
  expect(await slowOf((_route, body) => wrongLists(body))).toEqual([])
})

test('wrong bodies of any route, as large as it takes them, keep nobody waiting', { tags: 'long', timeout: 180_000 }, async () => {
  expect(await slowOf(async (route, body) => longBodies(body, await mostBytes(route)))).toEqual([])
})

test('of a long list of wrong lines the first mistake is said, of a short one each', async () => {
  const said = async (count: number) => {
    const { body } = await send('PUT /admin/costs', JSON.stringify({ costs: many(count, () => ({})) }))
    return (JSON.parse(body) as { issues: { path: string }[] }).issues.map(({ path }) => path.split('.').slice(0, 2).join('.'))
  }
  expect(new Set(await said(200)).size).toBe(200)
  expect(new Set(await said(201))).toEqual(new Set(['costs.0']))
})

const offer = () => mtn.packages[0]!
const priced = (count: number) => many(count, (n) => ({ productId: telecel._id, offer: `${n + 1}GB` }))
const numbered = (n: number) => `0${244_000_000 + n}`
const bulkLines = () =>
  many(5_000, (n) => ({
    number: n + 1,
    text: `${numbered(n)} 1`,
    name: `Name ${n}`,
    productId: mtn._id,
    offer: offer().offer,
    phoneNumber: numbered(n),
    amount: offer().priceAgent,
  }))
const message = (n: number) =>
  `Payment received for GHS 60.00 from AMA SAMPLE Current Balance: GHS ${1_000 + n * 60}.00 . Reference: x. Transaction ID: ${80_000_000_000 + n}. TRANSACTION FEE: 0.00`
const draft = () => ({
  network: 'MTN',
  name: 'mine',
  kind: 'credit',
  words: `Begin ${many(10, () => '{any}').join(' a ')} b {amount} c {id}`,
  senders: [],
  samples: many(3, () => repeat('Begin a a b GHS 5.00 c ', 2_000)),
  on: true,
})

/** Right ones, with as much as the routes take that read text or long lists. */
const LARGE: Record<string, () => unknown> = {
  'POST /message-format/try': () => ({ text: repeat('Begin a a b ', 2_000), draft: draft() }),
  'PUT /message-format': () => ({ ...draft(), version: 0 }),
  'POST /forwarder/read-again': () => ({}),
  'POST /received-payment/messages': () => ({ text: many(1_000, message).join('\n') }),
  'POST /received-payment/statement': () => ({
    network: 'MTN',
    headings: ['Id', 'Amount', 'Date', 'Details'],
    rows: many(1_000, (n) => [String(81_000_000_000 + n), '60.00', '2026-11-21 10:00', repeat('details ', 400)]),
    columns: { transactionId: 0, amount: 1, at: 2, details: 3 },
  }),
  'POST /admin/checkers/check': () => ({
    kind: 'bece',
    lines: many(10_000, (n) => ({ serial: `WGC${String(n).padStart(9, '0')}`, pin: String(123_456_789_012 + n) })),
  }),
  'POST /bulk/preview': () => ({ text: many(5_000, (n) => `${numbered(n)} 1`).join('\n') }),
  'POST /bulk': () => ({ total: offer().priceAgent * 5_000, lines: bulkLines() }),
  'POST /bulk-groups': () => ({
    name: 'Everybody',
    lines: many(5_000, (n) => ({ name: `Name ${n}`, phoneNumber: numbered(n), network: 'MTN', offer: offer().offer })),
  }),
  'PUT /admin/costs': () => ({ costs: priced(2_000).map((line) => ({ ...line, supplier: 'by-hand', cost: 3 })) }),
  'POST /admin/prices/publish': () => ({
    changes: priced(1_000).map((line) => ({ ...line, priceAgent: { from: 4, to: 4.1 } })),
    costs: priced(1_000).map((line) => ({ ...line, supplier: 'by-hand', from: null, to: 3.1 })),
  }),
  'POST /admin/price-schedules': () => ({
    liveAt: new Date(shop.clock.now.getTime() + 3_600_000).toISOString(),
    changes: priced(1_000).map((line) => ({ ...line, priceAgent: { from: 4, to: 4.1 } })),
  }),
  'PUT /my-shop/prices': () => ({ prices: priced(1_000).map((line) => ({ ...line, price: 5.5, hidden: false })) }),
  'PUT /my-shop/sub-agents/prices': () => ({ prices: priced(1_000).map((line) => ({ ...line, price: 5.5 })) }),
  'POST /order/checkout': () => ({
    items: many(100, (n) => ({ productId: mtn._id, offer: offer().offer, phoneNumber: numbered(n), amount: offer().priceAgent })),
  }),
}

describe('the largest body that is right keeps nobody waiting', () => {
  beforeAll(async () => {
    const { db } = shop.database
    await db.query(
      `insert into message_formats (network, name, version, is_on, kind, words, senders, samples, changed_by, changed_at)
       select 'MTN', 'form ' || n, 1, true, 'other', 'Form' || n || ' {any} a {any} b {any} c {any} d {amount} e {id} f', '{}',
         array(select 'Form' || n || repeat(' x a y b z', 190) || m from generate_series(1, 5) m), $1, now() from generate_series(1, 3) n`,
      [owner._id],
    )
    await db.query(
      `insert into received_payments (network, transaction_id, amount_pesewas, raw, source, received_by, received_at, doubts)
       select 'MTN', (70000000000 + n)::text, 100, 'Payment of GHS 1.00 ' || repeat('ID: 12345678901 a b', 100), 'message', $1, now(),
         array['unknown-form'] from generate_series(1, 500) n`,
      [owner._id],
    )
  })

  test.each(Object.entries(LARGE))('%s', { timeout: 120_000 }, async (route, body) => {
    const payload = JSON.stringify(body())
    let [status, others] = [0, 0]
    const ms = await longestStretch(async () => {
      let isAnswered = false
      const answered = send(route, payload).then((reply) => {
        isAnswered = true
        status = reply.status
      })
      while (!isAnswered) {
        await call(shop, 'GET', '/shop')
        others += 1
        await setTimeout(5)
      }
      await answered
    })
    expect(status).not.toBe(413)
    expect(others).toBeGreaterThan(0)
    expect(ms).toBeLessThan(allow(LONGEST_MS))
  })
})

test('the largest replies keep nobody waiting', { timeout: 120_000 }, async () => {
  const { db } = shop.database
  await db.query(
    `with made as (
       insert into users (username, username_skeleton, email, phone, password_hash)
       select 'many ' || n, 'many-' || n, 'many' || n || '@example.com', '029' || lpad(n::text, 7, '0'), 'none' from generate_series(1, 600) n returning id
     ) select create_wallet(id) from made`,
  )
  const slow: unknown[] = []
  for (const [route, { params }] of Object.entries<Endpoint>(routes)) {
    if (!route.startsWith('GET') || params) continue
    const ms = await longestStretch(() => call(shop, 'GET', route.slice(4), { as: owner }))
    if (ms > allow(LONGEST_MS)) slow.push([route, Math.round(ms)])
  }
  expect(slow).toEqual([])
})
