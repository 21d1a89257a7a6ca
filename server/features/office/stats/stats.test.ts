import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Sandbox } from '../../../../sandbox/open-sandbox.ts'
import type { Network } from '../../../../shared/networks.ts'
import type { Order } from '../../../../shared/orders.ts'
import type { ConfirmPaymentReply, PaymentReply } from '../../../../shared/payments.ts'
import type { Recharge } from '../../../../shared/recharges.ts'
import type { WholeStats } from '../../../../shared/stats.ts'
import type { SignedInUser } from '../../../../shared/users.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { call, cartLine, checkout, makeUser, PASSWORD } from '../../../../test/builders.ts'
import { readStats as readStatsFrom } from './read-stats.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** An admin's session is short and the clock jumps by days: an admin is made anew whenever one is needed. */
async function readStats(shop: TestShop): Promise<WholeStats> {
  const { status, body } = await call<WholeStats>(shop, 'GET', '/order/stats', { as: await makeUser(shop, { level: 'Admin' }) })
  expect(status).toBe(200)
  return body
}

/** A customer's session lasts 30 days, and the clock moves on by months. */
async function signIn(shop: TestShop, { phone }: SignedInUser): Promise<SignedInUser> {
  return (await call<SignedInUser>(shop, 'POST', '/user/login', { body: { userPhone: phone, password: PASSWORD } })).body
}

function fold(shop: TestShop) {
  return shop.database.db.query('select fold_account_deltas(), fold_order_deltas(), fold_delivery_deltas()')
}

/** The same figures from the orders and postings themselves, with the database's own calendar. */
async function recompute(shop: TestShop): Promise<WholeStats> {
  const { rows } = await shop.database.db.query<{ stats: WholeStats }>(
    `with clock as (
       select $1::timestamptz at time zone 'UTC' as now
     ), spans as (
       select date_trunc('day', now) as today, date_trunc('week', now + interval '1 day') - interval '1 day' as week,
         date_trunc('month', now) as month, date_trunc('month', now) - interval '1 month' as before
       from clock
     ), sold as (
       -- Delivered, and refunded afterwards.
       select network, completed_at at time zone 'UTC' as at, 1 as orders, price_pesewas as price from orders where completed_at is not null
       union all select network, decided_at at time zone 'UTC', 0, -price_pesewas from orders where completed_at is not null and status = 'rejected'
     ), o as (
       select created_at at time zone 'UTC' as at, created_at, network, status, price_pesewas as price,
         exists (select from supplier_deliveries d where d.order_id = orders.id and d.status in ('waiting', 'sending', 'accepted', 'unknown')) as goes_on
       from orders
     )
     select jsonb_build_object(
       'finance', jsonb_build_object(
         'totalPayments', (select coalesce(-sum(p.amount_pesewas), 0) / 100.0 from postings p join accounts a on a.id = p.account_id
            where a.code in ('mobile-money-received', 'card-payments-received', 'provider-fees')),
         'totalFunds', (select sum(balance_pesewas) / 100.0 from wallets)),
       'orders', (select jsonb_build_object(
         'total', jsonb_build_object('count', count(*), 'value', coalesce(sum(price), 0) / 100.0),
         'completed', jsonb_build_object('count', count(*) filter (where status = 'completed'),
            'value', coalesce(sum(price) filter (where status = 'completed'), 0) / 100.0),
         'rejected', jsonb_build_object('count', count(*) filter (where status = 'rejected'),
            'value', coalesce(sum(price) filter (where status = 'rejected'), 0) / 100.0),
         'pending', jsonb_build_object('count', count(*) filter (where status = 'pending'),
            'value', coalesce(sum(price) filter (where status = 'pending'), 0) / 100.0),
         'today', jsonb_build_object('count', count(*) filter (where at >= today), 'value', coalesce(sum(price) filter (where at >= today), 0) / 100.0,
            'label', (select to_char(now, 'FMDay') from clock)),
         'thisWeek', jsonb_build_object('count', count(*) filter (where at >= week), 'value', coalesce(sum(price) filter (where at >= week), 0) / 100.0),
         'thisMonth', jsonb_build_object('count', count(*) filter (where at >= month),
            'value', coalesce(sum(price) filter (where at >= month), 0) / 100.0, 'label', (select to_char(month, 'FMMonth') from spans)),
         'lastMonth', jsonb_build_object('count', count(*) filter (where at >= before and at < month),
            'value', coalesce(sum(price) filter (where at >= before and at < month), 0) / 100.0, 'label', (select to_char(before, 'FMMonth') from spans)))
         from spans left join o on true where o.at is not null),
       'salesPerDay', (select jsonb_agg(jsonb_build_object('date', to_char(day, 'YYYY-MM-DD'),
            'count', (select coalesce(sum(orders), 0) from sold where date_trunc('day', sold.at) = day),
            'value', (select coalesce(sum(price), 0) / 100.0 from sold where date_trunc('day', sold.at) = day)) order by day)
         from spans, generate_series(today - interval '29 days', today, interval '1 day') as day),
       'salesPerNetwork', (select coalesce(jsonb_agg(jsonb_build_object('network', network, 'count', orders, 'value', pesewas / 100.0) order by pesewas desc, network), '[]')
         from (select network, sum(orders) as orders, sum(price) as pesewas from sold, spans where at >= month group by network) sold),
       'waiting', jsonb_build_object(
         'orders', (select jsonb_build_object('count', count(*), 'value', coalesce(sum(price), 0) / 100.0, 'oldest', min(created_at)) from o where status = 'pending' and not goes_on),
         'recharges', (select jsonb_build_object('count', count(*), 'value', coalesce(sum(amount_pesewas), 0) / 100.0, 'oldest', min(created_at))
            from recharges where status = 'pending'),
         'heldPayments', (select jsonb_build_object('count', count(*), 'value', coalesce(sum(received_pesewas), 0) / 100.0, 'oldest', min(settled_at))
            from payments where status = 'held' and not in_wallet))
     ) as stats`,
    [shop.clock.now],
  )
  return withIsoTimes(rows[0]!.stats)
}

