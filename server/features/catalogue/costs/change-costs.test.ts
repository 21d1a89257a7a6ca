import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { PackageCost } from '../../../../shared/costs.ts'
import type { Product } from '../../../../shared/products.ts'
import type { SignedInUser } from '../../../../shared/users.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { call, findProduct, makeUser } from '../../../../test/builders.ts'

let shop: TestShop
let admin: SignedInUser
let mtn: Product

beforeAll(async () => {
  shop = await openTestShop()
  admin = await makeUser(shop, { level: 'Admin' })
})
afterAll(() => shop.close())
beforeEach(async () => {
  mtn = await findProduct(shop, 'MTN')
})
afterEach(async () => {
  await shop.database.db.query(
    'alter table package_costs disable trigger user; delete from package_costs; alter table package_costs enable trigger user',
  )
})

const line = (cost: number | null, { offer = '1GB', supplier = 'by-hand' } = {}) => ({ productId: mtn._id, offer, supplier, cost })

function set(costs: unknown[], as: { token: string } = admin) {
  return call<{ costs: PackageCost[]; message: string }>(shop, 'PUT', '/admin/costs', { as, body: { costs } })
}

async function costsNow() {
  const { body } = await call<{ costs: PackageCost[] }>(shop, 'GET', '/admin/costs', { as: admin })
  return body.costs.map(({ offer, supplier, cost }) => [offer, supplier, cost])
}

async function history() {
  const { body } = await call<{ costs: PackageCost[] }>(shop, 'GET', `/admin/costs/${mtn._id}`, { as: admin })
  return body.costs
}

test('a package has a cost by hand and one at each supplier, and none until somebody sets it', async () => {
  expect(await costsNow()).toEqual([])
  const { body } = await set([line(4.8), line(4.75, { supplier: 'hubnet' }), line(9.1, { offer: '2GB' })])
  expect(body.costs).toContainEqual({
    productId: mtn._id,
    offer: '1GB',
    supplier: 'hubnet',
    cost: 4.75,
    validFrom: shop.clock.now.toISOString(),
    setBy: admin.username,
  })
  expect(await costsNow()).toEqual([
    ['1GB', 'by-hand', 4.8],
    ['1GB', 'hubnet', 4.75],
    ['2GB', 'by-hand', 9.1],
  ])
})

test('a new cost keeps the old one in the history; the same cost again adds nothing', async () => {
  await set([line(4.8)])
  shop.clock.advance(60_000)
  await set([line(5)])
  await set([line(5)])
  expect((await history()).map(({ cost, setBy }) => [cost, setBy])).toEqual([
    [5, admin.username],
    [4.8, admin.username],
  ])
  expect(await costsNow()).toEqual([['1GB', 'by-hand', 5]])
})

test('a cost can be taken back: then it is not known', async () => {
  await set([line(4.8)])
  await set([line(null)])
  expect(await costsNow()).toEqual([['1GB', 'by-hand', null]])
  await expect(
    shop.database.db.query(`select package_cost($1, '1GB', 'by-hand', $2) as cost`, [mtn._id, shop.clock.now]),
  ).resolves.toMatchObject({ rows: [{ cost: null }] })
})

test('a cost stays with its package when the product is saved', async () => {
  await set([line(4.8)])
  const packages = mtn.packages.map(({ _id, ...kept }) => kept)
  const saved = await call(shop, 'PUT', `/product/${mtn._id}`, { as: admin, body: { network: 'MTN', status: 'available', packages } })
  expect(saved.status).toBe(200)
  expect(await costsNow()).toEqual([['1GB', 'by-hand', 4.8]])
})

test('of many costs with one that is wrong, none is set', async () => {
  const refused = await set([line(4.8), line(1, { offer: 'No such offer' })])
  expect([refused.status, refused.body.message]).toEqual([400, 'No such offer is not in the catalogue any more.'])
  expect(await costsNow()).toEqual([])
})

test.each([
  ['nothing', []],
  ['a cost of zero', [0]],
  ['less than nothing', [-1]],
  ['a fraction of a pesewa', [1.005]],
  ['the same package twice', [1, 2]],
])('%s is refused', async (_what, costs) => {
  expect((await set(costs.map((cost) => line(cost)))).status).toBe(400)
  expect(await history()).toEqual([])
})

test('only staff see and set costs', async () => {
  const agent = await makeUser(shop, { level: 'Agent' })
  expect((await set([line(4.8)], agent)).status).toBe(403)
  expect((await call(shop, 'GET', '/admin/costs', { as: agent })).status).toBe(403)
})

test('of the same change by two admins at once, one is kept', async () => {
  const replies = await Promise.all([set([line(4.8)]), set([line(4.8)])])
  expect(replies.map(({ status }) => status)).toEqual([200, 200])
  expect(await history()).toHaveLength(1)
})

describe('the database', () => {
  test.each(['update package_costs set cost_pesewas = 1', 'delete from package_costs', 'truncate package_costs'])(
    'refuses to %s',
    async (sql) => {
      await set([line(4.8)])
      await expect(shop.database.db.query(sql)).rejects.toMatchObject({ code: 'DW001' })
    },
  )
})
