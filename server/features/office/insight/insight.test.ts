import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { InsightQuery, InsightReply } from '../../../../shared/insight.ts'
import type { Order } from '../../../../shared/orders.ts'
import { delivererName } from '../../../../shared/supplier-names.ts'
import type { SignedInUser } from '../../../../shared/users.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { call, cartLine, checkout, findProduct, makeUser, PASSWORD } from '../../../../test/builders.ts'
import type { Queryable } from '../../../platform/db.ts'
import { readInsight } from './queries.ts'

/** What the generator did, from which the figures are calculated by hand. */
type Delivered = {
  order: Order
  network: string
  agent: SignedInUser | null
  at: Date
  minutes: number
  cost: number | null
  refunded: Date | null
}

const MINUTE_MS = 60_000
const COSTS: Record<string, number> = { MTN: 4.3, AirtelTigo: 4.1 }

let shop: TestShop
let admin: SignedInUser
let agents: SignedInUser[]
let customer: SignedInUser
const delivered: Delivered[] = []

beforeAll(async () => {
  shop = await openTestShop()
  admin = await makeUser(shop, { level: 'Admin' })
  agents = [await makeUser(shop, { level: 'Agent', balance: 9_000 }), await makeUser(shop, { level: 'Agent', balance: 9_000 })]
  customer = await makeUser(shop, { balance: 9_000 })
  // The test's own clock begins on Saturday 21 November 2026 at noon.
  shop.clock.now = new Date('2026-11-08T08:00:00Z')
  for (const network of ['MTN', 'AirtelTigo']) await setCost(network, COSTS[network] as number)
  // Two weeks of trade that a counter decides; Telecel has no cost until the end.
  for (let n = 0; n < 90; n++) {
    const network = ['MTN', 'MTN', 'AirtelTigo', 'Telecel'][n % 4] as string
    const buyer = [customer, agents[0]!, customer, agents[1]!, agents[0]!][n % 5]!
    await deliver(network, buyer, 1 + ((n * 7) % 50))
    shop.clock.now = new Date(shop.clock.now.getTime() + 160 * MINUTE_MS)
  }
  shop.clock.now = new Date('2026-11-21T15:20:00Z')
  await signIn()
})
afterAll(() => shop.close())

/** An admin's session is short, and the clock jumps. */
async function signIn() {
  admin = await makeUser(shop, { level: 'Admin' })
}

async function setCost(network: string, cost: number) {
  const product = await findProduct(shop, network)
  const costs = product.packages.map(({ offer }) => ({ productId: product._id, offer, supplier: 'by-hand', cost }))
  const { status, body } = await call(shop, 'PUT', '/admin/costs', { as: admin, body: { costs } })
  if (status !== 200) throw new Error(JSON.stringify(body))
}

async function deliver(network: string, buyer: SignedInUser, minutes: number) {
  const line = await cartLine(shop, { network, offer: network === 'Telecel' ? '5GB' : '1GB', as: buyer.userLevel })
  const [order] = (await checkout(shop, buyer, [line])).body.orders
  const at = new Date(shop.clock.now.getTime() + minutes * MINUTE_MS)
  shop.clock.now = at
  await signIn()
  const { status } = await call(shop, 'PUT', `/order/update-status/${order!._id}`, { as: admin, body: { status: 'completed' } })
  if (status !== 200) throw new Error(`order ${order!.id} was not completed`)
  delivered.push({
    order: order!,
    network,
    agent: buyer === customer ? null : buyer,
    at,
    minutes,
    cost: COSTS[network] ?? null,
    refunded: null,
  })
}

/** Refunds a delivered order because of a report. */
async function refund(one: Delivered) {
  const { body } = await call<{ report: { _id: string } }>(shop, 'POST', `/order/${one.order._id}/report`, {
    as: one.agent ?? customer,
    body: { text: 'Nothing came' },
  })
  const { status, body: reply } = await call(shop, 'PUT', `/admin/reports/${body.report._id}/end`, {
    as: admin,
    body: { outcome: 'refunded', text: 'It never came' },
  })
  if (status !== 200) throw new Error(JSON.stringify(reply))
  one.refunded = new Date(shop.clock.now)
}

const read = async (query: Record<string, string>) => (await call<InsightReply>(shop, 'GET', '/admin/insight', { as: admin, query })).body
const fold = () => shop.database.db.query('select fold_delivery_deltas(), fold_insight_deltas()')
const cents = (value: number) => Math.round(value * 100) / 100

