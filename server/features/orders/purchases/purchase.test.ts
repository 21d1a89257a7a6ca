import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ErrorBody } from '../../../../shared/errors.ts'
import type { Order } from '../../../../shared/orders.ts'
import { SEES_ORDERS, SEES_WALLETS } from '../../../../shared/staff-rules.ts'
import type { SignedInUser } from '../../../../shared/users.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { balanceOf, call, cartLine, checkout, findProduct, makeUser } from '../../../../test/builders.ts'
import { makeCtx } from '../../../../test/settling.ts'
import { until } from '../../../../test/until.ts'
import { AppError, Banned, KeyReused, PurchasesPaused } from '../../../platform/errors.ts'
import { selectJobOrders } from '../../office/failed-jobs/job-subjects.sql.ts'
import { inUseSince } from '../../people/sessions/find-actor.ts'
import { announceOrder } from '../orders/events.ts'
import { type OrderRow, selectOrder } from '../orders/orders.sql.ts'
import { placeOrders, placeOrdersWithSession } from './place-orders.ts'
import { deleteOldKeys, type PurchaseLine } from './purchases.sql.ts'
import { cartPath } from './refuse-lines.ts'

let shop: TestShop
let buyer: SignedInUser
let line: PurchaseLine

beforeAll(async () => {
  shop = await openTestShop()
  const { productId, offer, phoneNumber } = await cartLine(shop)
  line = { product: productId, network: null, offer, receiver: phoneNumber, expectedPricePesewas: 550, clientId: null }
})
beforeEach(async () => {
  buyer = await makeUser(shop, { balance: 20 })
})
afterAll(() => shop.close())

function asBuyer() {
  return makeCtx(shop, { id: buyer._id, username: buyer.username, level: 'Customer', status: 'Active', createdAt: shop.clock.now })
}

/** By the buyer's id, and by the buyer's session. */
const WAYS = {
  'of who has been found': (ctx: ReturnType<typeof asBuyer>['ctx'], lines: PurchaseLine[], key: string) =>
    placeOrders(ctx, { key, lines, pathOf: cartPath }),
  'of whoever a token belongs to': (ctx: ReturnType<typeof asBuyer>['ctx'], lines: PurchaseLine[], key: string) =>
    placeOrdersWithSession(ctx, buyer.token, { key, lines, pathOf: cartPath }),
}

describe.each(Object.entries(WAYS))('a purchase %s', (_name, buy) => {
  test('is announced to the buyer and the admins, once, with the new balance', async () => {
    const { ctx, announced } = asBuyer()
    const key = randomUUID()
    const first = await buy(ctx, [line, line], key)
    expect(first).toMatchObject({ balancePesewas: 900, balanceVersion: 3, replayed: false })
    expect(first?.orders.map((order) => [order.username, order.pricePesewas, order.createdAt])).toEqual(
      Array(2).fill([buyer.username, 550, shop.clock.now]),
    )
    const order = [
      [{ user: buyer._id }, 'ordersUpdated'],
      [{ staff: SEES_ORDERS }, 'ordersUpdated'],
    ]
    expect(announced.map(({ to, event }) => [to, event])).toEqual([
      ...order,
      ...order,
      [{ user: buyer._id }, 'CurrUserUpdated'],
      [{ staff: SEES_WALLETS }, 'userUpdated'],
    ])
    expect(announced.at(-1)?.payload).toMatchObject({ _id: buyer._id, username: buyer.username, balance: 9, totalPurchase: 11 })
    expect(await buy(ctx, [line, line], key)).toEqual({ ...first, replayed: true })
    expect(announced).toHaveLength(6)
  })

  test('under a key of another cart is refused, and nothing is announced', async () => {
    const { ctx, announced } = asBuyer()
    const key = randomUUID()
    await buy(ctx, [line], key)
    await expect(buy(ctx, [line, line], key)).rejects.toThrow(KeyReused)
    expect([announced.length, await balanceOf(shop, buyer._id)]).toEqual([4, 1_450])
  })

  test('is refused while purchases are paused', async () => {
    await shop.database.db.query(`insert into purchase_pauses (paused_at, found) values ($1, '[]')`, [shop.clock.now])
    await expect(buy(asBuyer().ctx, [line], randomUUID())).rejects.toThrow(PurchasesPaused)
    await shop.database.db.query(`update purchase_pauses set lifted_at = $1, lifted_by = $2, lift_reason = 'well'`, [
      shop.clock.now,
      buyer._id,
    ])
  })

  test('explains each line that cannot be bought', async () => {
    const error = await buy(asBuyer().ctx, [{ ...line, offer: '999GB' }, line, { ...line, expectedPricePesewas: 549 }], randomUUID()).catch(
      (thrown: unknown) => thrown,
    )
    expect(error).toBeInstanceOf(AppError)
    expect(error).toMatchObject({
      status: 409,
      code: 'NOT_AVAILABLE',
      message: 'MTN 999GB is not sold here at the moment. Nothing was charged.',
      issues: [
        { path: 'items.0.offer', message: 'MTN 999GB is not sold here at the moment. Nothing was charged.' },
        { path: 'items.2.amount', message: 'The price of MTN 1GB is now GHS 5.50. Nothing was charged.' },
      ],
    })
  })
})

