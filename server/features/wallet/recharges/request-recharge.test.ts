import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { ErrorBody } from '../../../../shared/errors.ts'
import type { Recharge } from '../../../../shared/recharges.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { call, makeUser } from '../../../../test/builders.ts'
import { confirmNumberOf } from '../../../../test/confirmations.ts'
import { makeCtx } from '../../../../test/settling.ts'
import { endUnpaidRecharges } from './end-unpaid-recharges.ts'

/** The dice alone are loaded, so that two requests draw the same number as they would once in many years. */
const draw = vi.spyOn(crypto as { randomInt(least: number, most: number): number }, 'randomInt')
syncBuiltinESMExports()
let others = 0

let shop: TestShop
beforeAll(async () => {
  shop = await openTestShop()
})
beforeEach(() => void draw.mockReset().mockImplementation(() => 60_000_000 + others++))
afterAll(async () => {
  await shop.close()
  draw.mockRestore()
  syncBuiltinESMExports()
})

async function ask(amount = 50) {
  const { status, body } = await call<{ recharge: Recharge } & ErrorBody>(shop, 'POST', '/recharge', {
    as: await makeUser(shop),
    body: { amount },
  })
  return { status, body, id: body.recharge?.rechargeId }
}

describe('the eight digits of a recharge', () => {
  test('are random and do not begin with 0', async () => {
    draw.mockReturnValueOnce(10_000_000).mockReturnValueOnce(99_999_999)
    expect([(await ask()).id, (await ask()).id]).toEqual(['10000000', '99999999'])
    expect(draw.mock.calls).toEqual([
      [10_000_000, 100_000_000],
      [10_000_000, 100_000_000],
    ])
  })

  test('are drawn again when taken, up to four times', async () => {
    draw.mockReturnValueOnce(20_000_000)
    await ask()
    for (let time = 0; time < 4; time++) draw.mockReturnValueOnce(20_000_000)
    draw.mockReturnValueOnce(30_000_000)
    expect((await ask()).id).toBe('30000000')
  })

  test('fail after five taken numbers', async () => {
    draw.mockReturnValue(40_000_000)
    await ask()
    draw.mockClear()
    expect((await ask()).status).toBe(500)
    expect(draw).toHaveBeenCalledTimes(5)
  })

  test('are not drawn again after another error', async () => {
    // Seven digits are none, which the database says.
    draw.mockReturnValue(1_234_567)
    expect((await ask()).status).toBe(500)
    expect(draw).toHaveBeenCalledTimes(1)
  })
})

async function askAll(asker: { token: string }, amounts: number[]) {
  for (const [index] of amounts.entries()) draw.mockReturnValueOnce(50_000_000 + drawn + index)
  drawn += amounts.length
  return Promise.all(amounts.map((amount) => call<ErrorBody>(shop, 'POST', '/recharge', { as: asker, body: { amount } })))
}

let drawn = 0

test.each([
  ['whose first was not approved yet', 2, null],
  ['with a confirmed number whose first was not approved yet', 5, 'confirmed'],
  ['who has paid before', 20, 'paid'],
])(
  'a customer %s may have %i pending, requested at once or not, and is told why a further one is refused',
  async (_who, most, standing) => {
    const asker = await makeUser(shop)
    if (standing === 'confirmed') await confirmNumberOf(shop, asker)
    if (standing === 'paid') {
      const [first] = await askAll(asker, [50])
      const { rechargeId } = first!.body as unknown as { rechargeId: string }
      await call(shop, 'PUT', `/recharge/${rechargeId}/approve`, { as: await makeUser(shop, { level: 'Admin' }), body: {} })
    }
    const replies = await askAll(asker, Array(most + 2).fill(50))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(most)
    const refused = replies.filter(({ status }) => status === 429).map(({ body }) => body.message)
    expect(refused).toEqual(
      Array(2).fill(expect.stringMatching(new RegExp(`^You have ${most} recharges waiting already. Please wait for a decision.`))),
    )
  },
)