/** Orders, sales and profit between two times, from what the generator did. */
function byHand(from: Date, until: Date, isMeant: (one: Delivered) => boolean = () => true) {
  const within = (at: Date | null) => at !== null && at >= from && at < until
  const meant = delivered.filter(isMeant)
  const done = meant.filter(({ at }) => within(at))
  const refunded = meant.filter((one) => within(one.refunded))
  const price = (some: Delivered[]) => some.reduce((sum, { order }) => sum + order.totalAmount, 0)
  const costed = ({ cost }: Delivered) => cost !== null
  return {
    orders: done.length,
    sales: cents(price(done) - price(refunded)),
    grossProfit: cents(price(done.filter(costed)) - price(refunded.filter(costed)) - done.reduce((sum, { cost }) => sum + (cost ?? 0), 0)),
    uncosted: done.filter((one) => !costed(one)).length,
  }
}

/** What was refunded stays in the average, since it stays among the orders. */
function average(from: Date, until: Date) {
  const within = (at: Date | null) => at !== null && at >= from && at < until
  const done = delivered.filter(({ at }) => within(at))
  const pesewas = done.reduce((sum, { order }) => sum + Math.round(order.totalAmount * 100), 0)
  return { averagePrice: Math.round(pesewas / done.length) / 100, refunded: delivered.filter((one) => within(one.refunded)).length }
}

const DAY_MS = 24 * 60 * MINUTE_MS
const week = { from: '2026-11-15', to: '2026-11-21' }
const start = new Date('2026-11-15T00:00:00Z')
const end = new Date('2026-11-22T00:00:00Z')

/** Nearest rank. */
function rank(minutes: number[], share: number): number {
  const sorted = minutes.toSorted((one, other) => one - other)
  return sorted[Math.ceil(sorted.length * share) - 1] as number
}

/** Keeps the days that are over in their short form. */
const addUpDays = () => shop.database.db.query('select add_up_days($1, 1000)', [shop.clock.now])

describe.each(['before they are folded', 'folded', 'with the days that are over added up'])('a week’s figures, %s,', (when) => {
  let insight: InsightReply
  beforeAll(async () => {
    if (when !== 'before they are folded') await fold()
    if (when === 'with the days that are over added up') await addUpDays()
    insight = await read(week)
  })

  test('equal a calculation by hand, in all and by day, network, hour, agent and package', () => {
    expect(delivered.length).toBe(90)
    expect(insight.totals).toMatchObject(byHand(start, end))
    expect(insight.totals).toMatchObject(average(start, end))
    expect(insight.totals.uncosted).toBeGreaterThan(0)
    for (const { date, before: _, medianMinutes: __, profit, ...figures } of insight.days) {
      // There are no fees.
      expect(profit).toBe(figures.grossProfit)
      const day = new Date(date)
      expect([date, figures]).toEqual([date, byHand(day, new Date(day.getTime() + DAY_MS))])
    }
    for (const { network, ...figures } of insight.networks) expect(figures).toEqual(byHand(start, end, (one) => one.network === network))
    for (const { hour, medianMinutes: _, ...figures } of insight.hours!) {
      expect([hour, figures]).toEqual([hour, byHand(start, end, ({ at }) => at.getUTCHours() === hour)])
    }
    expect(insight.agents!.map(({ id }) => id).toSorted()).toEqual(agents.map(({ _id }) => _id).toSorted())
    for (const { id, username: _, ...figures } of insight.agents!)
      expect(figures).toEqual(byHand(start, end, ({ agent }) => agent?._id === id))
    for (const { network, offer, ...figures } of insight.packages!) {
      expect(figures).toEqual(byHand(start, end, (one) => one.network === network && one.order.offer === offer))
    }
    expect(insight.suppliers).toEqual([{ supplier: 'by-hand', ...byHand(start, end) }])
  })

  test('the agents of two weeks, one of them kept as a whole, are those of their days', async () => {
    const { agents: best } = await read({ from: '2026-11-08', to: '2026-11-21' })
    expect(best!.map(({ id }) => id).toSorted()).toEqual(agents.map(({ _id }) => _id).toSorted())
    for (const { id, username: _, ...figures } of best!)
      expect(figures).toEqual(byHand(new Date('2026-11-08'), end, ({ agent }) => agent?._id === id))
  })

  test('the agents of a month, which are kept as they sell, are those of its days', async () => {
    const { agents: best } = await read({ from: '2026-11-01', to: '2026-11-30' })
    expect(best!.map(({ id }) => id).toSorted()).toEqual(agents.map(({ _id }) => _id).toSorted())
    expect(best!.map(({ sales }) => sales)).toEqual(best!.map(({ sales }) => sales).toSorted((one, other) => other - one))
    for (const { id, username: _, ...figures } of best!)
      expect(figures).toEqual(byHand(new Date('2026-11-01'), new Date('2026-12-01'), ({ agent }) => agent?._id === id))
  })

  test('of an agent alone, and of a package, equal one too', async () => {
    const ofAgent = await read({ ...week, agent: agents[0]!._id })
    expect(ofAgent.totals).toMatchObject(byHand(start, end, ({ agent }) => agent === agents[0]))
    const ofPackage = await read({ ...week, network: 'Telecel', offer: '5GB' })
    expect(ofPackage.totals).toMatchObject(byHand(start, end, ({ network }) => network === 'Telecel'))
  })

  test('are compared with the week before, up to the same hour', () => {
    const until = new Date('2026-11-14T16:00:00Z')
    expect(insight.before).toEqual({ from: '2026-11-08', to: '2026-11-14', ...byHand(new Date('2026-11-08'), until) })
    expect(insight.days[6]!.before).toEqual(byHand(new Date('2026-11-14'), until))
  })

  test('say how long deliveries took, the median and nine of ten, by network and day', () => {
    const minutesOf = (isMeant: (one: Delivered) => boolean) =>
      delivered
        .filter(({ at }) => at >= start && at < end)
        .filter(isMeant)
        .map(({ minutes }) => minutes)
    expect(insight.times!.map(({ network }) => network).toSorted()).toEqual(['AirtelTigo', 'MTN', 'Telecel'])
    for (const { network, supplier, orders, medianMinutes, nineOfTenMinutes } of insight.times!) {
      const minutes = minutesOf((one) => one.network === network)
      expect([supplier, orders, medianMinutes, nineOfTenMinutes]).toEqual([
        'by-hand',
        minutes.length,
        rank(minutes, 0.5),
        rank(minutes, 0.9),
      ])
    }
    for (const { date, medianMinutes } of insight.days) {
      const minutes = minutesOf(({ at }) => at.toISOString().startsWith(date))
      expect([date, medianMinutes]).toEqual([date, minutes.length === 0 ? null : rank(minutes, 0.5)])
    }
  })
})

