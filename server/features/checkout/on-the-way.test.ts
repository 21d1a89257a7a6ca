import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Order } from '../../../shared/orders.ts'
import type { SignedInUser } from '../../../shared/users.ts'
import { openTestShop, type TestShop } from '../../../test/app.ts'
import { type CartLine, call, cartLine, makeUser } from '../../../test/builders.ts'

let shop: TestShop
let buyer: SignedInUser

beforeAll(async () => {
  shop = await openTestShop()
  buyer = await makeUser(shop, { balance: 500 })
})
afterAll(() => shop.close())

type Said = { code: string; message: string; issues: { path: string }[]; orders: Order[] }
const ask = { 'if-on-the-way': 'ask' }

function buy(items: CartLine[], headers: Record<string, string> = {}, as = buyer, key: string = randomUUID()) {
  return call<Said>(shop, 'POST', '/order/checkout', { as, body: { items }, headers: { 'idempotency-key': key, ...headers } })
}

test('the same bundle for the same number is asked about while it is on its way, and bought all the same without the question', async () => {
  const line = await cartLine(shop)
  const key = randomUUID()
  const first = await buy([line], ask, buyer, key)
  expect(first.status).toBe(200)
  const { number } = first.body.orders[0]!

  const other = await cartLine(shop, { phoneNumber: '0551234568' })
  const asked = await buy([other, line], ask)
  expect([asked.status, asked.body.code, asked.body.message]).toEqual([
    409,
    'ON_THE_WAY',
    `Order ${number}, MTN 1GB for 0551234567, is still on its way.`,
  ])
  expect(asked.body.issues.map(({ path }) => path)).toEqual(['items.1.phoneNumber'])
  // The answer to a purchase that was made is that purchase, however often it is asked for.
  expect((await buy([line], ask, buyer, key)).body.orders.map((order) => order.number)).toEqual([number])

  expect((await buy([await cartLine(shop, { offer: '2GB' })], ask)).status).toBe(200)
  expect((await buy([line], ask, await makeUser(shop, { balance: 20 }))).status).toBe(200)
  expect((await buy([line])).status).toBe(200)
  const { body: odd } = await buy([line], { 'if-on-the-way': 'perhaps' })
  expect([odd.code, odd.issues[0]?.path]).toEqual(['INVALID', 'if-on-the-way'])
})

test('an order of one bundle asks in the same way, and what has arrived is not asked about', async () => {
  const owner = await makeUser(shop, { level: 'Admin' })
  const create = (id: string, headers: Record<string, string>) => {
    const newOrder = { id, network: 'MTN', offer: '1GB', receiver: '0241112223', totalAmount: 5.5 }
    return call<Said & { order: Order }>(shop, 'POST', '/order/create', { as: buyer, body: { newOrder }, headers })
  }
  const { body } = await create('first', ask)
  expect((await create('second', ask)).body.issues.map(({ path }) => path)).toEqual(['newOrder.receiver'])
  expect((await create('first', ask)).body.order._id).toBe(body.order._id)
  await call(shop, 'PUT', `/order/update-status/${body.order._id}`, { as: owner, body: { status: 'completed' } })
  expect((await create('third', ask)).status).toBe(200)
  expect((await create('fourth', {})).status).toBe(200)
})
