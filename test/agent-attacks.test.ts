import { afterAll, beforeAll, expect, test } from 'vitest'
import { settlePayment } from '../server/features/card/payments/settle-payment.ts'
import { checkLedger } from '../server/ledger/check-ledger.ts'
import type { GuestPurchase, OwnShopReply } from '../shared/agent-shops.ts'
import { routes } from '../shared/api.ts'
import type { BulkPreview } from '../shared/bulk.ts'
import type { ErrorBody } from '../shared/errors.ts'
import type { PaymentReply } from '../shared/payments.ts'
import type { SignedInUser } from '../shared/users.ts'
import type { Earnings } from '../shared/withdrawals.ts'
import { openTestShop, type TestShop } from './app.ts'
import { balanceOf, call, findProduct, makeUser } from './builders.ts'
import { gatewayThat, makeCtx, paid } from './settling.ts'

// What agents' stores elsewhere allow, tried here by an agent who means to earn from it. docs/hardening.md lists the attempts.

const GUEST = '0245550142'

let shop: TestShop
let admin: SignedInUser
let agent: SignedInUser
let productId: string

beforeAll(async () => {
  shop = await openTestShop({ withSandbox: true, timings: { paymentsMs: 3_600_000 } })
  admin = await makeUser(shop, { level: 'Admin' })
  agent = await makeUser(shop, { level: 'Agent', balance: 50 })
  await call(shop, 'PUT', '/agent-shops/rules', { as: admin, body: { newShops: true } })
  await call(shop, 'PUT', '/withdrawals/rules', { as: admin, body: { enabled: true, holdNights: 0, minimum: 1, fee: 0 } })
  productId = (await findProduct(shop, 'MTN'))._id
  const body = { slug: 'till', name: 'Till at Madina', about: null, colour: 'green', phone: null, whatsapp: null }
  expect((await call<OwnShopReply>(shop, 'POST', '/my-shop', { as: agent, body })).status).toBe(200)
})
afterAll(async () => {
  expect(await checkLedger(shop.database.db)).toEqual([])
  await shop.close()
})

async function offer() {
  const { body } = await call<OwnShopReply>(shop, 'GET', '/my-shop', { as: agent })
  const found = body.offers.find((line) => line.productId === productId && line.offer === '1GB')
  if (!found) throw new Error('MTN has no 1GB')
  return found
}

function pay(amount: number, more: object = {}) {
  const items = [{ productId, offer: '1GB', phoneNumber: '0551234567', amount, ...more }]
  return call<PaymentReply & ErrorBody>(shop, 'POST', '/shops/till/payment', { body: { phone: GUEST, items } })
}

async function buy() {
  const { price } = await offer()
  const { body } = await pay(price)
  const { reference, amount } = body
  await settlePayment(makeCtx(shop).ctx, gatewayThat(paid(amount)), reference)
  const { body: purchase } = await call<GuestPurchase>(shop, 'POST', `/shops/payment/${reference}/confirm`, { body: {} })
  expect(purchase.orders).toHaveLength(1)
  const { rows } = await shop.database.db.query<{ id: string }>('select id from orders where payment_reference = $1', [reference])
  return { reference, order: { ...purchase.orders[0], id: rows[0]?.id ?? '' } }
}

function withdraw(amount: number) {
  const body = { amount, fee: 0, phoneNumber: '0245550100', network: 'MTN', name: 'Akosua Frimpong' }
  return call<ErrorBody>(shop, 'POST', '/earnings/withdrawals', { as: agent, body, headers: { 'idempotency-key': crypto.randomUUID() } })
}

const earned = async () => (await call<{ earnings: Earnings }>(shop, 'GET', '/earnings', { as: agent })).body.earnings.withdrawable

test('what a package costs an agent is the shop’s to say, and a guest pays the shop’s price', async () => {
  const { cost, lowest, price } = await offer()
  for (const line of [{ price: cost }, { price: 0.01, cost: 0.005 }, { price: cost - 0.01, lowest: 0.01 }, { price: -5 }]) {
    const body = { prices: [{ productId, offer: '1GB', ...line }] }
    expect((await call(shop, 'PUT', '/my-shop/prices', { as: agent, body })).status, JSON.stringify(line)).toBe(400)
  }
  expect(await offer()).toMatchObject({ cost, lowest, price })
  for (const amount of [0.01, cost, price - 0.01])
    expect(await pay(amount, { cost: 0.01, keep: 5 })).toMatchObject({ status: 409, body: { code: 'PRICE_CHANGED' } })
})