function withIsoTimes(stats: WholeStats): WholeStats {
  for (const one of Object.values(stats.waiting)) if (one.oldest !== null) one.oldest = new Date(one.oldest).toISOString()
  return stats
}

/** Networks of the same worth may come in any order. */
function sorted(stats: WholeStats): WholeStats {
  const salesPerNetwork = stats.salesPerNetwork.toSorted(
    (one, other) => other.value - one.value || one.network.localeCompare(other.network),
  )
  return { ...stats, salesPerNetwork }
}

/** Numbers between 0 and 1 that are the same in every run (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const OFFERS: [Network, string][] = [
  ['MTN', '1GB'],
  ['MTN', '10GB'],
  ['Telecel', '5GB'],
  ['AirtelTigo', '1GB'],
  ['Airtime', 'MTN GHS 10'],
  ['AFA', 'AFA registration'],
  ['WAEC Checkers', 'BECE'],
  ['MTN PULSE', 'MashUp GHS 5'],
]

describe('after a random history of two months', () => {
  let shop: TestShop
  beforeAll(async () => {
    shop = await openTestShop({ withSandbox: true })
    await live(shop, seeded(20_261_121), 110)
  })
  afterAll(() => shop.close())

  /** Buys, pays, asks, decides, day after day, all through the API. */
  async function live(shop: TestShop, random: () => number, steps: number) {
    const { cardProvider } = shop.sandbox as Sandbox
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
    shop.clock.now = new Date('2026-09-24T20:00:00Z')
    const [one, two, three] = [
      await makeUser(shop, { balance: 3000 }),
      await makeUser(shop, { balance: 3000 }),
      await makeUser(shop, { level: 'Agent', balance: 3000 }),
    ]
    const buyers = [one, two, three]
    const orders: Order[] = []
    const recharges: Recharge[] = []
    const lineFor = async (buyer: SignedInUser) => {
      const [network, offer] = pick(OFFERS)
      return cartLine(shop, { network, offer, phoneNumber: '0241234567', as: buyer.userLevel })
    }
    for (let step = 0; step < steps; step++) {
      shop.clock.advance(Math.floor(random() * 26 * HOUR_MS))
      const buyer = await signIn(shop, pick(buyers))
      const deed = random()
      if (deed < 0.4) {
        const { status, body } = await checkout(shop, buyer, [await lineFor(buyer), await lineFor(buyer)])
        if (status === 200) orders.push(...body.orders)
      } else if (deed < 0.55) {
        const { body: payment } = await call<PaymentReply>(shop, 'POST', '/payment', {
          as: buyer,
          body: { purpose: 'order', items: [await lineFor(buyer)] },
        })
        cardProvider.addFault({ call: 'webhook', kind: 'lose', reference: payment.reference, times: 100 })
        const turn = random()
        if (turn < 0.15) cardProvider.addFault({ call: 'verify', kind: 'data', reference: payment.reference, data: { currency: 'NGN' } })
        if (turn < 0.9) await cardProvider.pay(payment.reference, turn > 0.75 ? { amountPesewas: payment.amount - 1 } : {})
        const { body } = await call<ConfirmPaymentReply>(shop, 'POST', `/payment/${payment.reference}/confirm`, { as: buyer })
        orders.push(...body.orders)
      } else if (deed < 0.7) {
        const { status, body } = await call<{ recharge: Recharge }>(shop, 'POST', '/recharge', {
          as: buyer,
          body: { amount: 50 + Math.floor(random() * 10_000) / 100 },
        })
        if (status === 200) recharges.push(body.recharge)
      } else {
        const admin = await makeUser(shop, { level: 'Admin' })
        const order = orders.splice(Math.floor(random() * orders.length), 1)[0]
        if (order)
          await call(shop, 'PUT', `/order/update-status/${order._id}`, {
            as: admin,
            body: { status: random() < 0.4 ? 'rejected' : 'completed' },
          })
        const recharge = random() < 0.4 ? recharges.shift() : undefined
        if (recharge) await call(shop, 'PUT', `/recharge/${recharge._id}/${random() < 0.7 ? 'approve' : 'decline'}`, { as: admin })
        await call(shop, 'PUT', '/user/balance', { as: admin, body: { chosenId: buyer._id, amount: pick([5.25, -3.1, 20]) } })
      }
      if (random() < 0.1) await fold(shop)
    }
  }

  test('every figure matches the orders and postings, before folding and after', async () => {
    const before = await readStats(shop)
    const expected = await recompute(shop)
    expect(sorted(before)).toEqual(expected)
    await fold(shop)
    expect(await readStats(shop)).toEqual(before)
    await fold(shop)
    expect(await readStats(shop)).toEqual(before)
  })

  test('the history contains every kind of event, so that the figures prove something', async () => {
    const { finance, orders, salesPerDay, salesPerNetwork, waiting } = await readStats(shop)
    for (const figures of [orders.total, orders.completed, orders.rejected, orders.pending, orders.thisMonth, orders.lastMonth]) {
      expect(figures.count).toBeGreaterThan(5)
    }
    expect(salesPerNetwork.length).toBeGreaterThan(2)
    expect(salesPerDay.filter(({ count }) => count > 0).length).toBeGreaterThan(5)
    expect(Math.min(waiting.orders.count, waiting.recharges.count, waiting.heldPayments.count)).toBeGreaterThan(0)
    expect(Math.min(finance.totalPayments, finance.totalFunds)).toBeGreaterThan(500)
  })

  test('are the same in any time zone of server and database', async () => {
    const before = await readStats(shop)
    const client = await shop.database.db.connect()
    try {
      for (const zone of ['Asia/Tokyo', 'America/New_York']) {
        process.env.TZ = zone
        expect(new Date(2026, 0, 1).getTimezoneOffset()).not.toBe(0)
        await client.query(`set time zone '${zone}'`)
        expect(await readStatsFrom(client, shop.clock.now)).toEqual(before)
      }
    } finally {
      delete process.env.TZ
      client.release(true)
    }
  })

  test('folding during writes loses nothing, and every reading is consistent', async () => {
    const buyers = await Promise.all(Array.from({ length: 4 }, () => makeUser(shop, { balance: 200 })))
    const admin = await makeUser(shop, { level: 'Admin' })
    const line = await cartLine(shop)
    const start = await readStats(shop)
    let writing = true
    const readings: WholeStats[] = []
    const folds = { done: 0 }
    const folding = (async () => {
      while (writing) {
        await fold(shop)
        folds.done += 1
      }
    })()
    const reading = (async () => {
      while (writing) readings.push((await call<WholeStats>(shop, 'GET', '/order/stats', { as: admin })).body)
    })()
    await Promise.all(
      buyers.map(async (buyer) => {
        for (let count = 0; count < 15; count++) {
          const { body } = await checkout(shop, buyer, [line])
          if (count % 3 === 0)
            await call(shop, 'PUT', `/order/update-status/${body.orders[0]!._id}`, { as: admin, body: { status: 'rejected' } })
        }
      }),
    )
    writing = false
    await Promise.all([folding, reading])
    expect(sorted(await readStats(shop))).toEqual(await recompute(shop))
    expect(folds.done).toBeGreaterThan(5)
    const totals = [start, ...readings, await readStats(shop)].map(({ orders }) => orders.total.count)
    expect(totals).toEqual(totals.toSorted((one, other) => one - other))
    expect(totals.at(-1)).toBe(start.orders.total.count + 60)
    expect(new Set(readings.map(({ finance }) => finance.totalPayments))).toEqual(new Set([start.finance.totalPayments]))
    for (const { orders } of readings) {
      expect(orders.pending.count + orders.completed.count + orders.rejected.count).toBe(orders.total.count)
    }
  })
})