test('a user banned during the request buys nothing', async () => {
  await shop.database.db.query(`update users set status = 'Banned' where id = $1`, [buyer._id])
  await expect(placeOrders(asBuyer().ctx, { key: randomUUID(), lines: [line], pathOf: cartPath })).rejects.toThrow(Banned)
  expect(await placeOrdersWithSession(asBuyer().ctx, buyer.token, { key: randomUUID(), lines: [line], pathOf: cartPath })).toBeNull()
})

test.each([
  ['used long enough ago to be looked at again', 'last_used_at', -1, false],
  ['used just lately enough', 'last_used_at', 0, true],
  ['that has ended this instant', 'expires_at', 0, false],
  ['that ends in an instant', 'expires_at', 1, true],
] as const)('a session %s is no way to buy at once, or is one', async (_name, column, byMs, buys) => {
  const edge = column === 'last_used_at' ? inUseSince(shop.clock.now) : shop.clock.now
  await shop.database.db.query(`update sessions set ${column} = $1 where user_id = $2`, [new Date(edge.getTime() + byMs), buyer._id])
  const bought = await placeOrdersWithSession(asBuyer().ctx, buyer.token, { key: randomUUID(), lines: [line], pathOf: cartPath })
  expect(bought?.orders.length ?? null).toBe(buys ? 1 : null)
})

test('another database error is not reported as a used key', async () => {
  const bought = placeOrders(asBuyer().ctx, { key: randomUUID(), lines: [{ ...line, receiver: 'nobody' }], pathOf: cartPath })
  await expect(bought).rejects.toMatchObject({ constraint: 'orders_receiver_check' })
  expect(await balanceOf(shop, buyer._id)).toBe(2_000)
})

test('an unknown token buys nothing', async () => {
  expect(await placeOrdersWithSession(asBuyer().ctx, 'x'.repeat(43), { key: randomUUID(), lines: [line], pathOf: cartPath })).toBeNull()
})

