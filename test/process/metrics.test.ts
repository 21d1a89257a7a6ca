import { randomUUID } from 'node:crypto'
import { createServer } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Product } from '../../shared/products.ts'
import { openTestDatabase, type TestDatabase } from '../database.ts'
import { openRealtimeProbe } from '../realtime-probe.ts'
import { until } from '../until.ts'
import { ask, closeShop, type OpenShop, openAccount, openShop, signInAsAdmin } from './open-shops.ts'

let database: TestDatabase
let shop: OpenShop
let metricsAddress: string

beforeAll(async () => {
  database = await openTestDatabase({ catalogue: true })
  const port = await findFreePort()
  metricsAddress = `http://127.0.0.1:${port}`
  shop = await openShop({ DATABASE_URL: database.url, METRICS_PORT: String(port) })
})
afterAll(async () => {
  await closeShop(shop)
  await database.close()
})

test('the metrics tell what was sold, how long requests took, and how the process fares', async () => {
  const buyer = await openAccount(shop, { adminToken: await signInAsAdmin(shop), balance: 100 })
  const product = (await ask<Product[]>(shop, 'GET', '/product')).find(({ network }) => network === 'MTN')!
  const { offer, priceCustomer } = product.packages[0]!
  const item = { productId: product._id, offer, phoneNumber: '0551234567', amount: priceCustomer }
  const key = randomUUID()
  // The second call is a replay: answered again, not counted again.
  for (let time = 0; time < 2; time++) await buy(buyer.token, key, [item, item])
  await fetch(`${shop.address}/api/no-such/thing?token=secret`)
  const probe = await openRealtimeProbe(shop.address, buyer.token)

  const found = await read()
  expect(found.get('dwadi_orders_total{network="MTN",paid_with="wallet"}')).toBe(2)
  expect(found.get('dwadi_orders{network="MTN",status="pending"}')).toBe(2)
  expect(found.get('dwadi_http_request_seconds_count{method="POST",route="/api/order/checkout",status="200"}')).toBe(2)
  expect(found.get('dwadi_sockets')).toBe(1)
  expect(found.get('dwadi_database_up')).toBe(1)
  expect(found.get('dwadi_database_connections')).toBeGreaterThan(0)
  expect(found.get('dwadi_database_waiting')).toBe(0)
  expect(found.get('dwadi_waiting{what="recharges"}')).toBe(0)
  expect(found.get('dwadi_purchases_paused')).toBe(0)
  expect(found.get('nodejs_eventloop_lag_seconds')).toBeGreaterThanOrEqual(0)
  expect([...found.keys()].filter((name) => /no-such|secret/.test(name))).toEqual([])
  probe.close()
  await until(async () => (await read()).get('dwadi_sockets') === 0)
})

test('the metrics are not on the address of the shop', async () => {
  expect((await fetch(`${shop.address}/metrics`)).status).toBe(404)
  expect((await fetch(`${metricsAddress}/api/product`)).status).toBe(404)
})

/** Every sample by its name and labels; throws on a line that is none. */
async function read(): Promise<Map<string, number>> {
  const reply = await fetch(`${metricsAddress}/metrics`)
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
  const samples = (await reply.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    samples.map((sample) => {
      const [, name = '', value = ''] = /^([a-z0-9_]+(?:\{.*\})?) (\S+)$/.exec(sample) ?? []
      // The lag of an event loop that has not been measured yet is no number, which the format allows.
      if (name === '' || (Number.isNaN(Number(value.replace('+Inf', 'Infinity'))) && !/^nan$/i.test(value)))
        throw new Error(`no sample: ${sample}`)
      return [name, Number(value)]
    }),
  )
}

async function buy(token: string, key: string, items: object[]) {
  const reply = await fetch(`${shop.address}/api/order/checkout`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify({ items }),
  })
  expect(reply.status).toBe(200)
}

function findFreePort(): Promise<number> {
  const server = createServer()
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}