// After the figures above, of which the first are of what is not folded.
test('the best twelve agents of a month are the same whatever is folded, kept or neither', async () => {
  const { db } = shop.database
  const many = await Promise.all(Array.from({ length: 30 }, () => makeUser(shop, { level: 'Agent' })))
  const add = (from: number, to: number) =>
    db.query(
      `insert into delivery_deltas (day, network, supplier, agent_id, orders, sales_pesewas, refunded_orders, refunded_pesewas)
       select '2025-03-01'::date + (n % 31)::integer, 'MTN', 'by-hand', agent, n % 3, 100 * (n * 7 % 31), n % 2, n
       from unnest($1::uuid[]) with ordinality as a (agent, n) where n between $2 and $3`,
      [many.map(({ _id }) => _id), from, to],
    )
  const month = { from: '2025-03-01', to: '2025-03-31' }
  const best = async (query: { from: string; to: string }) => (await read(query)).agents
  const both = async () => [await best(month), await best({ ...month, to: '2025-04-01' })] as const
  try {
    await add(1, 20)
    const fresh = await both()
    expect(fresh[0]).toHaveLength(12)
    expect(fresh[0]).toEqual(fresh[1])
    await fold()
    // Some of the best have more that is not folded, and some have only that.
    await add(12, 30)
    const mixed = await both()
    expect(mixed[0]).toEqual(mixed[1])
    await fold()
    expect(await both()).toEqual(mixed)
    // As after an upgrade, when no month was added up yet.
    await db.query(`delete from agent_months`)
    await db.query(`insert into stale_days values ('months', '2025-03-01'), ('months', '2026-11-01')`)
    expect(await both()).toEqual(mixed)
    await addUpDays()
    expect((await db.query(`select from agent_months where month = '2025-03-01'`)).rowCount).toBe(30)
    expect(await both()).toEqual(mixed)
    // One a round, which must end before the database cancels it.
    const tx = await db.connect()
    try {
      await tx.query('begin')
      await tx.query(`insert into stale_days select 'months', generate_series('2025-03-01'::timestamp, '2025-05-01', '1 month')`)
      await tx.query('select add_up_days($1, 20)', [shop.clock.now])
      expect((await tx.query(`select day::text from stale_days where totals = 'months' order by day`)).rows).toEqual([
        { day: '2025-03-01' },
        { day: '2025-04-01' },
      ])
    } finally {
      await tx.query('rollback')
      tx.release()
    }
  } finally {
    await db.query(`delete from delivery_totals where day < '2026-01-01'`)
    await db.query(`delete from agent_months where month < '2026-01-01'`)
    await db.query(`delete from agent_weeks where week < '2026-01-01'`)
    await db.query(`delete from delivery_days where day < '2026-01-01'`)
    await db.query(`delete from agent_lists where starts_on < '2026-01-01'`)
    await db.query(`delete from stale_days where day < '2026-01-01'`)
  }
})