describe('POST /order/create', () => {
  const create = (newOrder: Record<string, unknown>) =>
    call<{ order: Order } & ErrorBody>(shop, 'POST', '/order/create', {
      as: buyer,
      body: { newOrder: { id: 'mine', network: 'MTN', offer: '1GB', receiver: '0551234567', totalAmount: 5.5, ...newOrder } },
    })

  test('marks a repeated reply', async () => {
    const replies = [await create({}), await create({})]
    expect(replies.map(({ headers }) => headers['idempotency-replayed'])).toEqual([undefined, 'true'])
  })

  test('buys of the product that it names', async () => {
    const { _id } = await findProduct(shop, 'MTN')
    expect((await create({ productId: _id })).body.order).toMatchObject({ network: 'MTN', offer: '1GB' })
    const other = await create({ id: 'other', productId: (await findProduct(shop, 'Telecel'))._id })
    expect([other.status, other.body.code, other.body.issues?.[0]?.path]).toEqual([409, 'NOT_AVAILABLE', 'newOrder.offer'])
  })

  test('returns the order that has the id, even after the key was deleted, and never makes a second one', async () => {
    const first = await create({})
    await shop.database.db.query('delete from idempotency_keys where user_id = $1', [buyer._id])
    const again = await create({})
    expect([again.status, again.headers['idempotency-replayed'], again.body.order]).toEqual([200, 'true', first.body.order])
    for (const other of [{ receiver: '0551234568' }, { offer: '2GB', totalAmount: 10.5 }, { totalAmount: 5 }, { network: 'Telecel' }]) {
      expect((await create(other)).body.code).toBe('KEY_REUSED')
      await shop.database.db.query('delete from idempotency_keys where user_id = $1', [buyer._id])
      expect((await create(other)).body.code).toBe('KEY_REUSED')
    }
    expect(await balanceOf(shop, buyer._id)).toBe(1_450)
  })

  test('returns the client’s id to that client, and the shop’s own number to everyone else', async () => {
    const id = 'send-float-to-0551234567'
    const admin = await makeUser(shop, { level: 'Admin' })
    const { order } = (await create({ id })).body
    expect([order.id, order.items[0]?.id, order.number]).toEqual([id, id, expect.stringMatching(/^[0-9]{5,}$/)])
    const own = await call<Order[]>(shop, 'GET', '/order/allorders', { as: buyer })
    expect(own.body.map((one) => [one.id, one.number])).toEqual([[id, order.number]])

    const found = async (search: string) =>
      (await call<Order[]>(shop, 'GET', `/order/allorders?search=${search}`, { as: admin })).body.filter(({ _id }) => _id === order._id)
    expect((await found(order.number)).map((one) => [one.id, one.number, one.items[0]?.id])).toEqual([Array(3).fill(order.number)])
    expect(await found(id)).toEqual([])
    const decided = await call<{ order: Order }>(shop, 'PUT', `/order/update-status/${order._id}`, {
      as: admin,
      body: { status: 'completed' },
    })
    const seen = [
      decided.body,
      (await call(shop, 'GET', '/admin/actions', { as: admin })).body,
      (await shop.app.inject({ url: '/api/export/admin-orders', headers: { authorization: `Bearer ${admin.token}` } })).body,
      [...(await selectJobOrders(shop.database.db, [order._id])).values()],
    ].map((each) => JSON.stringify(each))
    for (const text of seen) {
      expect(text).toContain(order.number)
      expect(text).not.toContain(id)
    }
    const { ctx, announced } = makeCtx(shop)
    announceOrder(ctx, (await selectOrder(shop.database.db, order._id)) as OrderRow)
    expect(announced.map(({ to, payload }) => [to, (payload as Order).id])).toEqual([
      [{ user: buyer._id }, id],
      [{ staff: SEES_ORDERS }, order.number],
    ])
  })

  test.each([
    ['nothing', ''],
    ['65 characters', 'x'.repeat(65)],
    ['a space', 'order 7'],
    ['a line break', 'order\n7'],
    ['a control character', 'order\u00007'],
    ['text that turns the direction', '\u202eorder'],
    ['letters that are joined by nothing visible', 'or\u200bder'],
    ['letters of another script', 'оrder'],
    ['a number below zero', -1],
    ['half a number', 0.5],
  ])('takes no id of %s', async (_name, id) => {
    const { status, body } = await create({ id })
    const message = 'An order needs an id of 1 to 64 letters, digits or signs, without spaces.'
    expect([status, body.issues]).toEqual([400, [{ path: 'newOrder.id', message }]])
  })

  test.each(['x', 'x'.repeat(64), '0.8437', '3f2a-77_b:1', 1_763_812_345_678])('takes the id %j of a client', async (id) => {
    expect((await create({ id })).body.order.id).toBe(String(id))
  })

  test('returns the order’s current status after the key was deleted', async () => {
    const first = await create({})
    const admin = await makeUser(shop, { level: 'Admin' })
    await call(shop, 'PUT', `/order/update-status/${first.body.order._id}`, { as: admin, body: { status: 'completed' } })
    await shop.database.db.query('delete from idempotency_keys where user_id = $1', [buyer._id])
    expect((await create({})).body.order).toMatchObject({ status: 'completed', actionTimestamp: expect.any(String) })
  })

  test.each([
    ['the balance was too little', { offer: '5GB', totalAmount: 25.5 }],
    ['the price had changed', { totalAmount: 5 }],
    ['the offer was gone', { offer: '999GB' }],
  ])('leaves the id free when %s, so that the next attempt can use it', async (_name, wanted) => {
    const refused = await create(wanted)
    expect(refused.status).toBeGreaterThanOrEqual(400)
    expect((await shop.database.db.query('select from idempotency_keys where user_id = $1', [buyer._id])).rowCount).toBe(0)
    expect((await create({})).status).toBe(200)
  })
})

