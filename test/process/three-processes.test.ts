/** @module-tag long */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Product } from '../../shared/products.ts'
import { openTestDatabase, type TestDatabase } from '../database.ts'
import { raceCheckouts } from '../race/race-checkouts.ts'
import { openRealtimeProbe } from '../realtime-probe.ts'
import { allow } from '../slowness.ts'
import { until } from '../until.ts'
import { ask, closeShop, type OpenShop, openAccount, openShop, signInAsAdmin } from './open-shops.ts'
import { openRoundRobin, type RoundRobin } from './round-robin.ts'

const CROSSES_WITHIN_MS = 1_000
let database: TestDatabase
let shops: OpenShop[]
let proxy: RoundRobin
/** The shop as a customer sees it: one address. */
let front: OpenShop
let adminToken: string

beforeAll(async () => {
  database = await openTestDatabase({ catalogue: true })
  shops = await Promise.all(Array.from({ length: 3 }, () => openShop({ DATABASE_URL: database.url, TRUSTED_PROXIES: '1' })))
  proxy = await openRoundRobin(shops.map(({ address }) => address))
  front = { ...shops[0]!, address: proxy.address }
  adminToken = await signInAsAdmin(front)
})
afterAll(async () => {
  await proxy.close()
  await Promise.all(shops.map(closeShop))
  await database.close()
})

describe('three processes behind one address', () => {
  test('what happens on one is heard on the others within a second', async () => {
    const buyer = await openAccount(front, { adminToken, balance: 1_000 })
    const probes = await Promise.all(shops.map(({ address }) => openRealtimeProbe(address, buyer.token)))
    const item = await pickItem()
    const tookMs: number[] = []
    for (let count = 1; count <= 20; count++) {
      await ask(shops[count % 3]!, 'POST', '/order/create', {
        token: buyer.token,
        body: { newOrder: { ...item.order, id: `12345${count.toString().padStart(3, '0')}` } },
      })
      const since = performance.now()
      await until(() => probes.every(({ heard }) => heard.filter(({ event }) => event === 'ordersUpdated').length === count))
      tookMs.push(performance.now() - since)
    }
    expect(Math.max(...tookMs)).toBeLessThan(allow(CROSSES_WITHIN_MS))
    for (const probe of probes) probe.close()
  })

  test('a websocket goes through the proxy, whichever process takes it', async () => {
    const buyer = await openAccount(front, { adminToken, balance: 100 })
    const probes = await Promise.all(Array.from({ length: 6 }, () => openRealtimeProbe(proxy.address, buyer.token)))
    await ask(front, 'PUT', '/user/balance', { token: adminToken, body: { chosenId: buyer.id, amount: 5 } })
    await until(() => probes.every(({ heard }) => heard.some(({ event }) => event === 'CurrUserUpdated')))
    for (const probe of probes) probe.close()
  })

  test('a session that one process opened is known to all, and when one ends it, to none', async () => {
    const { token } = await openAccount(front, { adminToken, balance: 1 })
    expect(await statuses(token)).toEqual([200, 200, 200])
    await ask(shops[1]!, 'POST', '/user/logout', { token, body: {} })
    expect(await statuses(token)).toEqual([401, 401, 401])
  })

  test('a ban on one process closes the sockets on all within a second, and no process lets the user in', async () => {
    const user = await openAccount(front, { adminToken, balance: 1 })
    const probes = await Promise.all(shops.map(({ address }) => openRealtimeProbe(address, user.token)))
    const since = performance.now()
    await ask(shops[2]!, 'PUT', `/user/${user.id}/status`, { token: adminToken, body: { status: 'Banned' } })
    await until(() => probes.every((probe) => probe.closed() !== null))
    expect(performance.now() - since).toBeLessThan(allow(CROSSES_WITHIN_MS))
    expect((await statuses(user.token)).every((status) => status === 401 || status === 403)).toBe(true)
  })
})

test('64 checkouts at once over three processes: exactly the ten that the balance affords, and one for one key', async () => {
  const { moneyForTen, sameKey, ledger } = await raceCheckouts({ databaseUrl: database.url, shops, runs: 3, seed: 3 })
  expect([moneyForTen.violations, sameKey.violations, ledger]).toEqual([[], [], []])
  expect([moneyForTen.latenciesMs.length, sameKey.latenciesMs.length]).toEqual([192, 192])
})

async function pickItem() {
  const product = (await ask<Product[]>(front, 'GET', '/product')).find(({ network }) => network === 'MTN')!
  const { offer, priceCustomer } = product.packages[0]!
  return { order: { network: product.network, offer, receiver: '0551234567', totalAmount: priceCustomer, productId: product._id } }
}

/** How each process answers this token. */
function statuses(token: string): Promise<number[]> {
  return Promise.all(
    shops.map(async ({ address }) => (await fetch(`${address}/api/user`, { headers: { authorization: `Bearer ${token}` } })).status),
  )
}