test.each([
  ['a network', { network: 'MTN' }, (one: Delivered) => one.network === 'MTN'],
  ['a package', { network: 'Telecel', offer: '5GB' }, (one: Delivered) => one.network === 'Telecel'],
  ['an agent', { agent: 'the first' }, (one: Delivered) => one.agent === agents[0]],
  ['a supplier that delivered nothing', { supplier: 'hubnet' }, () => false],
])('the figures of %s alone equal a calculation by hand', async (_name, given, isMeant) => {
  const query = 'agent' in given ? { agent: agents[0]!._id } : (given as Record<string, string>)
  expect((await read({ ...week, ...query })).totals).toMatchObject(byHand(start, end, isMeant))
})

test.each([
  ['when it begins', '2026-11-15T00:00:00Z', '2026-11-08T00:00:00Z'],
  ['within an hour', '2026-11-18T09:20:00Z', '2026-11-11T10:00:00Z'],
  ['at a full hour', '2026-11-18T10:00:00Z', '2026-11-11T10:00:00Z'],
  ['at midnight', '2026-11-18T00:00:00Z', '2026-11-11T00:00:00Z'],
  ['just after midnight', '2026-11-18T00:00:01Z', '2026-11-11T01:00:00Z'],
  ['in its last hour', '2026-11-21T23:10:00Z', '2026-11-15T00:00:00Z'],
  ['when it is over', '2026-11-23T10:00:00Z', '2026-11-15T00:00:00Z'],
])('a week that is read %s is compared with as much of the one before, whatever is asked for', async (_when, now, until) => {
  const kept = shop.clock.now
  try {
    shop.clock.now = new Date(now)
    await signIn()
    const first = new Date('2026-11-08T00:00:00Z')
    const untilHour = Date.parse(until)
    const untilDay = Math.ceil(untilHour / DAY_MS) * DAY_MS
    for (const [query, untilMs, isMeant] of [
      [{}, untilHour, () => true],
      [{ network: 'MTN' }, untilHour, ({ network }: Delivered) => network === 'MTN'],
      [{ supplier: 'hubnet' }, untilHour, () => false],
      // Kept by the day, and so compared with whole days.
      [{ agent: agents[0]!._id }, untilDay, ({ agent }: Delivered) => agent === agents[0]],
      [{ agent: agents[0]!._id, supplier: 'hubnet' }, untilDay, () => false],
      [{ network: 'Telecel', offer: '5GB' }, untilDay, ({ network }: Delivered) => network === 'Telecel'],
      [{ network: 'Telecel', offer: '5GB', supplier: 'hubnet' }, untilDay, () => false],
    ] as const) {
      const { before, days } = await read({ ...week, ...query })
      expect([query, before]).toEqual([query, { from: '2026-11-08', to: '2026-11-14', ...byHand(first, new Date(untilMs), isMeant) }])
      expect(days.map((day) => day.before)).toEqual(
        days.map((_day, index) => {
          const from = new Date(first.getTime() + index * DAY_MS)
          return byHand(from, new Date(Math.min(from.getTime() + DAY_MS, untilMs)), isMeant)
        }),
      )
    }
  } finally {
    shop.clock.now = kept
    await signIn()
  }
})

test('a cost that is known later, and a refund, change what they concern, and every figure still equals a calculation by hand', async () => {
  const read3 = async () => [await read(week), await fold().then(() => read(week)), await addUpDays().then(() => read(week))]
  await refund(delivered[83]!)
  for (const { totals } of await read3()) {
    expect(totals).toMatchObject({ ...byHand(start, end), ...average(start, end) })
    expect(totals.uncosted).toBeGreaterThan(0)
  }
  await shop.database.db.query(
    `with late as (
       update orders set cost_pesewas = 1950 where network = 'Telecel' and completed_at is not null and cost_pesewas is null returning id
     )
     select post_entry('delivery-cost:' || id, 'delivery-cost', '', null, array[10, 100]::bigint[], array[-1950, 1950]::bigint[], now()) from late`,
  )
  for (const one of delivered.filter(({ network }) => network === 'Telecel')) one.cost = 19.5
  await refund(delivered[85]!)
  await refund(delivered[87]!)
  for (const insight of await read3()) {
    expect(insight.totals).toMatchObject({ ...byHand(start, end), uncosted: 0 })
    for (const { network, ...figures } of insight.networks) expect(figures).toEqual(byHand(start, end, (one) => one.network === network))
  }
})

