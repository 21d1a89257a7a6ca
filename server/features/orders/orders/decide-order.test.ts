import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ErrorBody } from '../../../../shared/errors.ts'
import type { Order } from '../../../../shared/orders.ts'
import type { SignedInUser, User } from '../../../../shared/users.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { balanceOf, call, cartLine, checkout, makeUser } from '../../../../test/builders.ts'

let shop: TestShop
let admin: SignedInUser
beforeAll(async () => {
  shop = await openTestShop()
  admin = await makeUser(shop, { level: 'Admin' })
})
afterAll(() => shop.close())

function decide<T = { order: Order }>(as: { token: string }, orderId: string, status: unknown) {
  return call<T>(shop, 'PUT', `/order/update-status/${orderId}`, { as, body: { status } })
}

async function buy(buyer: { token: string }): Promise<Order> {
  return (await checkout(shop, buyer, [await cartLine(shop)])).body.orders[0]!
}

/** What a wallet's statement says, oldest first, in pesewas. */
async function statementOf(userId: string): Promise<{ kind: string; amount: number; after: number }[]> {
  const { rows } = await shop.database.db.query<{ kind: string; amount: number; after: number }>(
    `select e.kind, p.amount_pesewas as amount, p.balance_after_pesewas as after
     from postings p join journal_entries e on e.id = p.entry_id join wallets w on w.account_id = p.account_id
     where w.user_id = $1 order by p.entry_id, p.line`,
    [userId],
  )
  return rows
}

async function totalPurchaseOf(user: { token: string }): Promise<number> {
  return (await call<User[]>(shop, 'GET', '/user', { as: user })).body[0]!.totalPurchase
}

describe('completing an order', () => {
  test('marks it and moves no money', async () => {
    const buyer = await makeUser(shop, { balance: 20 })
    const order = await buy(buyer)
    const { status, body } = await decide(admin, order._id, 'completed')
    expect(status).toBe(200)
    const decided = { status: 'completed', actionTimestamp: '21/11/2026 12:00:00' }
    expect(body.order).toEqual({ ...order, buyerPhone: buyer.phone, supplier: null, onHold: null, ...decided })
    expect([await balanceOf(shop, buyer._id), await totalPurchaseOf(buyer)]).toEqual([1450, 5.5])
    const { body: own } = await call<Order[]>(shop, 'GET', '/order/allorders', { as: buyer })
    const { supplier: _supplier, onHold: _onHold, buyerPhone: _phone, ...shown } = body.order
    expect(own).toEqual([shown])
  })
})

describe('rejecting an order', () => {
  test('refunds all that was paid, and the statement shows it', async () => {
    const buyer = await makeUser(shop, { balance: 20 })
    const [first, second] = [await buy(buyer), await buy(buyer)]
    const { body } = await decide(admin, first._id, 'rejected')
    expect([body.order._id, body.order.status]).toEqual([first._id, 'rejected'])
    expect(await statementOf(buyer._id)).toEqual([
      { kind: 'admin-credit', amount: 2000, after: 2000 },
      { kind: 'order', amount: -550, after: 1450 },
      { kind: 'order', amount: -550, after: 900 },
      { kind: 'order-refund', amount: 550, after: 1450 },
    ])
    expect(await totalPurchaseOf(buyer)).toBe(5.5)
    await decide(admin, second._id, 'rejected')
    expect([await balanceOf(shop, buyer._id), await totalPurchaseOf(buyer)]).toEqual([2000, 0])
  })

  test('refunds a banned user too', async () => {
    const buyer = await makeUser(shop, { balance: 20 })
    const order = await buy(buyer)
    await call(shop, 'PUT', `/user/${buyer._id}/status`, { as: admin, body: { status: 'Banned' } })
    expect((await decide(admin, order._id, 'rejected')).status).toBe(200)
    expect(await balanceOf(shop, buyer._id)).toBe(2000)
  })

  test('refunds an agent’s price even after they stopped being an agent', async () => {
    const buyer = await makeUser(shop, { level: 'Agent', balance: 20 })
    const { body } = await checkout(shop, buyer, [await cartLine(shop, { as: 'Agent' })])
    await call(shop, 'PUT', `/user/${buyer._id}/level`, { as: admin, body: { userLevel: 'Customer' } })
    await decide(admin, body.orders[0]!._id, 'rejected')
    expect(await balanceOf(shop, buyer._id)).toBe(2000)
  })

  test('refunds what was paid, not today’s price', async () => {
    const buyer = await makeUser(shop, { balance: 20 })
    const order = await buy(buyer)
    await shop.database.db.query(`update packages set price_customer_pesewas = 999 where offer = '1GB'`)
    await decide(admin, order._id, 'rejected')
    await shop.database.db.query(`update packages set price_customer_pesewas = 550 where offer = '1GB'`)
    expect(await balanceOf(shop, buyer._id)).toBe(2000)
  })

  test('does not let a repeated checkout buy or charge again', async () => {
    const buyer = await makeUser(shop, { balance: 20 })
    const key = randomUUID()
    const items = [await cartLine(shop)]
    const first = await checkout(shop, buyer, items, key)
    await decide(admin, first.body.orders[0]!._id, 'rejected')
    await checkout(shop, buyer, items, key)
    expect(await balanceOf(shop, buyer._id)).toBe(2000)
  })
})

