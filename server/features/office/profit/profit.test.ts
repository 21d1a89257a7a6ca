import { randomInt, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ProfitReply } from '../../../../shared/profit.ts'
import type { SignedInUser } from '../../../../shared/users.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { call, cartLine, checkout, findProduct, makeUser } from '../../../../test/builders.ts'
import { gatewayThat, makeCtx, paid } from '../../../../test/settling.ts'
import { makeReference } from '../../../platform/reference.ts'
import { insertPayment } from '../../card/payments/payments.sql.ts'
import { settlePayment } from '../../card/payments/settle-payment.ts'

const HOUR_MS = 3_600_000
const EVER = { from: '2026-01-01', until: '2027-12-31' }

let shop: TestShop
let admin: SignedInUser
let customer: SignedInUser
let agent: SignedInUser
let productId: string

beforeAll(async () => {
  shop = await openTestShop()
  productId = (await findProduct(shop, 'MTN'))._id
})
beforeEach(async () => {
  admin = await makeUser(shop, { level: 'Admin' })
  customer = await makeUser(shop, { balance: 1_000 })
  agent = await makeUser(shop, { balance: 1_000, level: 'Agent' })
  await setCost(null)
})
afterAll(() => shop.close())

async function setCost(cost: number | null, offer = '1GB') {
  await call(shop, 'PUT', '/admin/costs', { as: admin, body: { costs: [{ productId, offer, supplier: 'by-hand', cost }] } })
}

async function buy(as: SignedInUser, offer = '1GB') {
  const { body } = await checkout(shop, as, [await cartLine(shop, { offer, as: as.userLevel })])
  return body.orders[0]!
}

async function decide(orderId: string, status: 'completed' | 'rejected') {
  expect((await call(shop, 'PUT', `/order/update-status/${orderId}`, { as: admin, body: { status } })).status).toBe(200)
}

async function deliver(as: SignedInUser, offer = '1GB') {
  const order = await buy(as, offer)
  await decide(order._id, 'completed')
  return order
}

async function profit(query = EVER) {
  const reply = await call<ProfitReply>(shop, 'GET', '/admin/profit', { as: admin, query })
  expect(reply.status).toBe(200)
  return reply.body
}

/** The profit that the ledger's accounts have, without the sales whose cost is not known: counted from the postings alone. */
async function profitInLedger() {
  const { rows } = await shop.database.db.query<{ profit: number }>(
    `select (select coalesce(sum(p.amount_pesewas), 0) from postings p join accounts a on a.id = p.account_id
        where a.code in ('sales', 'card-surcharges', 'agent-upgrade-fees', 'cost-of-sales', 'provider-fees', 'dispute-losses'))
      - (select coalesce(sum(price_pesewas), 0) from orders where status = 'completed' and cost_pesewas is null) as profit`,
  )
  return rows[0]!.profit / 100
}

async function refundReported(orderId: string, as: SignedInUser) {
  shop.clock.advance(5 * HOUR_MS)
  admin = await makeUser(shop, { level: 'Admin' })
  const { body } = await call<{ report: { _id: string } }>(shop, 'POST', `/order/${orderId}/report`, { as, body: { text: 'Nothing came' } })
  const ended = await call(shop, 'PUT', `/admin/reports/${body.report._id}/end`, {
    as: admin,
    body: { outcome: 'refunded', text: 'It never came' },
  })
  expect(ended.status).toBe(200)
}

function record(cost: number, as: { token: string } = admin) {
  return call<{ orders: number; left: number }>(shop, 'POST', '/admin/profit/uncosted', {
    as,
    body: { productId, offer: '1GB', supplier: 'by-hand', cost },
  })
}