describe('at the edges of the calendar', () => {
  let shop: TestShop
  let buyer: SignedInUser
  afterEach(() => shop.close())

  async function open() {
    shop = await openTestShop()
    shop.clock.now = new Date('2026-11-01T00:00:00Z')
    buyer = await makeUser(shop, { balance: 1000 })
  }

  async function buyAt(time: string) {
    shop.clock.now = new Date(time)
    expect((await checkout(shop, await signIn(shop, buyer), [await cartLine(shop)])).status).toBe(200)
  }

  async function deliverAll() {
    const { rows } = await shop.database.db.query<{ id: string }>(`select id from orders where status = 'pending'`)
    const admin = await makeUser(shop, { level: 'Admin' })
    for (const { id } of rows) await call(shop, 'PUT', `/order/update-status/${id}`, { as: admin, body: { status: 'completed' } })
  }

  /** Today, this week, this month and last month, each with its label. */
  async function countsAt(time: string) {
    shop.clock.now = new Date(time)
    const { orders } = await readStats(shop)
    const { today, thisWeek, thisMonth, lastMonth } = orders
    expect([orders.total.count, today, thisWeek, thisMonth, lastMonth].map((one) => (typeof one === 'number' ? one : one.count))).toEqual([
      orders.total.count,
      ...[today, thisWeek, thisMonth, lastMonth].map(({ value }) => Math.round(value / 5.5)),
    ])
    return [today.count, today.label, thisWeek.count, thisMonth.count, thisMonth.label, lastMonth.count, lastMonth.label]
  }

  test('a shop without orders has zeros', async () => {
    await open()
    expect(await countsAt('2026-11-21T12:00:00Z')).toEqual([0, 'Saturday', 0, 0, 'November', 0, 'October'])
    const stats = await readStats(shop)
    expect(stats.finance).toEqual({ totalPayments: 0, totalFunds: 1000 })
    expect([stats.salesPerDay.length, stats.salesPerNetwork, stats.waiting.orders]).toEqual([30, [], { count: 0, value: 0, oldest: null }])
    expect([stats.salesPerDay[0]!.date, stats.salesPerDay[29]!.date]).toEqual(['2026-10-23', '2026-11-21'])
  })

  test('an order that is locked in a batch is not to be decided', async () => {
    await open()
    await buyAt('2026-11-21T10:00:00Z')
    await buyAt('2026-11-21T11:00:00Z')
    const { rows } = await shop.database.db.query<{ id: string }>('select id from orders order by seq')
    const admin = await makeUser(shop, { level: 'Admin' })
    const body = { key: randomUUID(), network: 'MTN', ids: [rows[0]!.id] }
    expect((await call(shop, 'POST', '/admin/batches', { as: admin, body })).status).toBe(200)
    const { waiting, orders } = await readStats(shop)
    expect(waiting.orders).toEqual({ count: 1, value: 5.5, oldest: '2026-11-21T11:00:00.000Z' })
    expect(orders.pending.count).toBe(2)
  })

  test('the week ends with Saturday 23:59:59, and Sunday begins another', async () => {
    await open()
    await buyAt('2026-11-15T00:00:00Z')
    await buyAt('2026-11-21T23:59:59.999Z')
    expect(await countsAt('2026-11-21T23:59:59.999Z')).toEqual([1, 'Saturday', 2, 2, 'November', 0, 'October'])
    expect(await countsAt('2026-11-22T00:00:00Z')).toEqual([0, 'Sunday', 0, 2, 'November', 0, 'October'])
    await buyAt('2026-11-22T23:59:59Z')
    expect(await countsAt('2026-11-22T23:59:59.999Z')).toEqual([1, 'Sunday', 1, 3, 'November', 0, 'October'])
    expect(await countsAt('2026-11-23T00:00:00Z')).toEqual([0, 'Monday', 1, 3, 'November', 0, 'October'])
    expect(await countsAt('2026-11-28T23:59:59Z')).toEqual([0, 'Saturday', 1, 3, 'November', 0, 'October'])
  })

  test('the year ends in the middle of a week', async () => {
    await open()
    await buyAt('2026-12-27T00:00:00Z')
    await buyAt('2026-12-31T23:59:59.999Z')
    expect(await countsAt('2027-01-01T00:00:00Z')).toEqual([0, 'Friday', 2, 0, 'January', 2, 'December'])
    await buyAt('2027-01-01T00:00:00Z')
    expect(await countsAt('2027-01-02T23:59:59Z')).toEqual([0, 'Saturday', 3, 1, 'January', 2, 'December'])
    expect(await countsAt('2027-01-31T23:59:59Z')).toEqual([0, 'Sunday', 0, 1, 'January', 2, 'December'])
    expect(await countsAt('2027-02-01T00:00:00Z')).toEqual([0, 'Monday', 0, 0, 'February', 1, 'January'])
  })

  test('29 February has a day, and the month after 31 days looks back at a shorter one', async () => {
    await open()
    await buyAt('2028-02-01T00:00:00Z')
    await buyAt('2028-02-28T23:59:59.999Z')
    await buyAt('2028-02-29T00:00:00Z')
    await buyAt('2028-02-29T23:59:59.999Z')
    expect(await countsAt('2028-02-29T23:59:59.999Z')).toEqual([2, 'Tuesday', 3, 4, 'February', 0, 'January'])
    expect(await countsAt('2028-03-01T00:00:00Z')).toEqual([0, 'Wednesday', 3, 0, 'March', 4, 'February'])
    await buyAt('2028-03-03T12:00:00Z')
    expect(await countsAt('2028-03-04T12:00:00Z')).toEqual([0, 'Saturday', 4, 1, 'March', 4, 'February'])
    expect(await countsAt('2028-03-31T23:59:59Z')).toEqual([0, 'Friday', 0, 1, 'March', 4, 'February'])
    expect(await countsAt('2028-05-31T12:00:00Z')).toEqual([0, 'Wednesday', 0, 0, 'May', 0, 'April'])
  })

  test('on 1 March the chart begins with 31 January, which no month in the table has', async () => {
    await open()
    for (const time of ['2027-01-30T23:59:59.999Z', '2027-01-31T00:00:00Z', '2027-01-31T23:59:59.999Z', '2027-02-28T23:59:59.999Z']) {
      await buyAt(time)
      await deliverAll()
    }
    expect(await countsAt('2027-03-01T00:00:00Z')).toEqual([0, 'Monday', 1, 0, 'March', 1, 'February'])
    const { salesPerDay } = await readStats(shop)
    expect(salesPerDay.filter(({ count }) => count > 0).map(({ date, count }) => [date, count])).toEqual([
      ['2027-01-31', 2],
      ['2027-02-28', 1],
    ])
    // Seen on the 31st, last month is the one before, however short.
    await buyAt('2027-03-31T12:00:00Z')
    expect(await countsAt('2027-03-31T23:59:59.999Z')).toEqual([1, 'Wednesday', 1, 1, 'March', 1, 'February'])
  })

  test('a week that began in another month and another year is whole', async () => {
    await open()
    await buyAt('2027-02-28T00:00:00Z')
    await buyAt('2027-03-06T23:59:59.999Z')
    expect(await countsAt('2027-03-06T23:59:59.999Z')).toEqual([1, 'Saturday', 2, 1, 'March', 1, 'February'])
    expect(await countsAt('2027-03-07T00:00:00Z')).toEqual([0, 'Sunday', 0, 1, 'March', 1, 'February'])
  })

  test('orders of more than one month ago count in the totals alone', async () => {
    await open()
    await buyAt('2026-11-30T23:59:59.999Z')
    expect(await countsAt('2027-01-01T00:00:00Z')).toEqual([0, 'Friday', 0, 0, 'January', 0, 'December'])
    const { orders, salesPerDay } = await readStats(shop)
    expect([orders.total, salesPerDay.every(({ count }) => count === 0)]).toEqual([{ count: 1, value: 5.5 }, true])
  })

  test('very large amounts are exact', async () => {
    await open()
    const product = (await cartLine(shop)).productId
    await shop.database.db.query('update packages set price_customer_pesewas = 999999999 where product_id = $1', [product])
    await shop.database.db.query(
      `select post_entry('test', 'admin-credit', '', null, array[account_id, 6], array[900000000000::bigint, -900000000000], now())
       from wallets where user_id = $1`,
      [buyer._id],
    )
    const line = { productId: product, phoneNumber: '0241234567', amount: 9_999_999.99 }
    const offers = ['1GB', '2GB', '3GB']
    for (let round = 0; round < 25; round++) {
      expect(
        (
          await checkout(
            shop,
            buyer,
            offers.map((offer) => ({ ...line, offer })),
          )
        ).status,
      ).toBe(200)
    }
    const { orders, finance } = await readStats(shop)
    expect([orders.total, orders.today.value]).toEqual([{ count: 75, value: 749_999_999.25 }, 749_999_999.25])
    expect(finance.totalFunds).toBe(1000 + 9_000_000_000 - 749_999_999.25)
  })
})

