import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ErrorBody } from '../../../../shared/errors.ts'
import type { Order } from '../../../../shared/orders.ts'
import type { TrackedOrder } from '../../../../shared/tracker.ts'
import type { SignedInUser } from '../../../../shared/users.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { call, cartLine, checkout, makeUser } from '../../../../test/builders.ts'

let shop: TestShop
let admin: SignedInUser
let order: Order
let buyer: SignedInUser

beforeAll(async () => {
  shop = await openTestShop({ rateLimits: true })
})
afterAll(() => shop.close())

beforeEach(async () => {
  shop.clock.advance(24 * 60 * 60_000)
  admin = await makeUser(shop, { level: 'Admin' })
  buyer = await makeUser(shop, { balance: 100 })
  const bought = await checkout(shop, buyer, [await cartLine(shop, { phoneNumber: '0551234567' })])
  order = bought.body.orders[0] as Order
})

type Tracked = { order: TrackedOrder } & ErrorBody

function track(reference: string, phoneNumber = '0551234567') {
  return call<Tracked>(shop, 'POST', '/track', { body: { reference, phoneNumber } })
}

function byLink(reference: string) {
  return call<Tracked>(shop, 'GET', `/track/${reference}`)
}

describe('an order is found without signing in', () => {
  test('by its number or its reference with the receiver, and by its link alone', async () => {
    const shown = {
      number: order.number,
      network: 'MTN',
      offer: '1GB',
      receiver: '••• ••• •567',
      status: 'pending',
      steps: [
        { step: 'paid', at: order.createdAt },
        { step: 'delivered', at: null },
      ],
      expected: null,
      guest: null,
    }
    for (const { status, body } of [await track(order.number), await track(` ${order.reference} `), await byLink(order.reference)]) {
      expect([status, body]).toEqual([200, { order: shown }])
    }
  })

  test('without its price, its buyer, or the whole number of its receiver', async () => {
    const text = JSON.stringify((await byLink(order.reference)).body)
    for (const secret of ['5.5', buyer.username, buyer.phone, buyer._id, '0551234567', order._id]) expect(text).not.toContain(secret)
  })

  test('as it stands now: refunded when it was rejected', async () => {
    await call(shop, 'PUT', `/order/update-status/${order._id}`, {
      as: admin,
      body: { status: 'rejected', override: { reason: 'No data' } },
    })
    const { body } = await byLink(order.reference)
    expect([body.order.status, body.order.steps.map(({ step }) => step)]).toEqual(['rejected', ['paid', 'refunded']])
  })
})

describe('what does not match is not found', () => {
  test.each([
    ['another receiver', () => track(order.number, '0551234568')],
    ['another receiver of the reference', () => track(order.reference, '0551234568')],
    ['a number that was never given', () => track('999999999')],
    ['a number beyond all numbers', () => track('999999999999999999')],
    ['a made-up reference', () => track('AAAAAAAAAAAAAAAAAAAA')],
    ['a made-up link', () => byLink('AAAAAAAAAAAAAAAAAAAA')],
    ['a reference in other letters', () => track(swapCase(order.reference))],
  ])('%s', async (_, ask) => {
    const { status, body } = await ask()
    expect([status, body.code, body.message]).toEqual([404, 'NOT_FOUND', 'That order does not exist.'])
  })

  test.each([
    ['', 'Enter the order number, or the reference on the receipt.'],
    ['10001; drop', 'Enter the order number, or the reference on the receipt.'],
  ])('%j is refused with a word about it', async (reference, message) => {
    const { status, body } = await track(reference)
    expect([status, body.issues]).toEqual([400, [{ path: 'reference', message }]])
  })
})

function swapCase(text: string) {
  return text.replace(/[a-z]/gi, (letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()))
}

test('looks for one number from one address end after thirty, and one more is let through after twenty seconds', async () => {
  for (let n = 0; n < 30; n++) expect((await track(order.number)).status).toBe(200)
  expect((await track(order.number)).status).toBe(429)
  // A neighbour there.
  expect((await track(order.number, '0244000001')).status).toBe(404)
  shop.clock.advance(20_000)
  expect((await track(order.number)).status).toBe(200)
  expect((await track(order.number)).status).toBe(429)
})
