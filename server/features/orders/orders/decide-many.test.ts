import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ErrorBody } from '../../../../shared/errors.ts'
import type { Order } from '../../../../shared/orders.ts'
import type { SignedInUser } from '../../../../shared/users.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { actionsAbout, balanceOf, call, cartLine, checkout, makeUser } from '../../../../test/builders.ts'
import { makeCtx } from '../../../../test/settling.ts'
import { hashToken } from '../../../platform/hash-token.ts'
import { decideMany as decideManyOrders } from './decide-many.ts'

const NOBODY = '00000000-0000-4000-8000-000000000000'

let shop: TestShop
let admins: [SignedInUser, SignedInUser]
beforeAll(async () => {
  shop = await openTestShop()
  admins = [await makeUser(shop, { level: 'Admin' }), await makeUser(shop, { level: 'Admin' })]
})
afterAll(() => shop.close())

type Reply = { decided: Order[]; refused: { id: string; message: string }[] } & ErrorBody

function decideMany(ids: unknown, status: unknown, as: { token: string } = admins[0]) {
  return call<Reply>(shop, 'POST', '/order/decide-many', { as, body: { ids, status } })
}

async function buy(buyer: SignedInUser, count: number): Promise<Order[]> {
  const line = await cartLine(shop)
  return (
    await checkout(
      shop,
      buyer,
      Array.from({ length: count }, () => line),
    )
  ).body.orders
}

async function statusesOf(buyer: SignedInUser): Promise<string[]> {
  return (await call<Order[]>(shop, 'GET', '/order/allorders', { as: buyer })).body.map(({ status }) => status)
}

describe('deciding many orders', () => {
  test('completes all of them, in the order asked, with a record each', async () => {
    const buyer = await makeUser(shop, { balance: 100 })
    const orders = await buy(buyer, 5)
    const { status, body } = await decideMany(
      orders.map(({ _id }) => _id),
      'completed',
    )
    expect([status, body]).toEqual([
      200,
      {
        decided: orders.map((order) => ({
          ...order,
          buyerPhone: buyer.phone,
          supplier: null,
          onHold: null,
          status: 'completed',
          actionTimestamp: '21/11/2026 12:00:00',
        })),
        refused: [],
      },
    ])
    expect(await balanceOf(shop, buyer._id)).toBe(10_000 - 5 * 550)
    for (const { _id } of orders) {
      expect((await actionsAbout(shop, admins[0], _id)).map(({ action }) => action)).toEqual(['order.completed'])
    }
  })

  test('rejects and refunds all of them', async () => {
    const buyer = await makeUser(shop, { balance: 100 })
    const orders = await buy(buyer, 5)
    const { body } = await decideMany(
      orders.map(({ _id }) => _id),
      'rejected',
    )
    expect(body.decided).toHaveLength(5)
    expect(await balanceOf(shop, buyer._id)).toBe(10_000)
  })

  test('reports those already decided or unknown, and still decides the others', async () => {
    const buyer = await makeUser(shop, { balance: 100 })
    const [done, ...open] = await buy(buyer, 3)
    await decideMany([done!._id], 'completed')
    const { status, body } = await decideMany([open[0]!._id, NOBODY, done!._id, open[1]!._id], 'rejected')
    expect([status, body.decided.map(({ _id }) => _id)]).toEqual([200, open.map(({ _id }) => _id)])
    expect(body.refused).toEqual([
      { id: NOBODY, message: 'That order does not exist.' },
      { id: done!._id, message: 'That order is already completed.' },
    ])
    expect(await balanceOf(shop, buyer._id)).toBe(10_000 - 550)
  })

  test('stops at an internal error, which is not reported as a refusal', async () => {
    const buyer = await makeUser(shop, { balance: 20 })
    const [order] = await buy(buyer, 1)
    const enqueue = () => Promise.reject(new Error('the database went away'))
    const ctx = {
      ...makeCtx(shop, { id: admins[0]._id, level: 'Admin', sessionHash: hashToken(admins[0].token) }).ctx,
      jobs: { enqueue } as never,
    }
    await expect(decideManyOrders(ctx, { ids: [order!._id], status: 'completed' })).rejects.toThrow('the database went away')
    expect(await statusesOf(buyer)).toEqual(['pending'])
  })

  test('an order that is named three times is decided once', async () => {
    const buyer = await makeUser(shop, { balance: 20 })
    const [order] = await buy(buyer, 1)
    const { body } = await decideMany([order!._id, order!._id, order!._id], 'rejected')
    expect([body.decided.length, body.refused, await balanceOf(shop, buyer._id)]).toEqual([1, [], 2000])
  })

  test('two admins over the same orders, one completing and one rejecting: each order ends once, refunds to match', async () => {
    const buyer = await makeUser(shop, { balance: 500 })
    const ids = (await buy(buyer, 40)).map(({ _id }) => _id)
    const [completing, rejecting] = await Promise.all([
      decideMany(ids, 'completed', admins[0]),
      decideMany(ids.toReversed(), 'rejected', admins[1]),
    ])
    const [completed, rejected] = [completing!.body.decided.length, rejecting!.body.decided.length]
    expect([completed + rejected, completing!.body.refused.length, rejecting!.body.refused.length]).toEqual([40, rejected, completed])
    const statuses = await statusesOf(buyer)
    expect(statuses.filter((status) => status === 'rejected')).toHaveLength(rejected)
    expect(await balanceOf(shop, buyer._id)).toBe(50_000 - completed * 550)
  })
})

