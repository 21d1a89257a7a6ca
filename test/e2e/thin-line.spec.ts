import { buyOnThinLine } from '../buy-on-a-thin-line.ts'
import { expect, test } from './shop.ts'

// Not as slow as the line of bench/thin-line.ts, and worse at losing: what is lost is what matters here.
const LINE = { bytesPerSecond: 50_000, roundTripMs: 300, lostPercent: 10 }

test('on a line that loses requests every purchase is made once', { tag: '@long' }, async ({ browser, shop }) => {
  test.slow()
  const { receivers, orders, balance, expectedBalance, lost } = await buyOnThinLine(browser, shop, { times: 3, line: LINE })
  expect(lost).toBeGreaterThan(0)
  expect(orders.map((order) => order.receiver).sort()).toEqual(receivers.toSorted())
  expect(balance).toBe(expectedBalance)
})
