import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { balanceOf, call, cartLine, checkout, makeUser, PASSWORD } from '../../../../test/builders.ts'

const MINUTE_MS = 60_000

let shop: TestShop
beforeAll(async () => {
  shop = await openTestShop()
})
afterAll(() => shop.close())

describe('the session of a checkout', () => {
  test('that was idle for a while buys once, and counts as used', async () => {
    const buyer = await makeUser(shop, { balance: 20 })
    shop.clock.advance(6 * MINUTE_MS)
    expect((await checkout(shop, buyer, [await cartLine(shop)])).body.balance).toBe(14.5)
    expect(await balanceOf(shop, buyer._id)).toBe(1450)
    const { rows } = await shop.database.db.query('select last_used_at as "lastUsedAt" from sessions where user_id = $1', [buyer._id])
    expect(rows).toEqual([{ lastUsedAt: shop.clock.now }])
  })

  test('of an admin that was idle for too long buys nothing', async () => {
    const { phone, _id } = await makeUser(shop, { level: 'Admin', balance: 20 })
    const { body: admin } = await call<{ token: string }>(shop, 'POST', '/user/login', { body: { userPhone: phone, password: PASSWORD } })
    shop.clock.advance(121 * MINUTE_MS)
    expect((await checkout(shop, admin, [await cartLine(shop)])).status).toBe(401)
    expect(await balanceOf(shop, _id)).toBe(2000)
  })

  test.each<[string, (buyer: { _id: string; token: string }) => Promise<unknown>]>([
    ['signed out', (buyer) => call(shop, 'POST', '/user/logout', { as: buyer })],
    ['was banned', (buyer) => shop.database.db.query(`update users set status = 'Banned' where id = $1`, [buyer._id])],
    ['has ended', (buyer) => shop.database.db.query(`update sessions set expires_at = created_at where user_id = $1`, [buyer._id])],
  ])('of somebody who %s buys nothing from then on', async (_how, end) => {
    const buyer = await makeUser(shop, { balance: 20 })
    const items = [await cartLine(shop)]
    expect((await checkout(shop, buyer, items)).status).toBe(200)
    await end(buyer)
    const { status, body } = await checkout(shop, buyer, items)
    expect([status, body.code]).toEqual([401, 'UNAUTHENTICATED'])
    expect(await balanceOf(shop, buyer._id)).toBe(1450)
  })

  test.each([
    ['that is not valid', { items: [] }, {}],
    ['that is too large', { items: 'x'.repeat(70_000) }, {}],
    ['that is no JSON', '{', { 'content-type': 'application/json' }],
  ])('that does not exist gets 401 before any error about a body %s', async (_what, body, headers) => {
    const nobody = { token: 'A'.repeat(43) }
    expect((await call(shop, 'POST', '/order/checkout', { as: nobody, body, headers })).status).toBe(401)
    expect((await call(shop, 'POST', '/order/checkout', { body, headers })).status).toBe(401)
    const somebody = await makeUser(shop)
    expect((await call(shop, 'POST', '/order/checkout', { as: somebody, body, headers })).status).toBeOneOf([400, 413])
  })
})
