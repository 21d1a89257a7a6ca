import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { balanceOf, call, cartLine, checkout, findProduct, makeUser } from '../../../../test/builders.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openTestShop()
})
afterAll(() => shop.close())

describe('a wallet checkout', () => {
  test('debits the wallet and makes all the orders, pending', async () => {
    const buyer = await makeUser(shop, { balance: 20 })
    const { status, body } = await checkout(shop, buyer, [await cartLine(shop), await cartLine(shop, { offer: '2GB' })])
    expect(status).toBe(200)
    expect(body.balance).toBe(4)
    expect(body.orders.map((order) => [order.offer, order.totalAmount, order.status])).toEqual([
      ['1GB', 5.5, 'pending'],
      ['2GB', 10.5, 'pending'],
    ])
    expect(await balanceOf(shop, buyer._id)).toBe(400)
  })

  test('with too little money says so and changes nothing', async () => {
    const buyer = await makeUser(shop, { balance: 10.99 })
    const line = await cartLine(shop)
    const { status, body } = await checkout(shop, buyer, [line, line])
    expect([status, body.code, body.message]).toEqual([402, 'INSUFFICIENT_BALANCE', 'Insufficient balance. Please top up your wallet.'])
    expect(await balanceOf(shop, buyer._id)).toBe(1099)
    const { body: orders } = await call<unknown[]>(shop, 'GET', '/order/allorders', { as: buyer })
    expect(orders).toEqual([])
  })

  test('of the exact balance leaves zero', async () => {
    const buyer = await makeUser(shop, { balance: 5.5 })
    expect((await checkout(shop, buyer, [await cartLine(shop)])).body.balance).toBe(0)
  })

  test('charges an agent the price for agents', async () => {
    const agent = await makeUser(shop, { level: 'Agent', balance: 10 })
    const { body } = await checkout(shop, agent, [await cartLine(shop, { as: 'Agent' })])
    expect(body.balance).toBe(5.3)
  })

  test.each([
    ['0.01 for a bundle of 5.50', 0.01],
    ["the agent's price as a customer", 4.7],
    ['more than the price', 6],
    ['nothing', 0],
    ['a negative amount', -5],
  ])('that expects %s is refused with the real price, and charges nothing', async (_name, amount) => {
    const buyer = await makeUser(shop, { balance: 20 })
    const { status, body } = await checkout(shop, buyer, [{ ...(await cartLine(shop)), amount }])
    expect([status, body.code, body.issues[0]?.path]).toEqual([409, 'PRICE_CHANGED', 'items.0.amount'])
    expect(body.message).toContain('GHS 5.50')
    expect(await balanceOf(shop, buyer._id)).toBe(2000)
  })

  test('with one unavailable item of ten buys none, and names it', async () => {
    const buyer = await makeUser(shop, { balance: 100 })
    const line = await cartLine(shop)
    const items = Array.from({ length: 10 }, (_, index) => (index === 6 ? { ...line, offer: '999GB' } : line))
    const { status, body } = await checkout(shop, buyer, items)
    expect([status, body.code, body.issues.map((issue) => issue.path)]).toEqual([409, 'NOT_AVAILABLE', ['items.6.offer']])
    expect(await balanceOf(shop, buyer._id)).toBe(10_000)
  })

  test('of a product that is out of stock is refused', async () => {
    const buyer = await makeUser(shop, { balance: 100 })
    const line = await cartLine(shop, { network: 'Telecel', offer: '5GB' })
    await shop.database.db.query(`update products set status = 'out of stock' where network = 'Telecel'`)
    expect((await checkout(shop, buyer, [line])).body.code).toBe('NOT_AVAILABLE')
    await shop.database.db.query(`update products set status = 'available' where network = 'Telecel'`)
    expect((await checkout(shop, buyer, [line])).status).toBe(200)
  })

  test.each([
    ['a receiver of nine digits', { phoneNumber: '055123456' }, 'items.0.phoneNumber'],
    ['a receiver of eleven digits', { phoneNumber: '05512345678' }, 'items.0.phoneNumber'],
    ['a receiver with letters', { phoneNumber: '05512345ab' }, 'items.0.phoneNumber'],
    ['no offer', { offer: ' ' }, 'items.0.offer'],
    ['an amount with a part of a pesewa', { amount: 5.501 }, 'items.0.amount'],
    ['an amount as text', { amount: '5.50' }, 'items.0.amount'],
    ['a product that is no id', { productId: 'mtn' }, 'items.0.productId'],
  ])('with %s names the field and changes nothing', async (_name, wrong, path) => {
    const buyer = await makeUser(shop, { balance: 20 })
    const { status, body } = await checkout(shop, buyer, [{ ...(await cartLine(shop)), ...(wrong as object) }])
    expect([status, body.code, body.issues[0]?.path]).toEqual([400, 'INVALID', path])
    expect(await balanceOf(shop, buyer._id)).toBe(2000)
  })

  test('needs a key of 20 to 128 characters', async () => {
    const buyer = await makeUser(shop, { balance: 20 })
    const line = await cartLine(shop)
    for (const key of ['', 'a'.repeat(19), 'a'.repeat(300), 'has spaces in it, twenty']) {
      const { status, body } = await checkout(shop, buyer, [line], key)
      expect([status, body.issues[0]?.path]).toEqual([400, 'idempotency-key'])
    }
    const without = await call<{ code: string }>(shop, 'POST', '/order/checkout', { as: buyer, body: { items: [line] } })
    expect(without.status).toBe(400)
    expect(await balanceOf(shop, buyer._id)).toBe(2000)
  })

  test('is for who is signed in', async () => {
    const { status } = await call(shop, 'POST', '/order/checkout', { body: { items: [await cartLine(shop)] } })
    expect(status).toBe(401)
  })

  test('takes neither level, user nor status from the request', async () => {
    const buyer = await makeUser(shop, { balance: 20 })
    const other = await makeUser(shop, { balance: 20 })
    const line = { ...(await cartLine(shop)), userLevel: 'Agent', user: other.username, status: 'completed' }
    const { body } = await checkout(shop, buyer, [line])
    expect(body.orders.map((order) => [order.user, order.status, order.totalAmount])).toEqual([[buyer.username, 'pending', 5.5]])
  })
})