describe('orders at a supplier, among many', () => {
  const LISTED = ['waiting', 'sending', 'accepted', 'unknown', 'delivered'] as const
  const SETTLED = ['rejected', 'failed', 'cancelled'] as const

  /** One order by hand, then one for each way to stand at a supplier. */
  async function buyAtSupplier(): Promise<Order[]> {
    const orders = await buy(await makeUser(shop, { balance: 100 }), 1 + LISTED.length + SETTLED.length)
    for (const [index, status] of [...LISTED, ...SETTLED].entries()) {
      await shop.database.db.query(
        `insert into supplier_deliveries (order_id, reference, supplier, volume_mb, status, attempts, sent_at, created_at, updated_at)
         values ($1, $2, 'hubnet', 1000, $3::text, case $3 when 'waiting' then 0 else 1 end, now(), now(), now())`,
        [orders[index + 1]!._id, orders[index + 1]!.reference, status],
      )
    }
    return orders
  }
  const send = (orders: Order[], status: string, chosen?: object) =>
    call<Reply>(shop, 'POST', '/order/decide-many', {
      as: admins[0],
      body: { ids: orders.map(({ _id }) => _id), status, ...(chosen ? { chosen } : {}) },
    })

  test.each(['completed', 'rejected'])('are skipped unless chosen: %s', async (status) => {
    const [byHand, ...rest] = await buyAtSupplier()
    const [listed, settled] = [rest.slice(0, LISTED.length), rest.slice(LISTED.length)]
    const { body } = await send([byHand!, ...rest], status)
    expect(body.decided.map(({ _id }) => _id)).toEqual([byHand, ...settled].map((order) => order!._id))
    expect(body.refused.map(({ id }) => id)).toEqual(listed.map(({ _id }) => _id))
  })

  test.each([
    ['completed', ['delivered'], LISTED],
    ['rejected', ['waiting'], ['waiting', 'accepted', 'unknown', 'delivered']],
  ] as const)('that are chosen, to be %s: without a reason %j, with one %j', async (status, free, withReason) => {
    const orders = (await buyAtSupplier()).slice(1, 1 + LISTED.length)
    const chosen = { orders: orders.map(({ _id }, index) => ({ id: _id, supplierStatus: LISTED[index] })) }
    const namesOf = (decided: Order[]) => decided.map(({ _id }) => LISTED[orders.findIndex((order) => order._id === _id)])
    const first = await send(orders, status, chosen)
    expect(namesOf(first.body.decided)).toEqual(free)
    const second = await send(orders, status, { ...chosen, reason: 'Seen on their portal' })
    expect(namesOf(second.body.decided)).toEqual(withReason.filter((one) => !(free as readonly string[]).includes(one)))
  })

  test('are refused when their status changed since they were chosen', async () => {
    const orders = (await buyAtSupplier()).slice(1, 1 + LISTED.length)
    const chosen = { reason: 'Seen on their portal', orders: orders.map(({ _id }) => ({ id: _id, supplierStatus: 'failed' })) }
    expect((await send(orders, 'rejected', chosen)).body.decided).toEqual([])
  })

  test('need a reason of a few words', async () => {
    const [order] = await buyAtSupplier()
    const reply = await send([order!], 'rejected', { reason: ' x ', orders: [] })
    expect([reply.status, reply.body.message]).toEqual([400, 'Give a reason of 3 to 300 characters.'])
  })
})

describe('what is refused as a whole', () => {
  test.each<[string, unknown, unknown, string]>([
    ['no order', [], 'completed', 'Choose at least one order.'],
    ['101 orders', Array(101).fill(NOBODY), 'completed', 'Choose at most 100 orders.'],
    ['an id that is none', ['an order'], 'completed', 'That order does not exist.'],
    ['no list', NOBODY, 'completed', 'Choose the orders.'],
    ['another status', [NOBODY], 'pending', 'An order can be completed or rejected.'],
  ])('%s', async (_name, ids, status, message) => {
    const reply = await decideMany(ids, status)
    expect([reply.status, reply.body.message]).toEqual([400, message])
  })

  test('anyone but an admin; nothing is decided', async () => {
    const buyer = await makeUser(shop, { balance: 20 })
    const [order] = await buy(buyer, 1)
    for (const as of [buyer, await makeUser(shop, { level: 'Agent' })])
      expect((await decideMany([order!._id], 'rejected', as)).status).toBe(403)
    expect((await call(shop, 'POST', '/order/decide-many', { body: { ids: [order!._id], status: 'rejected' } })).status).toBe(401)
    expect([await statusesOf(buyer), await balanceOf(shop, buyer._id)]).toEqual([['pending'], 1450])
  })
})

test('accepts the number shown on screens as the `_id`, and decides an order named both ways once', async () => {
  const buyer = await makeUser(shop, { balance: 100 })
  const orders = (await buy(buyer, 3)) as [Order, Order, Order]
  const { status, body } = await decideMany([orders[0].id, orders[1]._id, orders[1].id, '987654321987654321', NOBODY], 'completed')
  expect([status, body.decided.map(({ _id }) => _id), body.refused.map(({ id }) => id)]).toEqual([
    200,
    [orders[0]._id, orders[1]._id],
    ['987654321987654321', NOBODY],
  ])
  expect(await statusesOf(buyer)).toEqual(['pending', 'completed', 'completed'])
})