test('whatever is chosen, no two statements have the same name', async () => {
  const textsOf = new Map<string, Set<string>>()
  const db: Queryable = {
    query: ((query: { name: string; text: string }) => {
      textsOf.set(query.name, (textsOf.get(query.name) ?? new Set()).add(query.text))
      return shop.database.db.query(query)
    }) as Queryable['query'],
  }
  const parts: Pick<InsightQuery, 'network' | 'supplier'>[] = [
    {},
    { network: 'MTN' },
    { supplier: 'by-hand' },
    { network: 'MTN', supplier: 'by-hand' },
  ]
  for (const part of parts)
    for (const narrower of [{}, { agent: agents[0]!._id }, { offer: '1GB' }])
      await readInsight(db, { ...week, ...part, ...narrower }, shop.clock.now)
  expect(textsOf.size).toBeGreaterThan(10)
  expect([...textsOf].filter(([, texts]) => texts.size > 1)).toEqual([])
})

test('the file has the same figures, and calls suppliers as the screen does', async () => {
  const { totals, suppliers } = await read(week)
  expect(suppliers.map(({ supplier }) => supplier)).toContain('by-hand')
  const { status, body } = await call<string>(shop, 'GET', '/export/admin-insight', { as: admin, query: week })
  expect(status).toBe(200)
  for (const { supplier, orders } of suppliers) expect(body).toContain(`\r\n${delivererName(supplier)},${orders},`)
  expect(body).not.toContain('by-hand')
  expect(body).toContain(
    `\r\nTotal,${totals.orders},${[totals.sales, totals.grossProfit].map((sum) => sum.toFixed(2))},${totals.uncosted},${totals.profit?.toFixed(2)}\r\n`,
  )
})

test('who bought every week and has not for a week is listed, until they buy again', async () => {
  const line = await cartLine(shop, { as: 'Agent' })
  shop.clock.now = new Date('2026-12-01T10:00:00Z')
  const [weekly, twice] = [await makeUser(shop, { level: 'Agent', balance: 500 }), await makeUser(shop, { level: 'Agent', balance: 500 })]
  for (let n = 0; n < 4; n++) {
    await checkout(shop, weekly, [line, line, line])
    if (n % 2 === 0) await checkout(shop, twice, [line])
    shop.clock.advance(7 * DAY_MS)
  }
  shop.clock.advance(2 * DAY_MS)
  await signIn()
  await shop.database.db.query('select fold_order_deltas(), count_lapsed_buyers($1)', [shop.clock.now])
  const last = new Date('2026-12-22T10:00:00Z')
  const listed = {
    id: weekly._id,
    username: weekly.username,
    phone: weekly.phone,
    level: 'Agent',
    weeklyOrders: 3,
    lastOrderAt: last.toISOString(),
  }
  expect((await read({ from: '2026-12-28', to: '2026-12-31' })).lapsed).toEqual([listed])
  const { body: again } = await call<SignedInUser>(shop, 'POST', '/user/login', { body: { userPhone: weekly.phone, password: PASSWORD } })
  expect((await checkout(shop, again, [line])).status).toBe(200)
  expect((await read({ from: '2026-12-28', to: '2026-12-31' })).lapsed).toEqual([])
})

test('a range is at most a quarter, ends after it begins, and is for whoever sees the finances', async () => {
  for (const query of [
    {},
    { from: '2026-11-21', to: '2026-11-20' },
    { from: '2026-01-01', to: '2026-12-31' },
    { from: '2026-02-30', to: '2026-03-01' },
    { ...week, offer: '1GB' },
    { ...week, network: 'MTN', offer: '1GB', agent: admin._id },
  ]) {
    expect([query, (await call(shop, 'GET', '/admin/insight', { as: admin, query })).status]).toEqual([query, 400])
  }
  const helper = await makeUser(shop, { roles: ['orders'] })
  expect((await call(shop, 'GET', '/admin/insight', { as: helper, query: week })).status).toBe(403)
})