describe('the same key', () => {
  test('repeated gives the same reply and charges nothing', async () => {
    const buyer = await makeUser(shop, { balance: 20 })
    const items = [await cartLine(shop)]
    const key = randomUUID()
    const first = await checkout(shop, buyer, items, key)
    const again = await checkout(shop, buyer, items, key)
    expect(again.body).toEqual(first.body)
    expect([first.headers['idempotency-replayed'], again.headers['idempotency-replayed']]).toEqual([undefined, 'true'])
    expect(await balanceOf(shop, buyer._id)).toBe(1450)
  })

  test('64 times at once makes one order', async () => {
    const buyer = await makeUser(shop, { balance: 100 })
    const items = [await cartLine(shop)]
    const key = randomUUID()
    const replies = await Promise.all(Array.from({ length: 64 }, () => checkout(shop, buyer, items, key)))
    expect(new Set(replies.map((reply) => JSON.stringify(reply.body))).size).toBe(1)
    expect(await balanceOf(shop, buyer._id)).toBe(9450)
  })

  test('with another cart is refused', async () => {
    const buyer = await makeUser(shop, { balance: 100 })
    const key = randomUUID()
    await checkout(shop, buyer, [await cartLine(shop)], key)
    const other = await checkout(shop, buyer, [await cartLine(shop, { offer: '2GB' })], key)
    expect([other.status, other.body.code]).toEqual([409, 'KEY_REUSED'])
    expect(await balanceOf(shop, buyer._id)).toBe(9450)
  })

  test('by another user is another key', async () => {
    const [one, other] = [await makeUser(shop, { balance: 20 }), await makeUser(shop, { balance: 20 })]
    const key = randomUUID()
    const items = [await cartLine(shop)]
    expect((await checkout(shop, one, items, key)).status).toBe(200)
    expect((await checkout(shop, other, items, key)).status).toBe(200)
  })

  test('stays refused, so that a late repetition does not buy what the buyer was told had failed', async () => {
    const buyer = await makeUser(shop, { balance: 1 })
    const items = [await cartLine(shop)]
    const key = randomUUID()
    expect((await checkout(shop, buyer, items, key)).status).toBe(402)
    await shop.database.db.query(
      `select post_entry('admin-credit:late', 'admin-credit', '', null, array[account_id, 6], array[5000, -5000], now()) from wallets where user_id = $1`,
      [buyer._id],
    )
    expect((await checkout(shop, buyer, items, key)).status).toBe(402)
    expect((await checkout(shop, buyer, items)).status).toBe(200)
  })
})

