/** @module-tag long */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Order } from '../../shared/orders.ts'
import type { Product } from '../../shared/products.ts'
import { openTestDatabase, type TestDatabase } from '../database.ts'
import { ask, closeShop, type OpenShop, openAccount, openShop, signInAsAdmin } from './open-shops.ts'

const DAY_MS = 86_400_000
const CLOCK = new URL('../fixtures/shifted-clock.mjs', import.meta.url).href

let database: TestDatabase
let right: OpenShop
let fast: OpenShop

beforeAll(async () => {
  database = await openTestDatabase()
  right = await openShop({ DATABASE_URL: database.url })
  fast = await openShop({
    DATABASE_URL: database.url,
    LOG_LEVEL: 'warn',
    NODE_OPTIONS: `--import=${CLOCK}`,
    CLOCK_SHIFT_MS: String(2 * DAY_MS),
  })
})
afterAll(async () => {
  await Promise.all([right, fast].map(closeShop))
  await database.close()
})

test("a process whose clock is two days fast goes by the database's, and says so", async () => {
  const adminToken = await signInAsAdmin(right)
  // An admin's session of twelve hours, begun where the clock is right, would be over by the fast one.
  const buyer = await openAccount(fast, { adminToken, balance: 20 })
  const [product] = (await ask<Product[]>(right, 'GET', '/product')).filter(({ network }) => network === 'MTN')
  const line = product?.packages[0] as Product['packages'][0]
  const newOrder = { id: crypto.randomUUID(), network: 'MTN', offer: line.offer, receiver: '0551234567', totalAmount: line.priceCustomer }
  const { order } = await ask<{ order: Order }>(fast, 'POST', '/order/create', { token: buyer.token, body: { newOrder } })
  const { rows } = await database.db.query<{ ageMs: number }>(
    'select abs(extract(epoch from clock_timestamp() - created_at) * 1000)::float8 as "ageMs" from orders where id = $1',
    [order._id],
  )
  expect(rows[0]?.ageMs).toBeLessThan(DAY_MS)
  expect(fast.program.output()).toContain("this machine's clock differs from the database's")
  expect(right.program.output()).not.toContain("this machine's clock")
})