describe('a decision', () => {
  test.each([
    ['completed', 'completed'],
    ['completed', 'rejected'],
    ['rejected', 'rejected'],
    ['rejected', 'completed'],
  ])('is final: after %s, %s is refused and moves nothing', async (first, second) => {
    const buyer = await makeUser(shop, { balance: 20 })
    const order = await buy(buyer)
    await decide(admin, order._id, first)
    const balance = await balanceOf(shop, buyer._id)
    const { status, body } = await decide<ErrorBody>(admin, order._id, second)
    expect([status, body.code, body.message]).toEqual([409, 'ALREADY_DECIDED', `That order is already ${first}.`])
    expect(await balanceOf(shop, buyer._id)).toBe(balance)
  })

  test('is recorded with who made it', async () => {
    const order = await buy(await makeUser(shop, { balance: 20 }))
    await decide(admin, order._id, 'rejected')
    const { rows } = await shop.database.db.query(`select actor_id, action, before, after from admin_actions where subject_id = $1`, [
      order._id,
    ])
    expect(rows).toEqual([{ actor_id: admin._id, action: 'order.rejected', before: { status: 'pending' }, after: { status: 'rejected' } }])
  })

  test.each(['pending', 'Completed', 'refunded', '', null])('is completed or rejected, never %j', async (status) => {
    const order = await buy(await makeUser(shop, { balance: 20 }))
    const reply = await decide<ErrorBody>(admin, order._id, status)
    expect([reply.status, reply.body.message]).toEqual([400, 'An order can be completed or rejected.'])
  })

  test('accepts the number shown on screens as the `_id`', async () => {
    const order = await buy(await makeUser(shop, { balance: 20 }))
    const { status, body } = await decide(admin, order.id, 'completed')
    expect([status, body.order._id, body.order.status]).toEqual([200, order._id, 'completed'])
    for (const unknown of ['1', '999999999999999999', '0', '01', '1e5', '-1', '9'.repeat(19)]) {
      expect([unknown, [400, 404].includes((await decide(admin, unknown, 'completed')).status)]).toEqual([unknown, true])
    }
  })

  test('about an unknown order is 404', async () => {
    const { status, body } = await decide<ErrorBody>(admin, randomUUID(), 'completed')
    expect([status, body.code, body.message]).toEqual([404, 'NOT_FOUND', 'That order does not exist.'])
  })

  test.each(['Customer', 'Agent'] as const)('cannot be made by a %s, even about their own order', async (level) => {
    const buyer = await makeUser(shop, { level, balance: 20 })
    const { body } = await checkout(shop, buyer, [await cartLine(shop, { as: level })])
    const order = body.orders[0]!
    for (const status of ['completed', 'rejected']) {
      expect((await decide(buyer, order._id, status)).status).toBe(403)
      expect((await decide({ token: 'x'.repeat(43) }, order._id, status)).status).toBe(401)
    }
    const { body: own } = await call<Order[]>(shop, 'GET', '/order/allorders', { as: buyer })
    expect(own.map(({ status }) => status)).toEqual(['pending'])
  })
})

test('Process and two Rejects at once, fifty times: one decision each, and a refund only for rejections', async () => {
  const second = await makeUser(shop, { level: 'Admin' })
  const buyer = await makeUser(shop, { balance: 50 * 5.5 })
  const line = await cartLine(shop)
  const { body } = await checkout(shop, buyer, Array(50).fill(line))
  const outcomes = { completed: 0, rejected: 0 }
  for (const order of body.orders) {
    const replies = await Promise.all([
      decide(admin, order._id, 'completed'),
      decide(second, order._id, 'rejected'),
      decide(admin, order._id, 'rejected'),
    ])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    outcomes[replies.find(({ status }) => status === 200)!.body.order.status as 'completed' | 'rejected'] += 1
  }
  expect(outcomes.completed + outcomes.rejected).toBe(50)
  expect(await balanceOf(shop, buyer._id)).toBe(outcomes.rejected * 550)
  const { rows } = await shop.database.db.query<{ status: string; total: number; refunds: number }>(
    `select o.status, count(*) as total, count(e.id) as refunds from orders o left join journal_entries e on e.key = 'order-refund:' || o.id
     where o.user_id = $1 group by o.status order by o.status`,
    [buyer._id],
  )
  expect(rows).toEqual(
    [
      { status: 'completed', total: outcomes.completed, refunds: 0 },
      { status: 'rejected', total: outcomes.rejected, refunds: outcomes.rejected },
    ].filter(({ total }) => total > 0),
  )
})

test('rejections race the purchases of the same wallet: every pesewa is accounted for', async () => {
  const buyer = await makeUser(shop, { balance: 20 * 5.5 })
  const line = await cartLine(shop)
  const { body } = await checkout(shop, buyer, Array(20).fill(line))
  const [decisions, purchases] = await Promise.all([
    Promise.all(body.orders.map((order) => decide(admin, order._id, 'rejected'))),
    Promise.all(Array.from({ length: 20 }, () => checkout(shop, buyer, [line]))),
  ])
  expect(decisions.every(({ status }) => status === 200)).toBe(true)
  const bought = purchases.filter(({ status }) => status === 200).length
  expect(await balanceOf(shop, buyer._id)).toBe((20 - bought) * 550)
})
