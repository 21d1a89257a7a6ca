import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Recharge } from '../../../../shared/recharges.ts'
import type { SignedInUser } from '../../../../shared/users.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { call, makeUser } from '../../../../test/builders.ts'
import { selectRecharges } from './recharges.sql.ts'

let shop: TestShop
let admin: SignedInUser
let first: string
beforeAll(async () => {
  shop = await openTestShop()
  admin = await makeUser(shop, { level: 'Admin' })
  const [ama, kofi] = [await makeUser(shop, { username: 'ama-serwaa' }), await makeUser(shop, { username: 'kofi-mensah' })]
  shop.clock.now = new Date('2026-03-04T05:06:07Z')
  first = (await call<{ rechargeId: string }>(shop, 'POST', '/recharge', { as: ama, body: { amount: 61.75 } })).body.rechargeId
  shop.clock.now = new Date('2026-03-05T15:16:17Z')
  const second = await call<{ rechargeId: string }>(shop, 'POST', '/recharge', { as: kofi, body: { amount: 80 } })
  await call(shop, 'PUT', `/recharge/${second.body.rechargeId}/decline`, { as: admin })
})
afterAll(() => shop.close())

async function find(search: string): Promise<string[]> {
  const { body } = await call<Recharge[]>(shop, 'GET', '/recharge', { as: admin, query: { search } })
  return body.map(({ user }) => user.username)
}

test.each<[string, string, string[]]>([
  ['the name of who asked', 'SERWAA', ['ama-serwaa']],
  ['its status', 'Declined', ['kofi-mensah']],
  ['its day as the list shows it', '04/03/2026', ['ama-serwaa']],
  ['its time of day', '15:16:17', ['kofi-mensah']],
  ['its amount', '61.75', ['ama-serwaa']],
  ['an amount that nobody asked for', '61.57', []],
  ['its amount with a digit that the list does not show', '61.750', []],
])('a recharge is found by %s', async (_by, search, found) => {
  expect(await find(search)).toEqual(found)
})

test('a recharge is found by a part of its number', async () => {
  expect(await find(first.slice(1, 7))).toContain('ama-serwaa')
})

test('recharges are listed newest first, a page at a time', async () => {
  const page = async (offset: number) => {
    const { recharges, total } = await selectRecharges(shop.database.db, { userId: null, status: null, search: null, limit: 1, offset })
    return [recharges.map(({ username }) => username), total]
  }
  expect([await page(0), await page(1), await page(2)]).toEqual([
    [['kofi-mensah'], 2],
    [['ama-serwaa'], 2],
    [[], 2],
  ])
})