test('profit is nobody’s until the order is delivered', async () => {
  const { order } = await buy()
  expect(await earned()).toBe(0)
  expect(await withdraw(1)).toMatchObject({ status: 402 })
  expect(
    (await call(shop, 'PUT', `/order/update-status/${order.id}`, { as: agent, body: { status: 'completed' } })).status,
    'the agent says it was delivered',
  ).toBe(403)
  expect(await earned()).toBe(0)
  await call(shop, 'PUT', `/order/update-status/${order.id}`, { as: admin, body: { status: 'completed' } })
  expect(await earned()).toBeGreaterThan(0)
})

test('a profit that was withdrawn while its order was being refunded is owed by the agent, not by the guest or the house', async () => {
  const { order } = await buy()
  await call(shop, 'PUT', `/order/update-status/${order.id}`, { as: admin, body: { status: 'completed' } })
  const all = await earned()
  const { rows } = await shop.database.db.query<{ id: string }>(
    `insert into reports (order_id, status, opened_at) values ($1, 'open', $2) returning id`,
    [order.id, shop.clock.now],
  )
  const [taken, refunded] = await Promise.all([
    withdraw(all),
    call(shop, 'PUT', `/admin/reports/${rows[0]?.id}/end`, { as: admin, body: { outcome: 'refunded', text: 'It never came' } }),
  ])
  expect(refunded.status).toBe(200)
  const { body } = await call<{ earnings: Earnings }>(shop, 'GET', '/earnings', { as: agent })
  const keep = (await offer()).price - (await offer()).cost
  if (taken.status === 200) expect(body.earnings).toMatchObject({ withdrawable: 0, debt: expect.closeTo(keep, 5) })
  else expect([taken.status, body.earnings.debt]).toEqual([402, 0])
  expect((await withdraw(1)).status).toBe(402)
})

test('a program with an agent’s key pays today’s price or buys nothing, and reaches nothing beside its own paths', async () => {
  const made = await call<{ secret: string }>(shop, 'POST', '/api-keys', {
    as: agent,
    body: { name: 'Shop', scopes: ['balance:read', 'orders:read', 'orders:write'] },
  })
  const { secret } = made.body
  const order = (more: object, headers: object = {}) =>
    shop.app.inject({
      method: 'POST',
      url: '/v1/orders',
      headers: { authorization: `Bearer ${secret}`, 'idempotency-key': crypto.randomUUID(), ...headers },
      payload: { network: 'MTN', offer: '1GB', receiver: '0551234567', ...more },
    })
  const { cost } = await offer()
  const text = '0244123456 1\n0244123457 1'
  const preview = await call<BulkPreview>(shop, 'POST', '/bulk/preview', { as: agent, body: { text } })
  expect(preview.body.ready).toEqual({ lines: 2, amount: 2 * cost })
  const [before, after] = [cost, cost + 0.5].map((price) => Math.round(price * 100) / 100) as [number, number]
  const change = { productId, offer: '1GB', priceAgent: { from: before, to: after } }
  expect((await call(shop, 'POST', '/admin/prices/publish', { as: admin, body: { changes: [change] } })).status).toBe(200)
  const lines = preview.body.lines.map(({ number, text: written, name, phoneNumber, amount }) => {
    return { number, text: written, name, phoneNumber, productId, offer: '1GB', amount }
  })
  const late = { as: agent, body: { lines, total: 2 * before }, headers: { 'idempotency-key': crypto.randomUUID() } }
  expect(await call(shop, 'POST', '/bulk', late)).toMatchObject({ status: 409, body: { code: 'PRICE_CHANGED' } })
  for (const expected_price of [before, 0.01, after + 1])
    expect((await order({ expected_price: expected_price.toFixed(2) })).json()).toMatchObject({ status: 409, code: 'PRICE_CHANGED' })
  expect(await balanceOf(shop, agent._id)).toBe(5_000)
  expect((await order({ expected_price: after.toFixed(2), cost: '0.01', user: admin._id })).statusCode).toBe(400)
  for (const route of Object.keys(routes)) {
    const [method, path = ''] = route.split(' ')
    if (method !== 'GET' || path.includes(':') || routes[route as keyof typeof routes].access === 'anyone') continue
    const reply = await shop.app.inject({ url: `/api${path}`, headers: { authorization: `Bearer ${secret}` } })
    expect([route, reply.statusCode]).toEqual([route, 401])
  }
  await call(shop, 'POST', '/admin/prices/publish', {
    as: admin,
    body: { changes: [{ ...change, priceAgent: { from: after, to: before } }] },
  })
})

