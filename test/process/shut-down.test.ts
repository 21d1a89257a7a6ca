import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkLedger } from '../../server/ledger/check-ledger.ts'
import { findRunningPostgres } from '../../server/platform/embedded-postgres.ts'
import type { Product } from '../../shared/products.ts'
import { copyDataFolder, openTestDatabase, type TestDatabase } from '../database.ts'
import { makeFolder } from '../make-folder.ts'
import { allow } from '../slowness.ts'
import { until } from '../until.ts'
import { ask, openAccount, openShop, signInAsAdmin } from './open-shops.ts'

const AT_ONCE = 60
let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase({ catalogue: true })
})
afterAll(() => database.close())

test('SIGTERM with sixty checkouts in flight: each is done or refused, none by half, and the process ends in ten seconds', async () => {
  const shop = await openShop({ DATABASE_URL: database.url, DATABASE_POOL_SIZE: '20' })
  const buyer = await openAccount(shop, { adminToken: await signInAsAdmin(shop), balance: 1_000 })
  const product = (await ask<Product[]>(shop, 'GET', '/product')).find(({ network }) => network === 'MTN')!
  const { offer, priceCustomer } = product.packages[0]!
  const item = { productId: product._id, offer, phoneNumber: '0551234567', amount: priceCustomer }

  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query('begin')
  await client.query('select from wallets where user_id = $1 for update', [buyer.id])
  const inFlight = Array.from({ length: AT_ONCE }, async () => {
    const reply = await fetch(`${shop.address}/api/order/checkout`, {
      method: 'POST',
      headers: { authorization: `Bearer ${buyer.token}`, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
      body: JSON.stringify({ items: [item] }),
    })
    return reply.status
  })
  const held = Promise.allSettled(inFlight)
  await until(async () => (await countWaiting()) >= 10)

  const since = performance.now()
  shop.program.process.kill('SIGTERM')
  await until(() =>
    fetch(`${shop.address}/healthz`).then(
      ({ status }) => status === 503,
      () => true,
    ),
  )
  await client.query('commit')
  const settled = await held
  expect(await shop.program.ended()).toBe(0)
  expect(performance.now() - since).toBeLessThan(allow(10_000))

  const { rows } = await client.query<{ orders: number; balance: number }>(
    `select (select count(*) from orders where user_id = $1)::int as orders, balance_pesewas::int as balance from wallets where user_id = $1`,
    [buyer.id],
  )
  await client.end()
  const done = settled.filter((result) => result.status === 'fulfilled' && result.value === 200).length
  const refused = settled.filter((result) => result.status === 'fulfilled' && result.value === 503).length
  // Whoever had no answer at all, because the connection was still being made, bought nothing.
  expect([rows[0]!.orders, rows[0]!.balance]).toEqual([done, 100_000 - done * Math.round(priceCustomer * 100)])
  expect(done).toBeGreaterThanOrEqual(10)
  expect(settled.filter((result) => result.status === 'fulfilled').length).toBe(done + refused)
  await expectSoundLedger()
})

test('SIGTERM while a lock is never given back: what waited for it is undone, and the process ends in ten seconds', {
  tags: 'long',
}, async () => {
  const shop = await openShop({ DATABASE_URL: database.url })
  const buyer = await openAccount(shop, { adminToken: await signInAsAdmin(shop), balance: 100 })
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query('begin')
  await client.query('select from wallets where user_id = $1 for update', [buyer.id])
  const product = (await ask<Product[]>(shop, 'GET', '/product')).find(({ network }) => network === 'MTN')!
  const { offer, priceCustomer } = product.packages[0]!
  const stuck = fetch(`${shop.address}/api/order/checkout`, {
    method: 'POST',
    headers: { authorization: `Bearer ${buyer.token}`, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
    body: JSON.stringify({ items: [{ productId: product._id, offer, phoneNumber: '0551234567', amount: priceCustomer }] }),
  }).then(
    ({ status }) => status,
    () => 'no answer',
  )
  await until(async () => (await countWaiting()) >= 1)
  const since = performance.now()
  shop.program.process.kill('SIGTERM')
  await shop.program.ended()
  expect(performance.now() - since).toBeLessThan(allow(11_000))
  expect([503, 'no answer']).toContain(await stuck)
  await client.query('commit')
  await until(
    async () =>
      (await client.query(`select from pg_stat_activity where datname = current_database() and application_name = 'dwadi'`)).rowCount === 0,
  )
  const { rows } = await client.query('select balance_pesewas::int as balance from wallets where user_id = $1', [buyer.id])
  expect(rows).toEqual([{ balance: 10_000 }])
  await client.end()
  await expectSoundLedger()
})

test('SIGTERM while a lock in the embedded database is never given back: the process ends in ten seconds, and the database with it', {
  tags: 'long',
}, async () => {
  const dataDir = await makeFolder()
  await copyDataFolder(dataDir)
  const shop = await openShop({ DATA_DIR: dataDir })
  const url = (await findRunningPostgres({ dataDir })) as string
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  await client.query('begin')
  await client.query('lock table users in access exclusive mode')
  const stuck = fetch(`${shop.address}/api/user/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ userPhone: '0200000000', password: 'a good password' }),
  }).catch(() => undefined)
  await until(async () => (await countWaiting(url)) >= 1)

  const since = performance.now()
  shop.program.process.kill('SIGTERM')
  await shop.program.ended()
  expect(performance.now() - since).toBeLessThan(allow(11_000))
  await stuck
  expect(await findRunningPostgres({ dataDir })).toBeNull()
  await rm(dataDir, { recursive: true })
})

/** On a connection of its own: inside a transaction, what the others do is seen as it was at its start. */
async function countWaiting(url = database.url): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock' and application_name = 'dwadi'`,
  )
  await client.end()
  return rows[0]!.count
}

async function expectSoundLedger() {
  expect(await checkLedger(database.db)).toEqual([])
}
