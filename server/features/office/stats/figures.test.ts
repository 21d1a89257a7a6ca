import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Order } from '../../../../shared/orders.ts'
import type { Product, ProductPackage } from '../../../../shared/products.ts'
import type { Figures } from '../../../../shared/stats.ts'
import type { SignedInUser } from '../../../../shared/users.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { call, cartLine, checkout, makeUser } from '../../../../test/builders.ts'

let shop: TestShop
let admin: SignedInUser
let buyer: SignedInUser

beforeAll(async () => {
  shop = await openTestShop()
  admin = await makeUser(shop, { level: 'Admin' })
  buyer = await makeUser(shop, { balance: 10_000 })
})
afterAll(() => shop.close())

async function read() {
  return (await call<Figures>(shop, 'GET', '/shop/figures')).body
}

async function deliver(count: number) {
  const line = await cartLine(shop)
  const { body } = await checkout(
    shop,
    buyer,
    Array.from({ length: count }, () => line),
  )
  shop.clock.advance(5 * 60_000)
  await decide(body.orders, 'completed')
}

async function decide(orders: Order[], status: 'completed' | 'rejected') {
  const chosen = { reason: 'as the test says', orders: [] }
  await call(shop, 'POST', '/order/decide-many', { as: admin, body: { ids: orders.map(({ _id }) => _id), status, chosen } })
}

test('a new shop tells nothing; after a hundred deliveries it tells how many, a minute later at most', async () => {
  const NOTHING = { ordersDelivered: null, deliveryTimes: [], bestSellers: [] }
  expect(await read()).toEqual(NOTHING)
  await deliver(99)
  shop.clock.advance(60_000)
  const times = [{ network: 'MTN', typicalMinutes: 5 }]
  expect(await read()).toEqual({ ...NOTHING, deliveryTimes: times })
  const line = await cartLine(shop)
  const { body } = await checkout(shop, buyer, [line, line])
  await decide(body.orders.slice(0, 1), 'rejected')
  await decide(body.orders.slice(1), 'completed')
  expect(await read()).toEqual({ ...NOTHING, deliveryTimes: times })
  shop.clock.advance(60_000)
  expect(await read()).toEqual({ ...NOTHING, ordersDelivered: 100, deliveryTimes: times })
})

test('a failed read is not kept', async () => {
  shop.clock.advance(60_000)
  await shop.database.db.query('alter view order_counts rename to order_counts_away')
  expect((await call(shop, 'GET', '/shop/figures')).status).toBe(500)
  await shop.database.db.query('alter view order_counts_away rename to order_counts')
  expect((await read()).ordersDelivered).toBe(100)
})

test('best sellers are what most people bought lately, not what one agent bought most; they need twenty orders by five people', async () => {
  const line = await cartLine(shop, { network: 'Telecel', offer: '5GB' })
  const products = (await call<Product[]>(shop, 'GET', '/product')).body
  const { _id: productId, packages } = products.find(({ _id }) => _id === line.productId)!
  const [small, large, rare] = packages as [ProductPackage, ProductPackage, ProductPackage]
  const buy = async (by: SignedInUser, { offer, priceCustomer }: ProductPackage, count: number) => {
    const { body } = await checkout(
      shop,
      by,
      Array.from({ length: count }, () => ({ ...line, offer, amount: priceCustomer })),
    )
    await decide(body.orders, 'completed')
  }
  const bestSellers = async () => {
    shop.clock.advance(60_000)
    return (await read()).bestSellers
  }

  await buy(buyer, large, 15)
  for (let count = 0; count < 4; count++) await buy(await makeUser(shop, { balance: 1_000 }), small, 1)
  expect(await bestSellers()).toEqual([])
  await buy(await makeUser(shop, { balance: 1_000 }), small, 1)
  expect(await bestSellers()).toEqual([{ productId, packageIds: [small._id] }])

  for (let count = 0; count < 2; count++) await buy(await makeUser(shop, { balance: 1_000 }), large, 1)
  await buy(buyer, rare, 1)
  expect(await bestSellers()).toEqual([{ productId, packageIds: [small._id, large._id] }])
  shop.clock.advance(31 * 24 * 60 * 60_000)
  expect(await bestSellers()).toEqual([])
})