describe('a remembered refusal', () => {
  const cart = (lines: number) =>
    Array.from({ length: lines }, (_, index) => ({
      ...line,
      ...(index % 3 === 0 ? { expectedPricePesewas: 549 } : {}),
      ...(index % 3 === 1 ? { offer: '999GB' } : {}),
    }))
  const buy = (key: string, lines: PurchaseLine[]) =>
    placeOrders(asBuyer().ctx, { key, lines, pathOf: cartPath }).catch((thrown: AppError) => ({ ...thrown, message: thrown.message }))
  const kept = async () =>
    (
      await shop.database.db.query<{ key: string; bytes: number }>(
        'select key, pg_column_size(k) as bytes from idempotency_keys k where user_id = $1 order by created_at',
        [buyer._id],
      )
    ).rows

  test('of a hundred lines is repeated word for word, and takes less than a kilobyte', async () => {
    const key = randomUUID()
    const first = await buy(key, cart(100))
    expect(first).toMatchObject({ code: 'PRICE_CHANGED' })
    const { rows } = await shop.database.db.query<{ price: number }>(
      'update packages set price_customer_pesewas = price_customer_pesewas + 1 where offer = $1 and product_id = $2 returning price_customer_pesewas as price',
      [line.offer, line.product],
    )
    expect(rows).toHaveLength(1)
    expect(await buy(key, cart(100))).toEqual(first)
    await shop.database.db.query(
      'update packages set price_customer_pesewas = price_customer_pesewas - 1 where offer = $1 and product_id = $2',
      [line.offer, line.product],
    )
    expect((await kept()).map(({ bytes }) => bytes < 1_000)).toEqual([true])
  })

  test('is one of the user’s newest twenty', async () => {
    const keys = Array.from({ length: 25 }, () => randomUUID())
    for (const key of keys) {
      shop.clock.advance(1)
      await buy(key, cart(1))
    }
    expect((await kept()).map(({ key }) => key)).toEqual(keys.slice(5))
    // What was bought is not forgotten with them.
    const bought = randomUUID()
    await buy(bought, [line])
    for (let count = 0; count < 25; count++) await buy(randomUUID(), cart(1))
    expect(await kept()).toHaveLength(21)
    expect(await buy(bought, [line])).toMatchObject({ replayed: true })
  })

  test('is deleted after a day, and a purchase’s key after a week', async () => {
    const day = 24 * 3_600_000
    await buy('refused', cart(1))
    await buy('bought', [line])
    const left = async (ageMs: number) => {
      const now = shop.clock.now.getTime() + ageMs
      await deleteOldKeys(shop.database.db, { before: new Date(now - 7 * day), refusedBefore: new Date(now - day) })
      return (await kept()).map(({ key }) => key)
    }
    expect(new Set(await left(day))).toEqual(new Set(['refused', 'bought']))
    expect(await left(day + 1)).toEqual(['bought'])
    expect(await left(7 * day)).toEqual(['bought'])
    expect(await left(7 * day + 1)).toEqual([])
  })
})

