import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ErrorBody } from '../../../../shared/errors.ts'
import type { Order } from '../../../../shared/orders.ts'
import type { SignedInUser } from '../../../../shared/users.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { call, cartLine, checkout, makeUser } from '../../../../test/builders.ts'

type Reply = { data: { status: string } } & ErrorBody

let shop: TestShop
let buyer: SignedInUser
let order: Order
/** Somebody who listens where the payload points: the shop must never call. */
let hits: string[]
const canary = createServer((request, response) => {
  hits.push(`${request.method} ${request.url}`)
  response.end('{"status":"completed"}')
})
let canaryPort: number

beforeAll(async () => {
  hits = []
  await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve))
  canaryPort = (canary.address() as AddressInfo).port
  shop = await openTestShop()
  buyer = await makeUser(shop, { balance: 20 })
  order = (await checkout(shop, buyer, [await cartLine(shop, { network: 'AirtelTigo', offer: '1GB', phoneNumber: '0261234567' })])).body
    .orders[0]!
})
afterAll(async () => {
  await shop.close()
  await new Promise((resolve) => canary.close(resolve))
})

function ask(as: { token: string } | null, payload: unknown) {
  return call<Reply>(shop, 'POST', '/proxy', { ...(as ? { as } : {}), body: payload })
}

const spoken = () => ({
  url: `http://127.0.0.1:${canaryPort}/steal`,
  body: { phone: order.receiver, volume: 1000, reference: order.reference, referrer: buyer.phone },
  headers: { authorization: 'Bearer stolen', 'x-forwarded-host': `127.0.0.1:${canaryPort}` },
})

test('returns the status of your own order, before and after the decision', async () => {
  expect(await ask(buyer, spoken())).toMatchObject({ status: 200, body: { data: { status: 'pending' } } })
  const admin = await makeUser(shop, { level: 'Admin' })
  await call(shop, 'PUT', `/order/update-status/${order._id}`, { as: admin, body: { status: 'completed' } })
  expect((await ask(buyer, spoken())).body).toEqual({ data: { status: 'completed' } })
})

test('someone else’s order gets the same 404 as an unknown one, for an admin too', async () => {
  const unknown = await ask(buyer, { body: { reference: 'AAAAAAAAAAAAAAAAAAAA' } })
  expect([unknown.status, unknown.body.message]).toEqual([404, 'That order does not exist.'])
  for (const level of ['Customer', 'Agent', 'Admin'] as const) {
    const other = await makeUser(shop, { level })
    expect(await ask(other, spoken())).toMatchObject({ status: 404, body: unknown.body })
  }
})

test('needs a session', async () => {
  expect((await ask(null, spoken())).status).toBe(401)
})

test.each([
  {},
  { url: 'http://example.com' },
  { body: {} },
  { body: { reference: true } },
  { body: { reference: ['a'] } },
  { body: { reference: 'x'.repeat(65) } },
  { body: 'reference' },
])('%j is refused', async (payload) => {
  expect((await ask(buyer, payload)).status).toBe(400)
})

test('never calls an address from the payload, however it is written', async () => {
  const port = canaryPort
  const addresses = [
    `http://127.0.0.1:${port}/`,
    `http://localhost:${port}/`,
    `http://[::1]:${port}/`,
    `http://0:${port}/`,
    `http://2130706433:${port}/`,
    `http://0177.0.0.1:${port}/`,
    `http://0x7f.1:${port}/`,
    `//127.0.0.1:${port}/`,
    'http://169.254.169.254/latest/meta-data/',
    'file:///etc/passwd',
    `gopher://127.0.0.1:${port}/_GET`,
  ]
  for (const url of addresses) {
    const { status, body } = await ask(buyer, { ...spoken(), url, headers: { host: `127.0.0.1:${port}`, url } })
    expect([status, body]).toEqual([200, { data: { status: 'completed' } }])
    expect((await ask(buyer, { url, body: { reference: url, url } })).status).toBe(404)
  }
  expect(hits).toEqual([])
  await fetch(`http://127.0.0.1:${port}/`)
  expect(hits).toEqual(['GET /'])
})
