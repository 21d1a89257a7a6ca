import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Order } from '../shared/orders.ts'
import type { Recharge } from '../shared/recharges.ts'
import { STAFF_ROLES, type StaffRole } from '../shared/staff-rules.ts'
import type { Stats } from '../shared/stats.ts'
import type { ListedUser, SignedInUser } from '../shared/users.ts'
import { openTestShop, type TestShop } from './app.ts'
import { call, cartLine, checkout, makeUser, PASSWORD } from './builders.ts'
import { openRealtimeProbe, type RealtimeProbe } from './realtime-probe.ts'
import { until } from './until.ts'

// What staff see who do not own the shop. Which endpoints they may call at all stands in authorisation.test.ts.

let shop: TestShop
let owner: SignedInUser
let buyer: SignedInUser
const staff = {} as Record<StaffRole, SignedInUser>

beforeAll(async () => {
  shop = await openTestShop({ withSandbox: true, outsideWorld: { SMS: 'off', SUPPLIER: 'off' } })
  owner = await makeUser(shop, { level: 'Admin' })
  for (const role of STAFF_ROLES) staff[role] = await makeUser(shop, { roles: [role] })
  buyer = await makeUser(shop, { balance: 47.13, username: 'ama of the roles' })
  await checkout(shop, buyer, [await cartLine(shop)])
  await call(shop, 'POST', '/recharge', { as: buyer, body: { amount: 60 } })
})
afterAll(() => shop.close())

async function list<T>(path: string, as: SignedInUser, query: Record<string, string> = {}): Promise<T[]> {
  return (await call<T[]>(shop, 'GET', path, { as, query })).body
}
const finds = async (path: string, as: SignedInUser, query: Record<string, string> = {}) =>
  (await list<ListedUser>(path, as, query)).find(({ _id }) => _id === buyer._id)

describe('somebody who only processes orders', () => {
  test('finds customers, but no balance, neither by reading nor by searching for the amount', async () => {
    const found = await finds('/user', staff.orders)
    expect(found).toMatchObject({ username: buyer.username, phone: buyer.phone })
    expect(Object.keys(found!)).not.toEqual(expect.arrayContaining([expect.stringMatching(/balance|totalPurchase/i)]))
    expect(await finds('/user', owner, { search: '41.63' })).toMatchObject({ balance: 41.63 })
    expect(await list('/user', staff.orders, { search: '41.63' })).toEqual([])
  })

  test('sees their own wallet and requests alone', async () => {
    expect((await list<ListedUser>('/user/account-balances', staff.orders)).map(({ _id }) => _id)).toEqual([staff.orders._id])
    expect(await list<Recharge>('/recharge', staff.orders)).toEqual([])
    const own = (await list<ListedUser>('/user', staff.orders)).find(({ _id }) => _id === staff.orders._id)
    expect(own).toMatchObject({ balance: 0 })
  })

  test('sees how many orders there are, but not what the shop was paid or holds', async () => {
    const { body } = await call<Stats>(shop, 'GET', '/order/stats', { as: staff.orders })
    expect(body.orders.total.count).toBe(1)
    expect([body.finance, Object.keys(body.waiting)]).toEqual([undefined, ['orders']])
    expect((await call<Stats>(shop, 'GET', '/order/stats', { as: staff.finance })).body).toMatchObject({
      finance: { totalFunds: 41.63 },
      waiting: { recharges: { count: 1 } },
    })
  })

  test('downloads orders, but no file with money in it', async () => {
    const status = async (name: string) => (await call(shop, 'GET', `/export/${name}`, { as: staff.orders })).status
    expect([await status('admin-orders'), await status('admin-finance'), await status('admin-stats')]).toEqual([200, 403, 403])
  })
})

test('finance and support see wallets, whoever keeps the products sees neither wallets nor customers', async () => {
  for (const role of ['finance', 'support'] as const) {
    expect(await finds('/user/account-balances', staff[role])).toMatchObject({ balance: 41.63 })
    expect(await list<Recharge>('/recharge', staff[role])).toHaveLength(1)
  }
  for (const path of ['/user', '/user/account-balances']) expect(await finds(path, staff.products)).toBeUndefined()
  expect(await list<Order>('/order/allorders', staff.products)).toEqual([])
  expect(await list<Order>('/order/allorders', staff.orders)).toHaveLength(1)
})

test('staff learn their roles when they sign in and from their own record; customers have none', async () => {
  const signedIn = await call<SignedInUser>(shop, 'POST', '/user/login', { body: { userPhone: staff.support.phone, password: PASSWORD } })
  expect(signedIn.body).toMatchObject({ isAdmin: true, userLevel: 'Admin', roles: ['support'] })
  expect((await call(shop, 'GET', '/user/me', { as: staff.support })).body).toMatchObject({ roles: ['support'] })
  expect((await call(shop, 'GET', '/user/me', { as: buyer })).body).not.toHaveProperty('roles')
})

test('only an owner bans somebody who works here; support bans customers', async () => {
  const ban = async (as: SignedInUser, { _id }: SignedInUser) =>
    (await call(shop, 'PUT', `/user/${_id}/status`, { as, body: { status: 'Banned' } })).status
  const [leaving, customer] = [await makeUser(shop, { roles: ['orders'] }), await makeUser(shop)]
  expect([await ban(staff.orders, customer), await ban(staff.support, leaving), await ban(staff.support, customer)]).toEqual([
    403, 403, 200,
  ])
  expect(await ban(owner, leaving)).toBe(200)
})

test('each hears what their role is about, and nothing about other people’s money', async () => {
  const probes = {} as Record<StaffRole, RealtimeProbe>
  for (const role of STAFF_ROLES) probes[role] = await openRealtimeProbe(shop.url, staff[role].token)
  const { body } = await call<{ recharge: Recharge }>(shop, 'POST', '/recharge', { as: buyer, body: { amount: 70 } })
  await call(shop, 'PUT', `/recharge/${body.recharge._id}/approve`, { as: owner })
  await checkout(shop, buyer, [await cartLine(shop)])
  // All hear this one, and it comes after the others.
  await call(shop, 'PUT', '/extra/notice', { as: owner, body: { noticeContent: 'Closed today' } })
  for (const probe of Object.values(probes)) await until(() => probe.heard.some(({ event }) => event === 'noticeUpdated'))
  const heard = (role: StaffRole) => [...new Set(probes[role].heard.map(({ event }) => event))].sort()
  const all = ['noticeUpdated', 'ordersUpdated', 'rechargeUpdated', 'userUpdated']
  expect([heard('owner'), heard('finance'), heard('support')]).toEqual([all, all, all])
  expect(heard('orders')).toEqual(['noticeUpdated', 'ordersUpdated'])
  expect(heard('products')).toEqual(['noticeUpdated'])
  for (const probe of Object.values(probes)) probe.close()
})
