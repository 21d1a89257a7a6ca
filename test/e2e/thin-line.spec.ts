import { buyOnThinLine } from '../buy-on-a-thin-line.ts'
import { expect, test } from './shop.ts'

test('on a line that loses requests every purchase is made once', async ({ browser, shop }) => {
  test.setTimeout(300_000)
  const { receivers, orders, balance, expectedBalance } = await buyOnThinLine(browser, shop, { times: 2 })
  expect(orders.map((order) => order.receiver).sort()).toEqual(receivers.toSorted())
  expect(balance).toBe(expectedBalance)
})