test('only an admin sees them', async () => {
  const shop = await openTestShop()
  expect((await call(shop, 'GET', '/order/stats')).status).toBe(401)
  for (const level of ['Customer', 'Agent'] as const) {
    expect((await call(shop, 'GET', '/order/stats', { as: await makeUser(shop, { level }) })).status).toBe(403)
  }
  await shop.close()
})

test('orders count on the day they were placed, sales on the day they were delivered', async () => {
  const shop = await openTestShop()
  const buyer = await makeUser(shop, { balance: 100 })
  const bought = await checkout(shop, buyer, [await cartLine(shop), await cartLine(shop)])
  shop.clock.advance(2 * DAY_MS)
  const admin = await makeUser(shop, { level: 'Admin' })
  await call(shop, 'PUT', `/order/update-status/${bought.body.orders[0]!._id}`, { as: admin, body: { status: 'rejected' } })
  await call(shop, 'PUT', `/order/update-status/${bought.body.orders[1]!._id}`, { as: admin, body: { status: 'completed' } })
  const { orders, salesPerDay, salesPerNetwork } = await readStats(shop)
  expect([orders.today.count, orders.thisMonth.count, orders.rejected.count, orders.completed.count]).toEqual([0, 2, 1, 1])
  expect(salesPerDay.filter(({ count }) => count > 0)).toEqual([{ date: '2026-11-23', count: 1, value: 5.5 }])
  expect(salesPerNetwork).toEqual([{ network: 'MTN', count: 1, value: 5.5 }])
  await shop.close()
})