describe('a purchase that waits for the wallet sees what was committed meanwhile', () => {
  type Answer = { status: number; body: { code?: string } }
  let admin: SignedInUser
  let agent: SignedInUser
  beforeAll(async () => {
    admin = await makeUser(shop, { level: 'Admin' })
  })
  beforeEach(async () => {
    agent = await makeUser(shop, { level: 'Agent', balance: 20 })
  })

  const WAYS = {
    checkout: (): Promise<Answer> =>
      checkout(shop, agent, [{ productId: line.product as string, offer: '1GB', phoneNumber: '0551234567', amount: 4.7 }]),
    create: (): Promise<Answer> =>
      call(shop, 'POST', '/order/create', {
        as: agent,
        body: { newOrder: { id: 'late', network: 'MTN', offer: '1GB', receiver: '0551234567', totalAmount: 4.7, productId: line.product } },
      }),
  }
  const ask = (method: string, path: string, body: object) => call(shop, method as 'PUT', path, { as: admin, body })
  const setPackage = (sql: string) =>
    shop.database.db.query(`update packages set ${sql} where product_id = $1 and offer = '1GB'`, [line.product])

  const CHANGES: Record<string, { change: () => Promise<unknown>; undo?: () => Promise<unknown>; code: string }> = {
    'a ban': { change: () => ask('PUT', `/user/${agent._id}/status`, { status: 'Banned' }), code: 'BANNED' },
    'a demotion': { change: () => ask('PUT', `/user/${agent._id}/level`, { userLevel: 'Customer' }), code: 'PRICE_CHANGED' },
    'another price': {
      change: () => setPackage('price_agent_pesewas = price_agent_pesewas + 1'),
      undo: () => setPackage('price_agent_pesewas = price_agent_pesewas - 1'),
      code: 'PRICE_CHANGED',
    },
    'the end of the product': {
      change: () => ask('PUT', `/product/${line.product}/status`, { status: 'out of stock' }),
      undo: () => ask('PUT', `/product/${line.product}/status`, { status: 'available' }),
      code: 'NOT_AVAILABLE',
    },
    'a pause of all purchases': {
      change: () => shop.database.db.query(`insert into purchase_pauses (paused_at, found) values ($1, '[]')`, [shop.clock.now]),
      undo: () =>
        shop.database.db.query(`update purchase_pauses set lifted_at = paused_at, lifted_by = $1, lift_reason = 'well'`, [admin._id]),
      code: 'PURCHASES_PAUSED',
    },
    'a debit of what it would cost': { change: () => Promise.resolve(), code: 'INSUFFICIENT_BALANCE' },
  }

  test.each(Object.keys(CHANGES).flatMap((name) => (Object.keys(WAYS) as (keyof typeof WAYS)[]).map((way) => [name, way] as const)))(
    '%s: %s',
    async (name, way) => {
      const { change, undo, code } = CHANGES[name] as (typeof CHANGES)[string]
      const other = await shop.database.db.connect()
      try {
        await other.query('begin')
        await other.query('select from wallets where user_id = $1 for update', [agent._id])
        const asked = WAYS[way]()
        await until(async () => {
          const { rowCount } = await shop.database.db.query(
            `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%place_wallet_orders%'`,
          )
          return rowCount === 1
        })
        await change()
        if (code === 'INSUFFICIENT_BALANCE')
          await other.query(
            `select post_entry('admin-debit:' || user_id, 'admin-debit', '', null, array[account_id, 6], array[-1600, 1600], now()) from wallets where user_id = $1`,
            [agent._id],
          )
        await other.query('commit')
        const reply = await asked
        expect([reply.body.code, reply.status < 400]).toEqual([code, false])
        expect((await shop.database.db.query('select from orders where user_id = $1', [agent._id])).rowCount).toBe(0)
      } finally {
        other.release()
        await undo?.()
      }
    },
  )
})
