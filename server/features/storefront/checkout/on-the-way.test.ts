import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ApiKey } from '../../../../shared/api-keys.ts'
import type { Order } from '../../../../shared/orders.ts'
import type { SignedInUser } from '../../../../shared/users.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { balanceOf, type CartLine, call, cartLine, makeUser, PASSWORD } from '../../../../test/builders.ts'
import { gatewayThat, makeCtx, paid } from '../../../../test/settling.ts'
import { transaction } from '../../../platform/db.ts'
import { startGuestPayment } from '../../agents/agent-shops/start-guest-payment.ts'
import { insertPayment } from '../../card/payments/payments.sql.ts'
import { settlePayment } from '../../card/payments/settle-payment.ts'
import { startPayment } from '../../card/payments/start-payment.ts'
import { selectOnTheWay, toPurchaseLines } from '../../orders/purchases/purchases.sql.ts'

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

test('of several that are on their way it names the newest', async () => {
  const line = await cartLine(shop, { phoneNumber: '0557770009' })
  await buy([line])
  const middle = (await buy([line])).body.orders[0]
  const newest = (await buy([line])).body.orders[0]
  // What is written anew stands elsewhere in the table.
  await shop.database.db.query('update orders set refund_reason = refund_reason where id = $1', [middle?._id])
  expect((await buy([line], ask)).body.message).toBe(`Order ${newest?.number}, MTN 1GB for 0557770009, is still on its way.`)
  const found = await transaction(shop.database.db, async (tx) => {
    // However the database reads the orders.
    await tx.query('set local enable_indexscan = off; set local enable_bitmapscan = off')
    return selectOnTheWay(tx, buyer._id, toPurchaseLines([line]))
  })
  expect(found?.map(({ seq }) => String(seq))).toEqual([newest?.number])
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

test('of the same purchase begun twice at the same moment, as by two tabs, one is placed and the other asks', async () => {
  const as = await makeUser(shop, { balance: 100 })
  const line = await cartLine(shop, { phoneNumber: '0557770001' })
  for (let round = 0; round < 3; round++) {
    const both = await Promise.all([buy([line], ask, as), buy([line], ask, as)])
    expect(both.map(({ status }) => status).sort()).toEqual(round === 0 ? [200, 409] : [409, 409])
  }
  // The attempt that asked goes on under its own key, once, however often "buy again" is pressed.
  const key = randomUUID()
  expect((await buy([line], ask, as, key)).body.code).toBe('ON_THE_WAY')
  const again = await Promise.all([buy([line], {}, as, key), buy([line], {}, as, key)])
  expect(new Set(again.map(({ body }) => body.orders[0]?.number)).size).toBe(1)
  expect(await balanceOf(shop, as._id)).toBe(10_000 - 2 * 550)
})

test('it is asked before the PIN, which is then used for what is bought', async () => {
  const as = await makeUser(shop, { balance: 100 })
  const line = await cartLine(shop, { phoneNumber: '0557770002' })
  await buy([line], {}, as)
  await call(shop, 'POST', '/user/me/pin', { as, body: { password: PASSWORD, pin: '7392', atCheckout: true } })
  const key = randomUUID()
  expect((await buy([line], ask, as, key)).body.code).toBe('ON_THE_WAY')
  expect((await buy([line], {}, as, key)).body.code).toBe('PIN_REQUIRED')
  const { body } = await call<{ proof: string }>(shop, 'POST', '/user/me/pin/proof', { as, body: { pin: '7392' } })
  const proven = { 'pin-proof': body.proof }
  expect((await buy([line], { ...ask, ...proven }, as, key)).body.code).toBe('ON_THE_WAY')
  expect((await buy([line], proven, as, key)).status).toBe(200)
})

const neverCalled = gatewayThat(new Error('not asked'), { initialize: () => Promise.reject(new Error('the provider was called')) })

test('a payment by card, or a top-up that buys, asks before the provider hears of it', async () => {
  const as = await makeUser(shop, { balance: 6 })
  const items = [await cartLine(shop, { phoneNumber: '0557770003' })]
  await buy(items, {}, as)
  const { ctx } = makeCtx(shop, { id: as._id, level: 'Customer' })
  for (const request of [{ purpose: 'order', items } as const, { purpose: 'top-up', amount: 5, items } as const]) {
    await expect(startPayment(ctx, neverCalled, request, { asks: true })).rejects.toMatchObject({
      code: 'ON_THE_WAY',
      issues: [{ path: 'items.0.phoneNumber' }],
    })
  }
  const { rows } = await shop.database.db.query('select from payments where user_id = $1', [as._id])
  expect(rows).toEqual([])
})

test('a guest is asked about what their own payment before bought, which a number alone does not show, and is told no order number', async () => {
  await shop.database.db.query('update agent_shop_rules set enabled = true, new_shops = true')
  const agent = await makeUser(shop, { level: 'Agent' })
  const opened = { slug: 'on-the-way', name: 'Akosua Data', about: 'Madina', colour: 'plum', phone: '0245550100', whatsapp: null }
  const { body } = await call<{ shop: { id: string } }>(shop, 'POST', '/my-shop', { as: agent, body: opened })
  const line = await cartLine(shop, { phoneNumber: '0557770004' })
  const { shop: public_ } = (
    await call<{ shop: { offers: { productId: string; offer: string; price: number }[] } }>(shop, 'GET', '/shops/on-the-way')
  ).body
  const amount = public_.offers.find(({ productId, offer }) => productId === line.productId && offer === line.offer)?.price ?? 0
  const phone = '0245550142'
  const bought = { product: line.productId, network: null, offer: line.offer, receiver: line.phoneNumber, clientId: null }
  const lines = [{ ...bought, expectedPricePesewas: Math.round(amount * 100) }]
  const reference = randomUUID().replaceAll('-', '').slice(0, 20)
  const { now } = shop.clock
  const guest = { shopId: body.shop.id, phone }
  const pricePesewas = lines[0]?.expectedPricePesewas ?? 0
  await insertPayment(shop.database.db, {
    ...{ reference, userId: null, guest, purpose: 'order', lines, pricePesewas },
    ...{ surchargePesewas: 0, now, checkAt: new Date(now.getTime() + 3_600_000_000) },
  })
  await settlePayment(makeCtx(shop).ctx, gatewayThat(paid(pricePesewas)), reference)
  const start = (before: string | undefined, asks: boolean) => {
    const wanted = { slug: opened.slug, email: 'shop@example.com', phone, items: [{ ...line, amount }], before, asks, browser: null }
    return startGuestPayment(makeCtx(shop).ctx, neverCalled, wanted)
  }
  await expect(start(reference, true)).rejects.toMatchObject({ code: 'ON_THE_WAY', message: 'MTN 1GB for 0557770004 is still on its way.' })
  await expect(start(reference, false)).rejects.toThrow('the provider was called')
  for (const before of [undefined, 'ABCDEFGHJKLMNPQRSTUV']) await expect(start(before, true)).rejects.toThrow('the provider was called')
})

test('the developer API asks with the same header: single orders, several, lists, and test orders', async () => {
  const as = await makeUser(shop, { level: 'Agent', balance: 500 })
  const line = await cartLine(shop, { as: 'Agent' })
  const order = (receiver: string) => ({ network: 'MTN', offer: '1GB', receiver, expected_price: line.amount.toFixed(2) })
  for (const isTest of [false, true]) {
    const made = await call<{ key: ApiKey; secret: string }>(shop, 'POST', '/api-keys', {
      as,
      body: { name: 'Till', scopes: ['orders:read', 'orders:write'], test: isTest },
    })
    const send = async (url: string, payload: object, headers: Record<string, string> = ask, key: string = randomUUID()) => {
      const sent = { authorization: `Bearer ${made.body.secret}`, 'idempotency-key': key, ...headers }
      const reply = await shop.app.inject({ method: 'POST', url: `/v1${url}`, headers: sent, payload })
      return { status: reply.statusCode, body: reply.json() }
    }
    // Test orders for such a number stay pending.
    const one = order('0557780003')
    const key = randomUUID()
    expect((await send('/orders', one, ask, key)).status).toBe(201)
    expect((await send('/orders', one, ask, key)).status).toBe(201)
    const asked = await send('/orders', one)
    expect([asked.status, asked.body.code, asked.body.issues[0].path]).toEqual([409, 'ON_THE_WAY', 'receiver'])
    const orders = [order('0557790003'), one]
    for (const url of ['/orders/bulk', '/lists']) {
      const refused = await send(url, { orders })
      expect([url, refused.status, refused.body.code, refused.body.issues.map((issue: { path: string }) => issue.path)]).toEqual([
        url,
        409,
        'ON_THE_WAY',
        ['orders.1.receiver'],
      ])
    }
    expect((await send('/orders', one, { 'if-on-the-way': 'no' })).body.code).toBe('INVALID')
    const twice = [order('0557800003'), order('0557810003'), order('0557800003')]
    for (const url of ['/orders/bulk', '/lists']) {
      const { status, body } = await send(url, { orders: twice })
      expect([url, status, body.code, body.issues[0].path]).toEqual([url, 409, 'ON_THE_WAY', 'orders.2.receiver'])
    }
    expect((await send('/lists', { orders: twice }, {})).status).toBe(201)
    expect((await send('/lists', { orders }, {})).status).toBe(201)
    expect((await send('/orders', one, {})).status).toBe(201)
  }
})
