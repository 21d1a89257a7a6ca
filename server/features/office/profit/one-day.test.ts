import { randomInt } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DaySheet } from '../../../../shared/day-close.ts'
import type { InboxReply } from '../../../../shared/inbox.ts'
import type { InsightReply } from '../../../../shared/insight.ts'
import type { OrderCounts } from '../../../../shared/orders.ts'
import type { ProfitReply } from '../../../../shared/profit.ts'
import type { WholeStats } from '../../../../shared/stats.ts'
import type { SignedInUser } from '../../../../shared/users.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { call, cartLine, checkout, findProduct, makeUser } from '../../../../test/builders.ts'
import { makeCtx, payByCard } from '../../../../test/settling.ts'
import { recordDispute } from '../../card/payments/record-dispute.ts'

const MINUTE_MS = 60_000
const OFFERS = [
  ['MTN', '1GB'],
  ['MTN', '2GB'],
  ['Telecel', '5GB'],
  ['AirtelTigo', '1GB'],
] as const

let shop: TestShop
let admin: SignedInUser
let buyers: SignedInUser[]
const delivered: string[] = []

beforeAll(async () => {
  shop = await openTestShop()
  shop.clock.now = new Date('2026-11-25T00:05:00Z')
  await signIn()
  for (const [network, offer] of OFFERS.slice(0, 3)) {
    const productId = (await findProduct(shop, network))._id
    await call(shop, 'PUT', '/admin/costs', { as: admin, body: { costs: [{ productId, offer, supplier: 'by-hand', cost: 3.5 }] } })
  }
})
afterAll(() => shop.close())

/** An admin's session is short. */
async function signIn() {
  admin = await makeUser(shop, { level: 'Admin' })
  buyers = [await makeUser(shop, { balance: 1_000 }), await makeUser(shop, { balance: 1_000, level: 'Agent' })]
}

async function decide(orderId: string, status: 'completed' | 'rejected') {
  const body = { status, override: { reason: 'as the test says' } }
  const reply = await call(shop, 'PUT', `/order/update-status/${orderId}`, { as: admin, body })
  expect(reply.status).toBe(200)
}

async function refund(orderId: string) {
  const { rows } = await shop.database.db.query<{ id: string }>(
    `insert into reports (order_id, status, opened_at) values ($1, 'open', $2) returning id`,
    [orderId, shop.clock.now],
  )
  const body = { outcome: 'refunded', text: 'It never came' }
  expect((await call(shop, 'PUT', `/admin/reports/${rows[0]!.id}/end`, { as: admin, body })).status).toBe(200)
}

/** A card order with a surcharge and what its provider keeps; one of three is disputed and lost. */
async function payWithCard() {
  const product = (await findProduct(shop, 'MTN'))._id
  const line = { product, network: null, offer: '1GB', receiver: '0551234567', expectedPricePesewas: 550, clientId: null }
  const userId = buyers[0]!._id
  const reference = await payByCard(shop, { userId, purpose: 'order', lines: [line], pricePesewas: 550, surchargePesewas: 17 })
  const { rows } = await shop.database.db.query<{ id: string }>('select id from orders where payment_reference = $1', [reference])
  await decide(rows[0]!.id, 'completed')
  if (randomInt(3) > 0) return
  const said = { reference, amountPesewas: 567, currency: 'GHS', category: 'chargeback', payerEmail: null, dueAt: null }
  const outcome = { status: 'resolved', resolution: 'merchant-accepted', outcome: 'lost' as const, decidedAt: shop.clock.now }
  await recordDispute(makeCtx(shop).ctx, { id: `D${reference}`, ...said, ...outcome })
}

/** A payout of 50.00 to an agent, who pays 1.00 for it; the provider takes 1.50. */
async function payOut() {
  await shop.database.db.query(`select post_entry('payout:' || gen_random_uuid(), 'withdrawal-paid', '', null, $1, $2, $3)`, [
    [5, 14, 11],
    [50, 100, -150],
    shop.clock.now,
  ])
}

async function liveOneDay(day: string) {
  shop.clock.now = new Date(`${day}T07:40:00Z`)
  await signIn()
  const yesterday = delivered.splice(0)
  for (let step = 0; step < 24; step++) {
    shop.clock.advance(randomInt(1, 30) * MINUTE_MS)
    const buyer = buyers[randomInt(2)]!
    const [network, offer] = OFFERS[randomInt(OFFERS.length)]!
    const { body } = await checkout(shop, buyer, [await cartLine(shop, { network, offer, as: buyer.userLevel })])
    const id = body.orders[0]!._id
    const fate = randomInt(7)
    if (fate === 0) await decide(id, 'rejected')
    else if (fate < 5) await decide(id, 'completed')
    if (fate === 4) await refund(id)
    else if (fate > 0 && fate < 4) delivered.push(id)
    if (step % 6 === 0) await payWithCard()
    if (step % 8 === 0) await payOut()
    const before = step % 7 === 0 && yesterday.pop()
    if (before) await refund(before)
    if (randomInt(8) === 0) await shop.database.db.query('select fold_account_deltas(), fold_delivery_deltas(), fold_insight_deltas()')
  }
}

const read = async <T>(path: string, query: Record<string, string> = {}) => {
  const { status, body } = await call<T>(shop, 'GET', path, { as: admin, query })
  expect([path, status]).toEqual([path, 200])
  return body
}

