import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { call, cartLine, checkout, makeUser } from '../../../../test/builders.ts'
import { until } from '../../../../test/until.ts'

let shop: TestShop
beforeAll(async () => {
  // The relay does nothing by itself here, so whoever makes an order must wake it.
  shop = await openTestShop({ timings: { relayMs: 3_600_000 } })
})
afterAll(() => shop.close())

async function waiting(): Promise<number> {
  return (await shop.database.db.query('select from order_outbox')).rowCount ?? 0
}

test.each<[string, (buyer: { token: string }) => Promise<{ status: number }>]>([
  ['a checkout', async (buyer) => checkout(shop, buyer, [await cartLine(shop)])],
  [
    'a single order',
    (buyer) => {
      const newOrder = { id: 'order-1', network: 'MTN', offer: '1GB', receiver: '0551234567', totalAmount: 5.5 }
      return call(shop, 'POST', '/order/create', { as: buyer, body: { newOrder } })
    },
  ],
])('the jobs of %s start at once', async (_name, buy) => {
  const buyer = await makeUser(shop, { balance: 20 })
  expect((await buy(buyer)).status).toBe(200)
  await until(async () => (await waiting()) === 0)
})
