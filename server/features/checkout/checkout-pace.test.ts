import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestShop, type TestShop } from '../../../test/app.ts'
import { balanceOf, call, cartLine, checkout, makeUser, PASSWORD } from '../../../test/builders.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openTestShop({ rateLimits: true, outsideWorld: { CHECKOUTS_AT_ONCE: '120', CHECKOUTS_PER_SECOND: '2' } })
})
afterAll(() => shop.close())

type Buyer = Awaited<ReturnType<typeof makeUser>>

async function buyMany(buyer: Pick<Buyer, 'token'>, count: number, key?: string): Promise<Record<number, number>> {
  const line = await cartLine(shop)
  const counts: Record<number, number> = {}
  for (let at = 0; at < count; at += 20) {
    const some = Array.from({ length: Math.min(20, count - at) }, () => checkout(shop, buyer, [line], key ?? randomUUID()))
    for (const { status } of await Promise.all(some)) counts[status] = (counts[status] ?? 0) + 1
  }
  return counts
}

const createOrder = async (buyer: Pick<Buyer, 'token'>) => {
  const { offer, amount } = await cartLine(shop)
  const newOrder = { id: randomUUID(), network: 'MTN', offer, receiver: '0551234567', totalAmount: amount }
  return (await call(shop, 'POST', '/order/create', { as: buyer, body: { newOrder } })).status
}

describe('purchases of one user from their wallet', () => {
  test('are so many at once, whole carts of them, and then so many a second; what is too much costs nothing', async () => {
    const buyer = await makeUser(shop, { balance: 2_000 })
    expect(await buyMany(buyer, 130)).toEqual({ 200: 120, 429: 10 })
    expect(await balanceOf(shop, buyer._id)).toBe(200_000 - 120 * 550)
    shop.clock.advance(5_000)
    expect(await buyMany(buyer, 12)).toEqual({ 200: 10, 429: 2 })
  })

  test('are counted together over their devices and both ways to buy', async () => {
    const buyer = await makeUser(shop, { balance: 2_000 })
    const { body: elsewhere } = await call<{ token: string }>(shop, 'POST', '/user/login', {
      body: { userPhone: buyer.phone, password: PASSWORD },
    })
    // Whose a session is, is known from its first purchase on.
    for (const device of [buyer, elsewhere]) expect(await buyMany(device, 1)).toEqual({ 200: 1 })
    expect(await buyMany(buyer, 60)).toEqual({ 200: 60 })
    expect(await buyMany(elsewhere, 57)).toEqual({ 200: 57 })
    expect(await createOrder(buyer)).toBe(200)
    expect([await createOrder(buyer), await buyMany(buyer, 1), await buyMany(elsewhere, 1)]).toEqual([429, { 429: 1 }, { 429: 1 }])
  })

  test('say how long to wait, and leave everyone else alone', async () => {
    const [buyer, other] = [await makeUser(shop, { balance: 2_000 }), await makeUser(shop, { balance: 20 })]
    await buyMany(buyer, 120)
    const refused = await checkout(shop, buyer, [await cartLine(shop)])
    expect([refused.status, refused.body.code, refused.headers['retry-after']]).toEqual([429, 'TOO_MANY_REQUESTS', '1'])
    expect(await buyMany(other, 1)).toEqual({ 200: 1 })
  })

  test('that were asked for again under one key are still one, also where the asking was too fast', async () => {
    const buyer = await makeUser(shop, { balance: 2_000 })
    expect(await buyMany(buyer, 125, randomUUID())).toEqual({ 200: 120, 429: 5 })
    expect(await balanceOf(shop, buyer._id)).toBe(200_000 - 550)
  })
})
