import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../server/platform/embedded-postgres.ts'
import { createLog } from '../../server/platform/log.ts'
import type { Order } from '../../shared/orders.ts'
import type { Product } from '../../shared/products.ts'
import type { User } from '../../shared/users.ts'
import { copyDataFolder } from '../database.ts'
import { makeFolder } from '../make-folder.ts'
import { until } from '../until.ts'
import { ask, closeShop, type OpenShop, openAccount, openShop, signInAsAdmin } from './open-shops.ts'

let dataDir: string
let database: EmbeddedPostgres
let shop: OpenShop

beforeAll(async () => {
  dataDir = await makeFolder()
  await copyDataFolder(dataDir)
  database = await startDatabase()
  shop = await openShop({ DATABASE_URL: database.url(), DATABASE_POOL_SIZE: '8' })
})
afterAll(async () => {
  if (shop.program.process.exitCode === null) await closeShop(shop)
  await database.stop()
  await rm(dataDir, { recursive: true, force: true })
})

function startDatabase() {
  return startEmbeddedPostgres({ dataDir, log: createLog('silent') })
}

async function statusOf(path: string): Promise<number> {
  return (await fetch(`${shop.address}${path}`)).status
}

test('a shop whose database goes away says so, lives, and sells on when it is back, each cart once', async () => {
  const buyer = await openAccount(shop, { adminToken: await signInAsAdmin(shop), balance: 500 })
  const product = (await ask<Product[]>(shop, 'GET', '/product'))[0]!
  const { offer, priceCustomer } = product.packages[0]!
  const buy = async (key: string) => {
    const reply = await fetch(`${shop.address}/api/order/checkout`, {
      method: 'POST',
      headers: { authorization: `Bearer ${buyer.token}`, 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify({ items: [{ productId: product._id, offer, phoneNumber: '0551234567', amount: priceCustomer }] }),
    })
    return { status: reply.status, body: (await reply.json()) as { code?: string } }
  }
  expect(await statusOf('/readyz')).toBe(200)

  const keys = Array.from({ length: 48 }, () => randomUUID())
  const inFlight = keys.map(buy)
  await Promise.race(inFlight)
  await database.stop()
  const interrupted = await Promise.all(inFlight)
  // Interrupted calls are told to try again, and no reply is wrong.
  expect(interrupted.filter(({ status }) => status !== 200).map(({ status, body }) => `${status} ${body.code}`)).toEqual(
    interrupted.filter(({ status }) => status !== 200).map(() => '503 UNAVAILABLE'),
  )

  expect([await statusOf('/healthz'), await statusOf('/readyz')]).toEqual([200, 503])
  const away = await fetch(`${shop.address}/api/product`)
  expect([away.status, away.headers.get('retry-after'), await away.json()]).toEqual([
    503,
    '2',
    { message: 'The shop is catching its breath. Please try again in a moment.', code: 'UNAVAILABLE' },
  ])

  database = await startDatabase()
  await until(async () => (await statusOf('/readyz')) === 200, 10_000)
  const again = await Promise.all(keys.map(buy))
  expect(new Set(again.map(({ status }) => status))).toEqual(new Set([200]))
  const orders = await ask<Order[]>(shop, 'GET', '/order/allorders', { token: buyer.token })
  const [me] = await ask<User[]>(shop, 'GET', '/user', { token: buyer.token })
  expect([orders.length, me!.balance]).toEqual([48, Math.round((500 - 48 * priceCustomer) * 100) / 100])
  await closeShop(shop)
})