test('a request of a customer who never paid ends by itself after seven days with a reason; a payer’s waits on', async () => {
  const [stranger, payer] = [await makeUser(shop), await makeUser(shop)]
  const { db } = shop.database
  const days = (count: number) => new Date(shop.clock.now.getTime() - count * 86_400_000)
  const add = async (id: string, as: { _id: string }, at: Date) =>
    db.query(`insert into recharges (recharge_id, user_id, amount_pesewas, created_at) values ($1, $2, 5000, $3)`, [id, as._id, at])
  await add('81000001', stranger, days(8))
  await add('81000002', stranger, days(6))
  await add('81000003', payer, days(8))
  await add('81000004', payer, days(8))
  await call(shop, 'PUT', '/recharge/81000003/approve', { as: await makeUser(shop, { level: 'Admin' }), body: {} })
  await endUnpaidRecharges(makeCtx(shop).ctx)
  const { rows } = await db.query(
    `select recharge_id as id, status, decline_reason as reason from recharges where recharge_id like '8100000%' order by 1`,
  )
  expect(rows.map(({ id, status, reason }) => [id.at(-1), status, reason])).toEqual([
    ['1', 'declined', expect.stringMatching(/^No payment came within 7 days/)],
    ['2', 'pending', null],
    ['3', 'approved', null],
    ['4', 'pending', null],
  ])
})

test('a customer’s first recharges may total 100,000 cedis; after one is approved, each may', async () => {
  const [asker, admin] = [await makeUser(shop), await makeUser(shop, { level: 'Admin' })]
  await confirmNumberOf(shop, asker)
  const [first, , second] = [...(await askAll(asker, [50_000])), ...(await askAll(asker, [40_000])), ...(await askAll(asker, [10_001]))]
  expect([first!.status, second!.status, second!.body.message]).toEqual([
    200,
    429,
    'Your first recharges may come to 100,000.00 cedis in all. Please wait until we have approved one.',
  ])
  await call(shop, 'PUT', `/recharge/${(first!.body as unknown as { rechargeId: string }).rechargeId}/approve`, { as: admin, body: {} })
  const later = [...(await askAll(asker, [50_000])), ...(await askAll(asker, [50_000]))]
  expect(later.map(({ status }) => status)).toEqual([200, 200])
})

test('new customers at one address may request forty, then one every quarter of an hour; paying customers are not counted', async () => {
  const limited = await openTestShop({ rateLimits: true })
  try {
    const { db } = limited.database
    const [regular, stranger] = [await makeUser(limited), await makeUser(limited)]
    const boss = await makeUser(limited, { level: 'Admin' })
    await db.query(`insert into recharges (recharge_id, user_id, amount_pesewas, created_at) values ('11111111', $1, 5000, now())`, [
      regular._id,
    ])
    await call(limited, 'PUT', '/recharge/11111111/approve', { as: boss, body: {} })
    // As if thirty-nine had asked, and one that comes to nothing.
    const name = 'recharge of a newcomer at 127.0.0.1'
    await db.query('select settle_attempts($1, 40, 900000, 39, $2)', [name, limited.clock.now])
    const from = (asker: { token: string }, digits: number, amount: number) => {
      draw.mockReturnValueOnce(digits)
      return call<ErrorBody>(limited, 'POST', '/recharge', { as: asker, body: { amount } })
    }
    await db.query(
      `insert into recharges (recharge_id, user_id, amount_pesewas, created_at) select (22222220 + n)::text, $1, 5000, now() from generate_series(1, 5) n`,
      [stranger._id],
    )
    expect((await from(stranger, 33_333_331, 50)).body.message).toMatch(/^You have 2 recharges waiting.* ends after 7 days/)
    const honest = await makeUser(limited)
    // Neither does one that fails by itself.
    draw.mockReset().mockReturnValue(11_111_111)
    expect((await call(limited, 'POST', '/recharge', { as: honest, body: { amount: 50 } })).status).toBe(500)
    draw.mockReset()
    expect((await from(honest, 33_333_332, 50)).status).toBe(200)
    const refused = await from(await makeUser(limited), 33_333_333, 50)
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '900'])
    draw.mockReset()
    expect((await from(regular, 33_333_334, 50)).status).toBe(200)
  } finally {
    await limited.close()
  }
})
