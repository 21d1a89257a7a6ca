import { randomInt } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { ErrorBody } from '../../../shared/errors.ts'
import type { Recharge } from '../../../shared/recharges.ts'
import { openTestShop, type TestShop } from '../../../test/app.ts'
import { call, makeUser } from '../../../test/builders.ts'

/** The dice alone are loaded, so that two requests draw the same number as they would once in many years. */
vi.mock('node:crypto', async (original) => ({ ...(await original<typeof import('node:crypto')>()), randomInt: vi.fn<() => number>() }))
const draw = vi.mocked(randomInt as (least: number, most: number) => number)

let shop: TestShop
beforeAll(async () => {
  shop = await openTestShop()
})
beforeEach(() => draw.mockReset())
afterAll(() => shop.close())

async function ask(amount = 50) {
  const { status, body } = await call<{ recharge: Recharge } & ErrorBody>(shop, 'POST', '/recharge', {
    as: await makeUser(shop),
    body: { amount },
  })
  return { status, body, id: body.recharge?.rechargeId }
}

describe('the eight digits of a recharge', () => {
  test('are drawn from all that do not begin with 0', async () => {
    draw.mockReturnValueOnce(10_000_000).mockReturnValueOnce(99_999_999)
    expect([(await ask()).id, (await ask()).id]).toEqual(['10000000', '99999999'])
    expect(draw.mock.calls).toEqual([
      [10_000_000, 100_000_000],
      [10_000_000, 100_000_000],
    ])
  })

  test('are drawn again while somebody has them, up to four times', async () => {
    draw.mockReturnValueOnce(20_000_000)
    await ask()
    for (let time = 0; time < 4; time++) draw.mockReturnValueOnce(20_000_000)
    draw.mockReturnValueOnce(30_000_000)
    expect((await ask()).id).toBe('30000000')
  })

  test('are not drawn for ever: the fifth time in vain is an error', async () => {
    draw.mockReturnValue(40_000_000)
    await ask()
    draw.mockClear()
    expect((await ask()).status).toBe(500)
    expect(draw).toHaveBeenCalledTimes(5)
  })

  test('are not drawn again for another error', async () => {
    // Seven digits are none, which the database says.
    draw.mockReturnValue(1_234_567)
    expect((await ask()).status).toBe(500)
    expect(draw).toHaveBeenCalledTimes(1)
  })
})

test('whoever has 20 recharges waiting is told why there is no other', async () => {
  const asker = await makeUser(shop)
  for (let count = 0; count < 21; count++) draw.mockReturnValueOnce(50_000_000 + count)
  const replies: (ErrorBody | undefined)[] = []
  for (let count = 0; count < 21; count++) {
    const { status, body } = await call<ErrorBody>(shop, 'POST', '/recharge', { as: asker, body: { amount: 50 } })
    if (status !== 200) replies.push(body)
  }
  expect(replies.map((body) => body?.message)).toEqual(['You have 20 recharges waiting already. Please wait for a decision.'])
})