/** The cells of a line of a file, without its name. */
async function line(file: string, name: string, query: Record<string, string>): Promise<string[]> {
  const lines = (await read<string>(`/export/${file}`, query)).replace('\uFEFF', '').split('\r\n')
  return (
    lines
      .find((one) => one.startsWith(`${name},`))
      ?.split(',')
      .slice(1) ?? []
  )
}

/** What the postings say of a day, and the orders. */
async function recount(day: string) {
  const { rows } = await shop.database.db.query<{ sales: number; uncosted: number; booked: number }>(
    `with sold as (
       select price_pesewas as price, cost_pesewas is null as uncosted from orders where completed_at::date = $1
       union all select -price_pesewas, cost_pesewas is null from orders where completed_at is not null and status = 'rejected' and decided_at::date = $1
     )
     select coalesce(sum(price), 0)::bigint as sales, coalesce(sum(price) filter (where uncosted), 0)::bigint as uncosted,
       (select sum(p.amount_pesewas) from postings p join journal_entries e on e.id = p.entry_id
        where p.account_id in (1, 2, 3, 10, 11, 14, 17, 20, 22) and e.created_at::date = $1)::bigint as booked
     from sold`,
    [day],
  )
  const { sales, uncosted, booked } = rows[0]!
  return { sales: sales / 100, profit: (booked - uncosted) / 100 }
}

test('every screen and file has the same sales, profit and orders to decide of a day, whatever happened on it', async () => {
  for (const day of ['2026-11-26', '2026-11-27']) {
    await liveOneDay(day)
    shop.clock.advance(MINUTE_MS)
    const { sales, profit } = await recount(day)
    const days = { from: day, to: day }
    const range = { from: `${day}T00:00:00.000Z`, until: shop.clock.now.toISOString() }

    const { sheet } = await read<{ sheet: DaySheet }>('/admin/day-close', range)
    const insight = await read<InsightReply>('/admin/insight', days)
    const whole = await read<ProfitReply>('/admin/profit', { from: day, until: day })
    const stats = await read<WholeStats>('/order/stats')
    const inbox = await read<InboxReply>('/admin/inbox')
    expect({
      dayClose: [sheet.earned.sales, sheet.earned.profit],
      insight: [insight.totals.sales, insight.totals.profit],
      insightOfDay: [insight.days[0]?.sales, insight.days[0]?.profit],
      profit: [whole.total.sales, whole.profit],
      profitOfDay: [whole.days[0]?.sales, whole.days[0]?.profit],
      inbox: inbox.day.profit?.profit,
      statistics: stats.salesPerDay.at(-1)?.value,
    }).toEqual({
      dayClose: [sales, profit],
      insight: [sales, profit],
      insightOfDay: [sales, profit],
      profit: [sales, profit],
      profitOfDay: [sales, profit],
      inbox: profit,
      statistics: sales,
    })
    const gross = whole.total.grossProfit
    expect([sheet.earned.grossProfit, insight.totals.grossProfit]).toEqual([gross, gross])
    expect(gross).not.toBe(profit)
    const orders = whole.total.orders
    expect([sheet.delivered, insight.totals.orders, inbox.day.profit?.delivered, stats.salesPerDay.at(-1)?.count]).toEqual(
      Array(4).fill(orders),
    )
    const byNetwork = (rows: readonly { network: string; sales: number }[]) => rows.map((row) => `${row.network} ${row.sales}`).sort()
    expect(byNetwork(sheet.networks)).toEqual(byNetwork(whole.networks))
    expect(byNetwork(insight.networks)).toEqual(byNetwork(whole.networks))

    expect((await line('day-close', 'Sales', range)).at(-1)).toBe(sales.toFixed(2))
    expect((await line('day-close', 'Gross profit', range)).at(-1)).toBe(gross.toFixed(2))
    expect((await line('day-close', 'Profit', range)).at(-1)).toBe(profit.toFixed(2))
    for (const name of [day, 'Total'])
      expect(await line('admin-insight', name, days)).toMatchObject([
        String(orders),
        sales.toFixed(2),
        gross.toFixed(2),
        {},
        profit.toFixed(2),
      ])

    // An order costs its buyer what it cost, refunded or not.
    expect(insight.totals.averagePrice).toBe(Math.round((whole.total.delivered * 100) / orders) / 100)
    const counts = await read<OrderCounts>('/admin/order-counts')
    const toDecide = counts.networks.reduce((sum, one) => sum + one.toDecide, 0)
    const inGroups = inbox.groups.filter(({ kind }) => kind === 'by-hand').reduce((sum, { count }) => sum + count, 0)
    expect([sheet.pending.toDecide, stats.waiting.orders.count, inGroups]).toEqual(Array(3).fill(toDecide))
  }
})

test('an earlier part of a day that is not over has what was sold and refunded in it', async () => {
  const day = '2026-11-28'
  await liveOneDay(day)
  const noon = shop.clock.now.toISOString()
  const { sales, profit } = await recount(day)
  shop.clock.advance(MINUTE_MS)
  await refund(delivered.pop()!)
  const before = await read<{ sheet: DaySheet }>('/admin/day-close', {
    from: `${day}T00:00:00.000Z`,
    until: new Date(Date.parse(noon) + 1).toISOString(),
  })
  expect([before.sheet.earned.sales, before.sheet.earned.profit]).toEqual([sales, profit])
})