test('a guest’s refund is the guest’s: nothing that the agent can read opens it, and none of it is the agent’s', async () => {
  const before = await earned()
  const { reference, order } = await buy()
  await call(shop, 'PUT', `/order/update-status/${order.id}`, { as: admin, body: { status: 'rejected' } })
  expect([await balanceOf(shop, agent._id), await earned()]).toEqual([5_000, before])
  const { body } = await call<GuestPurchase>(shop, 'POST', `/shops/payment/${reference}/confirm`, { body: {} })
  expect(body.refund?.amount).toBeGreaterThan(0)

  let read = 0
  for (const route of Object.keys(routes)) {
    const [method, path = ''] = route.split(' ')
    if (method !== 'GET' || path.includes(':')) continue
    const reply = await shop.app.inject({ url: `/api${path}`, headers: { authorization: `Bearer ${agent.token}` } })
    if (reply.statusCode !== 200) continue
    read++
    for (const secret of [reference, order.reference ?? reference, GUEST]) expect(reply.body, route).not.toContain(secret)
  }
  expect(read).toBeGreaterThan(15)
  for (const guess of [order.id, order.number ?? '', order.reference ?? '']) {
    const reply = await call(shop, 'POST', `/shops/payment/${guess}/refund-codes`, { as: agent, body: {} })
    expect([400, 404], guess).toContain(reply.status)
  }
})

