import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Order, OrderProgress } from '../../../../shared/orders.ts'
import type { SignedInUser } from '../../../../shared/users.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { call, cartLine, checkout, makeUser } from '../../../../test/builders.ts'

let shop: TestShop
let admin: SignedInUser
let buyer: SignedInUser

beforeAll(async () => {
  shop = await openTestShop()
})
afterAll(() => shop.close())

/** Far enough ahead for the orders of one test to be too old for the next. */
beforeEach(async () => {
  shop.clock.advance(60 * 24 * 60 * 60_000)
  await signIn()
})

async function signIn() {
  admin = await makeUser(shop, { level: 'Admin' })
  buyer = await makeUser(shop, { balance: 10_000 })
}

const MINUTE = 60_000

async function buy(count = 1, network = 'MTN'): Promise<Order[]> {
  const line = await cartLine(shop, network === 'MTN' ? {} : { network, offer: '5GB', phoneNumber: '0201234567' })
  const { status, body } = await checkout(
    shop,
    buyer,
    Array.from({ length: count }, () => line),
  )
  expect(status).toBe(200)
  return body.orders
}

async function decide(order: Order, status: 'completed' | 'rejected') {
  const reply = await call(shop, 'PUT', `/order/update-status/${order._id}`, {
    as: admin,
    body: { status, override: { reason: 'as the test says' } },
  })
  expect(reply.status).toBe(200)
}

/** What a supplier answers, written as its adapter's job does. */
async function answer(order: Order, status: 'accepted' | 'unknown' | 'delivered') {
  await shop.database.db.query(
    `insert into supplier_deliveries (order_id, reference, supplier, volume_mb, status, attempts, sent_at, created_at, updated_at)
     values ($1, $2, 'hubnet', 1000, 'waiting', 1, $3, $3, $3) on conflict do nothing`,
    [order._id, order.reference, shop.clock.now],
  )
  await shop.database.db.query('update supplier_deliveries set status = $2, updated_at = $3 where order_id = $1', [
    order._id,
    status,
    shop.clock.now,
  ])
}

async function read(order: Order, as = buyer) {
  return call<{ order: Order; progress: OrderProgress }>(shop, 'GET', `/order/${order._id}`, { as })
}

async function stepsOf(order: Order) {
  const { body } = await read(order)
  const start = new Date(order.createdAt).getTime()
  return body.progress.steps.map(({ step, at }) => `${step} ${at === null ? '-' : (new Date(at).getTime() - start) / MINUTE}`)
}

describe('one order', () => {
  test('is read by its buyer, by its number too, and by an admin, and by nobody else', async () => {
    const [order] = (await buy()) as [Order]
    const { status, body } = await read(order)
    expect([status, body.order]).toEqual([200, order])
    expect((await call(shop, 'GET', `/order/${order.number}`, { as: buyer })).status).toBe(200)
    const forAdmin = await read(order, admin)
    expect(forAdmin.body.order).toMatchObject({ _id: order._id, supplier: null })
    expect((await read(order, await makeUser(shop, { level: 'Agent' }))).status).toBe(404)
    expect((await call(shop, 'GET', '/order/999999999', { as: buyer })).status).toBe(404)
    expect((await call(shop, 'GET', '/order/allorders', { as: buyer })).status).toBe(200)
  })

  test('by hand: paid, then completed', async () => {
    const [order] = (await buy()) as [Order]
    expect(await stepsOf(order)).toEqual(['paid 0', 'delivered -'])
    shop.clock.advance(7 * MINUTE)
    await decide(order, 'completed')
    expect(await stepsOf(order)).toEqual(['paid 0', 'completed 7'])
  })

  test('through a supplier: sent when it took the order, delivered only when it said so, each at its first time', async () => {
    const [order] = (await buy()) as [Order]
    shop.clock.advance(MINUTE)
    await answer(order, 'unknown')
    expect(await stepsOf(order)).toEqual(['paid 0', 'delivered -'])
    shop.clock.advance(MINUTE)
    await answer(order, 'accepted')
    shop.clock.advance(MINUTE)
    await answer(order, 'accepted')
    expect(await stepsOf(order)).toEqual(['paid 0', 'sent 2', 'delivered -'])
    shop.clock.advance(MINUTE)
    await answer(order, 'delivered')
    shop.clock.advance(MINUTE)
    await answer(order, 'delivered')
    expect(await stepsOf(order)).toEqual(['paid 0', 'sent 2', 'delivered 4'])
    await decide(order, 'completed')
    expect(await stepsOf(order)).toEqual(['paid 0', 'sent 2', 'delivered 4'])
  })

  test('completed by hand while its supplier has not reported back: completed, not delivered', async () => {
    const [order] = (await buy()) as [Order]
    await answer(order, 'accepted')
    shop.clock.advance(3 * MINUTE)
    await decide(order, 'completed')
    expect(await stepsOf(order)).toEqual(['paid 0', 'sent 0', 'completed 3'])
  })

  test('rejected: the refund is the last step', async () => {
    const [order] = (await buy()) as [Order]
    await answer(order, 'accepted')
    shop.clock.advance(5 * MINUTE)
    await decide(order, 'rejected')
    expect(await stepsOf(order)).toEqual(['paid 0', 'sent 0', 'refunded 5'])
  })
})

describe('when to expect it', () => {
  test('is unknown after nineteen orders; after twenty it is what eight in ten took, rounded outwards', async () => {
    const orders = await buy(20)
    for (const [at, order] of orders.entries()) {
      shop.clock.advance(30_000)
      if (at < 19) await decide(order, 'completed')
    }
    const [waiting] = (await buy()) as [Order]
    expect((await read(waiting)).body.progress.expected).toBeNull()
    await decide(orders[19] as Order, 'completed')
    // They took 30 s, 60 s, … 600 s: one in ten at most 87 s, nine in ten at most 543 s.
    expect((await read(waiting)).body.progress.expected).toEqual({
      fromMinutes: 1,
      toMinutes: 10,
      by: new Date(new Date(waiting.createdAt).getTime() + 10 * MINUTE).toISOString(),
    })
  })

  test('goes by the network, by the last thirty days, and by the supplier’s report where there is one', async () => {
    const before = await buy(20)
    for (const order of before) await decide(order, 'completed')
    shop.clock.advance(31 * 24 * 60 * MINUTE)
    await signIn()
    const orders = await buy(20)
    for (const order of orders) await answer(order, 'accepted')
    shop.clock.advance(6 * MINUTE)
    for (const order of orders) await answer(order, 'delivered')
    shop.clock.advance(60 * MINUTE)
    for (const order of orders) await decide(order, 'completed')
    const [mtn] = (await buy()) as [Order]
    expect((await read(mtn)).body.progress.expected).toMatchObject({ fromMinutes: 6, toMinutes: 6 })
    const [telecel] = (await buy(1, 'Telecel')) as [Order]
    expect((await read(telecel)).body.progress.expected).toBeNull()
  })

  test('is not said of an order that has come, or was refunded', async () => {
    for (const order of await buy(20)) await decide(order, 'completed')
    const [delivered, rejected, waiting] = (await buy(3)) as [Order, Order, Order]
    await answer(delivered, 'delivered')
    await decide(rejected, 'rejected')
    const expected = await Promise.all([delivered, rejected, waiting].map(async (order) => (await read(order)).body.progress.expected))
    expect(expected).toEqual([null, null, expect.objectContaining({ fromMinutes: 1, toMinutes: 1 })])
  })
})
