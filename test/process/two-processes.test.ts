import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPool } from '../../server/platform/db.ts'
import { createLog } from '../../server/platform/log.ts'
import type { Product } from '../../shared/products.ts'
import { openTestDatabase, type TestDatabase } from '../database.ts'
import { openRealtimeProbe, type RealtimeProbe } from '../realtime-probe.ts'
import { until } from '../until.ts'
import { ask, closeShop, type OpenShop, openAccount, openShop, signInAsAdmin } from './open-shops.ts'

/** On a quiet machine; `until` stretches it. */
const SECOND_MS = 1_000

let database: TestDatabase
let here: OpenShop
let there: OpenShop
let adminToken: string
const probes: RealtimeProbe[] = []

beforeAll(async () => {
  database = await openTestDatabase()
  ;[here, there] = await Promise.all([openShop({ DATABASE_URL: database.url }), openShop({ DATABASE_URL: database.url })])
  adminToken = await signInAsAdmin(here)
})
afterAll(async () => {
  for (const probe of probes) probe.close()
  await Promise.all([here, there].map(closeShop))
  await database.close()
})

async function hear(shop: OpenShop, token: string): Promise<RealtimeProbe> {
  const probe = await openRealtimeProbe(shop.address, token)
  probes.push(probe)
  return probe
}

test('two processes that start at once make one first admin and one sample catalogue', async () => {
  const { rows } = await database.db.query('select (select count(*) from users) as users, (select count(*) from products) as products')
  expect(rows).toEqual([{ users: 1, products: 7 }])
})

test('a purchase at one process is heard within a second at the other, by its buyer and the admins alone', async () => {
  const [ama, kofi] = [await openAccount(here, { adminToken, balance: 20 }), await openAccount(there, { adminToken, balance: 20 })]
  const [amasProbe, kofisProbe, adminsProbe] = [await hear(there, ama.token), await hear(there, kofi.token), await hear(there, adminToken)]
  const product = (await ask<Product[]>(here, 'GET', '/product')).find(({ network }) => network === 'MTN')!
  await fetch(`${here.address}/api/order/checkout`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ama.token}`, 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
    body: JSON.stringify({ items: [{ productId: product._id, offer: '1GB', phoneNumber: '0551234567', amount: 5.5 }] }),
  })
  await until(() => amasProbe.heard.length >= 2 && adminsProbe.heard.length >= 2, SECOND_MS)
  // Between processes nothing promises which of the two comes first.
  expect(amasProbe.heard.map(({ event }) => event).sort()).toEqual(['CurrUserUpdated', 'ordersUpdated'])
  expect(amasProbe.heard.find(({ event }) => event === 'CurrUserUpdated')!.payload).toMatchObject({ _id: ama.id, balance: 14.5 })
  expect(kofisProbe.heard).toEqual([])
})

test('a ban at one process closes the channels at the other within a second', async () => {
  const user = await openAccount(there, { adminToken, balance: 5 })
  const probe = await hear(there, user.token)
  await ask(here, 'PUT', `/user/${user.id}/status`, { token: adminToken, body: { status: 'Banned' } })
  await until(() => probe.closed() !== null, SECOND_MS)
  const refused = await fetch(`${there.address}/api/user`, { headers: { authorization: `Bearer ${user.token}` } })
  expect(refused.status).toBe(401)
})

test('what is too long for a notification of PostgreSQL crosses all the same', async () => {
  const product = (await ask<Product[]>(here, 'GET', '/product')).find(({ network }) => network === 'MTN')!
  const probe = await hear(there, adminToken)
  const packages = Array.from({ length: 100 }, (_, index) => ({
    offer: `${index + 1}GB for ${'a long while '.repeat(3)}`.trim(),
    priceCustomer: 6,
    priceAgent: 5,
  }))
  await ask(here, 'PUT', `/product/${product._id}`, { token: adminToken, body: { network: 'MTN', status: 'available', packages } })
  await until(() => probe.heard.some(({ event }) => event === 'productsUpdated'), SECOND_MS)
  expect(probe.heard.find(({ event }) => event === 'productsUpdated')).toMatchObject({
    payload: { _id: product._id, packages: { length: 100 } },
  })
})

test('the channel between processes is back after the database cut it, and holds no connection that is dead', async () => {
  const user = await openAccount(here, { adminToken, balance: 5 })
  const killer = openPool({ url: database.url, size: 1, log: createLog('silent'), name: 'killer' })
  for (let cut = 0; cut < 3; cut++) {
    const { rows: ended } = await killer.query<{ pid: number }>(
      `select pid, pg_terminate_backend(pid) from pg_stat_activity where application_name = 'dwadi' and datname = current_database()`,
    )
    await until(async () => {
      const { rows } = await killer.query<{ total: number }>(
        `select count(*) as total from pg_stat_activity
         where datname = current_database() and query ilike 'listen%/api"' and state = 'idle' and pid <> all ($1)`,
        [ended.map(({ pid }) => pid)],
      )
      return rows[0]!.total === 2
    }, 10_000)
  }
  await killer.end()
  const probe = await hear(there, user.token)
  // Which process each of the two listening connections belongs to can't be seen, so one may not be back yet.
  await until(async () => {
    await ask(here, 'PUT', '/user/balance', { token: adminToken, body: { chosenId: user.id, amount: 1 } })
    return probe.heard.length >= 1
  }, 10_000)
})