test('whoever copies the database has no key that works', async () => {
  const { body } = await call<{ secret: string }>(shop, 'POST', '/api-keys', {
    as: agent,
    body: { name: 'Till', scopes: ['balance:read'] },
  })
  const secret = body.secret.replace(/^dw_live_/, '')
  expect(secret.length).toBeGreaterThan(20)
  const { rows: tables } = await shop.database.db.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`,
  )
  expect(tables.length).toBeGreaterThan(40)
  for (const { name } of tables) {
    const { rows } = await shop.database.db.query(`select 1 from ${name} t where t::text like $1 limit 1`, [`%${secret}%`])
    expect(rows, name).toEqual([])
  }
})

test('no shop passes for the house, for another writing, or for nothing to read', async () => {
  const taken = ['Dwadi', 'DWADI Official', 'D w a d i', 'Dwad1 Support', 'Dwádi Data', 'Ｄｗａｄｉ GH', 'dwadi.com 24']
  const unseen = [
    'Akosua\u202eatad',
    'Ako\u200bsua',
    'Akosua\u2066',
    'A\u0301\u0302\u0303\u0304kosua',
    '\u3164\u3164',
    '\u2800\u2800',
    'Dwаdi',
    'Ω mega',
    '!!',
    '❤️',
  ]
  const names = { ...Object.fromEntries(taken.map((name) => [name, 409])), ...Object.fromEntries(unseen.map((name) => [name, 400])) }
  for (const [name, status] of Object.entries(names)) {
    const reply = await call<ErrorBody>(shop, 'PUT', '/my-shop', { as: agent, body: { name } })
    expect([name, reply.status, reply.body.issues?.[0]?.path]).toEqual([name, status, 'name'])
  }
  for (const name of ['Akosua at Dwadi', 'Ɛfua ɔkɔ & Sons', 'Data 4 U ❤️', '<b>Till</b> & "Sons"']) {
    expect([name, (await call(shop, 'PUT', '/my-shop', { as: agent, body: { name } })).status]).toEqual([name, 200])
  }
  const { body } = await call<{ shop: { name: string } }>(shop, 'GET', '/shops/till')
  expect(body.shop.name).toBe('<b>Till</b> & "Sons"')
  const other = await makeUser(shop, { level: 'Agent' })
  for (const slug of ['official', 'mtn', 'paystack', 'join', 'dwadi-gh', 'dwad1', 'official-dwadi']) {
    const wanted = { slug, name: 'Fine Data', about: null, colour: 'green', phone: null, whatsapp: null }
    const reply = await call<ErrorBody>(shop, 'POST', '/my-shop', { as: other, body: wanted })
    expect([slug, reply.body.issues?.[0]?.path]).toEqual([slug, 'slug'])
  }
  for (const whatsapp of ['233245550100?text=pay', 'https://wa.me/1', '0245550100\n', '+233245550100">']) {
    const reply = await call<ErrorBody>(shop, 'PUT', '/my-shop', { as: agent, body: { whatsapp } })
    expect([whatsapp, reply.status]).toEqual([whatsapp, 400])
  }
})

test('a logo is decoded by what it is, within bounds: no SVG, no bomb, nothing that comes behind a picture', async () => {
  const { default: sharp } = await import('sharp')
  const plain = (side: number) =>
    sharp({ create: { width: side, height: side, channels: 3, background: '#fff' } })
      .png()
      .toBuffer()
  const put = (bytes: Buffer, type = 'png') => {
    return call<ErrorBody>(shop, 'PUT', '/my-shop/logo', {
      as: agent,
      body: { image: `data:image/${type};base64,${bytes.toString('base64')}` },
    })
  }
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
  const bomb = await plain(3_000)
  expect(bomb.length).toBeLessThan(102_400)
  const attempts: [string, Buffer, string?][] = [
    ['SVG', svg, 'svg+xml'],
    ['SVG that says PNG', svg],
    ['a bomb', bomb],
    ['HTML', Buffer.from('<html>')],
  ]
  for (const [what, bytes, type] of attempts) expect([what, (await put(bytes, type)).status]).toEqual([what, 400])

  const polyglot = Buffer.concat([await plain(64), Buffer.from('<script>alert(1)</script>')])
  expect((await put(polyglot)).status).toBe(200)
  const { body } = await call<OwnShopReply>(shop, 'GET', '/my-shop', { as: agent })
  const served = await shop.app.inject({ url: body.shop?.logo ?? '' })
  expect([served.statusCode, served.headers['content-type'], served.rawPayload.includes('script')]).toEqual([200, 'image/webp', false])
})

test('no shop passes for another that is open, nor leads elsewhere with its line', async () => {
  const [ama, kofi] = await Promise.all([1, 2].map(() => makeUser(shop, { level: 'Agent' })))
  const look = { about: null, colour: 'green', phone: null, whatsapp: null }
  const open = (as: SignedInUser | undefined, slug: string, name: string, about: string | null = null) =>
    call<ErrorBody>(shop, 'POST', '/my-shop', { as: as!, body: { ...look, slug, name, about } })
  const change = (as: SignedInUser | undefined, body: object) => call<ErrorBody>(shop, 'PUT', '/my-shop', { as: as!, body })
  expect((await open(ama, 'serwaa', 'Serwaa Bundles')).status).toBe(200)
  const near = [
    'Serwaa Bundles',
    'SERWAA-BUNDLES',
    'Serwaa Bund1es',
    'Sérwaa  Bundles!',
    'Serwa Bundles',
    'Serwaa Bundle',
    'Seruaa Bundles',
  ]
  for (const name of near) expect([name, (await open(kofi, 'other', name)).body.issues?.[0]?.path]).toEqual([name, 'name'])
  for (const about of ['Pay at dwadi-gh.com', 'wa.me/233551234567', 'Call 055 123 4567', 'Dial *713#']) {
    expect([about, (await open(kofi, 'other', 'Antwi Connect', about)).body.issues?.[0]?.path]).toEqual([about, 'about'])
    expect([about, (await change(ama, { about })).body.issues?.[0]?.path]).toEqual([about, 'about'])
  }
  expect((await open(kofi, 'other', 'Antwi Connect', 'Madina, open till 8:30pm')).status).toBe(200)
  expect((await change(kofi, { name: 'Serwaa Bundlez' })).status).toBe(409)
  // Its own name is no other's.
  expect((await change(ama, { name: 'Serwaa Bundles!' })).status).toBe(200)
  // The name of a closed shop is free, and it can't come back under it.
  expect((await change(ama, { open: false })).status).toBe(200)
  const replies = await Promise.all([change(kofi, { name: 'Serwaa Bundles' }), change(ama, { open: true })])
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409])
})