describe('profit', () => {
  test('is what delivered orders earned, by day, network, supplier and agent', async () => {
    await setCost(4)
    const before = await profit()
    await deliver(customer)
    const { totalAmount } = await deliver(agent)
    await buy(customer)
    await decide((await buy(customer))._id, 'rejected')
    const after = await profit()
    const sales = 5.5 + totalAmount
    expect(after.total.orders).toBe(before.total.orders + 2)
    expect(after.total.sales).toBeCloseTo(before.total.sales + sales)
    expect(after.total.cost).toBeCloseTo(before.total.cost + 8)
    expect(after.profit).toBeCloseTo(before.profit + sales - 8)
    const today = shop.clock.now.toISOString().slice(0, 10)
    expect(await profit({ from: today, until: today })).toMatchObject({ days: [{ day: today, profit: after.profit }] })
    expect(after.networks).toMatchObject([{ network: 'MTN', sales: after.total.sales }])
    expect(after.suppliers).toMatchObject([{ supplier: 'by-hand', cost: after.total.cost }])
    expect(after.agents.find(({ agentId }) => agentId === agent._id)).toMatchObject({
      username: agent.username,
      orders: 1,
      sales: totalAmount,
      cost: 4,
    })
    expect((await profit({ from: '2026-01-01', until: '2026-01-02' })).total.orders).toBe(0)
  })

  test('leaves orders without a cost out, and counts them apart, until somebody says what they cost', async () => {
    const before = await profit()
    await deliver(customer)
    const without = await profit()
    expect(without.profit).toBe(before.profit)
    expect(without.total.uncostedOrders).toBe(before.total.uncostedOrders + 1)
    const { body } = await call<{ packages: { offer: string; orders: number; costNow: number | null }[] }>(
      shop,
      'GET',
      '/admin/profit/uncosted',
      { as: admin },
    )
    expect(body.packages).toMatchObject([{ offer: '1GB', orders: without.total.uncostedOrders, costNow: null }])
    const recorded = await record(4)
    expect([recorded.status, recorded.body]).toEqual([200, { orders: without.total.uncostedOrders, left: 0 }])
    const after = await profit()
    expect(after.total.uncostedOrders).toBe(0)
    expect(after.profit).toBe(await profitInLedger())
    expect(after.profit).toBeGreaterThan(before.profit)
  })

  test('loses the price of what is refunded afterwards, and keeps its cost', async () => {
    await setCost(4)
    const order = await deliver(customer)
    const before = await profit()
    await refundReported(order._id, customer)
    const after = await profit()
    expect(after.total.refundedOrders).toBe(before.total.refundedOrders + 1)
    expect(after.profit).toBeCloseTo(before.profit - 5.5)
    expect(after.profit).toBe(await profitInLedger())
  })

  test('has the surcharge of a card payment and the fee that its provider kept', async () => {
    await setCost(4)
    const before = await profit()
    const reference = makeReference()
    const now = shop.clock.now
    // The loop of the shop must not come first.
    const checkAt = new Date(now.getTime() + 48 * HOUR_MS)
    const line = { product: productId, network: null, offer: '1GB', receiver: '0551234567', expectedPricePesewas: 550, clientId: null }
    const payment = { reference, userId: customer._id, purpose: 'order' as const, lines: [line], pricePesewas: 550, surchargePesewas: 17 }
    await insertPayment(shop.database.db, { ...payment, now, checkAt })
    await settlePayment(makeCtx(shop).ctx, gatewayThat(paid(567, { feePesewas: 11 })), reference)
    const after = await profit()
    expect(after.other.surcharges).toBeCloseTo(before.other.surcharges + 0.17)
    expect(after.other.providerFees).toBeCloseTo(before.other.providerFees + 0.11)
    expect(after.profit).toBeCloseTo(before.profit + 0.06)
  })

  test('equals the ledger after whatever happened, before and after folding', async () => {
    for (let step = 0; step < 40; step++) {
      const as = randomInt(2) ? customer : agent
      const offer = randomInt(2) ? '1GB' : '2GB'
      if (randomInt(4) === 0) await setCost(randomInt(3) ? randomInt(300, 500) / 100 : null, offer)
      const order = await buy(as, offer)
      const fate = randomInt(6)
      if (fate === 0) await decide(order._id, 'rejected')
      else if (fate < 5) await decide(order._id, 'completed')
      if (fate === 4) await refundReported(order._id, as)
      if (randomInt(10) === 0) await record(randomInt(300, 500) / 100)
    }
    const read = await profit()
    expect(read.profit).toBe(await profitInLedger())
    await shop.database.db.query('select fold_account_deltas(), fold_delivery_deltas()')
    expect(await profit()).toEqual(read)
    await shop.database.db.query(`select add_up_days('infinity', 1000)`)
    expect(await profit()).toEqual(read)
    // What is known only later changes a day that was added up.
    await deliver(customer)
    await record(4)
    await shop.database.db.query('select fold_account_deltas(), fold_delivery_deltas()')
    expect((await profit()).profit).toBe(await profitInLedger())
    expect(Math.round(read.days.reduce((sum, day) => sum + day.profit * 100, 0))).toBe(Math.round(read.profit * 100))
  })
})

describe('what orders have cost', () => {
  test('is recorded once, by whom, also when two do it at the same time', async () => {
    const order = await deliver(customer)
    const replies = await Promise.all([record(4), record(4.5)])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 404])
    expect((await record(4)).status).toBe(404)
    const { rows } = await shop.database.db.query(
      `select e.actor_id as by, o.cost_pesewas as cost, -p.amount_pesewas as booked from orders o
       join journal_entries e on e.key = 'delivery-cost:' || o.id join postings p on p.entry_id = e.id and p.account_id = 10 where o.id = $1`,
      [order._id],
    )
    const cost = replies[0]!.status === 200 ? 400 : 450
    expect(rows).toEqual([{ by: admin._id, cost, booked: cost }])
  })

  test('is for the finances: no customer reads it or says it', async () => {
    await deliver(customer)
    expect((await record(4, agent)).status).toBe(403)
    expect((await call(shop, 'GET', '/admin/profit', { as: agent, query: EVER })).status).toBe(403)
    expect((await call(shop, 'GET', '/admin/profit')).status).toBe(401)
    expect((await record(4)).status).toBe(200)
  })

  test.each([
    ['no cost', { cost: 0 }],
    ['a supplier that nobody could have', { supplier: `${randomUUID()} ${randomUUID()}` }],
  ])('refuses %s', async (_what, wrong) => {
    const body = { productId, offer: '1GB', supplier: 'by-hand', cost: 4, ...wrong }
    expect((await call(shop, 'POST', '/admin/profit/uncosted', { as: admin, body })).status).toBe(400)
  })

  test('a range that ends before it begins, and a day that is none, are refused', async () => {
    for (const query of [
      { from: '2026-02-02', until: '2026-02-01' },
      { from: '2026-13-01', until: '2026-13-02' },
    ])
      expect((await call(shop, 'GET', '/admin/profit', { as: admin, query })).status).toBe(400)
  })
})