describe('POST /order/create', () => {
  const newOrder = { id: 'order-1', network: 'MTN', offer: '1GB', receiver: '0551234567', totalAmount: 5.5 }

  test('makes one order, and the same one for the same id', async () => {
    const buyer = await makeUser(shop, { balance: 20 })
    const first = await call<{ order: { _id: string; id: string } }>(shop, 'POST', '/order/create', { as: buyer, body: { newOrder } })
    const again = await call<{ order: { _id: string } }>(shop, 'POST', '/order/create', { as: buyer, body: { newOrder } })
    expect([first.status, first.body.order.id, again.body.order._id]).toEqual([200, 'order-1', first.body.order._id])
    expect(await balanceOf(shop, buyer._id)).toBe(1450)
  })

  test("refuses a difference from the server's price", async () => {
    const buyer = await makeUser(shop, { balance: 20 })
    const { status, body } = await call<{ issues: { path: string }[] }>(shop, 'POST', '/order/create', {
      as: buyer,
      body: { newOrder: { ...newOrder, totalAmount: 0.01 } },
    })
    expect([status, body.issues[0]?.path]).toEqual([409, 'newOrder.totalAmount'])
    expect(await balanceOf(shop, buyer._id)).toBe(2000)
  })

  test('ignores fields that the server decides', async () => {
    const buyer = await makeUser(shop, { balance: 20 })
    const forged = { ...newOrder, status: 'completed', user: 'somebody', date: '01/01/2020', actionTimestamp: 'now', createdAt: 'then' }
    const { body } = await call<{ order: Record<string, unknown> }>(shop, 'POST', '/order/create', {
      as: buyer,
      body: { newOrder: forged },
    })
    expect(body.order).toMatchObject({ status: 'pending', user: buyer.username, date: '21/11/2026 12:00:00', actionTimestamp: null })
  })
})

test('64 checkouts at once on a balance for 10: exactly 10 succeed', async () => {
  const buyer = await makeUser(shop, { balance: 55 })
  const items = [await cartLine(shop)]
  const replies = await Promise.all(Array.from({ length: 64 }, () => checkout(shop, buyer, items)))
  expect(replies.filter((reply) => reply.status === 200)).toHaveLength(10)
  expect(replies.filter((reply) => reply.status === 402)).toHaveLength(54)
  expect(await balanceOf(shop, buyer._id)).toBe(0)
})

test('16 carts of five on a balance for seven carts: seven whole carts succeed', async () => {
  const product = await findProduct(shop, 'MTN')
  const buyer = await makeUser(shop, { balance: 7 * 5 * 5.5 + 5.49 })
  const line = { productId: product._id, offer: '1GB', phoneNumber: '0551234567', amount: 5.5 }
  const replies = await Promise.all(Array.from({ length: 16 }, () => checkout(shop, buyer, Array(5).fill(line))))
  expect(replies.filter((reply) => reply.status === 200)).toHaveLength(7)
  const { rows } = await shop.database.db.query<{ total: number }>('select count(*) as total from orders where user_id = $1', [buyer._id])
  expect(rows[0]?.total).toBe(35)
})
