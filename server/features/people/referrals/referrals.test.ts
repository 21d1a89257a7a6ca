import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Leaderboard, Referral, ReferralSummary } from '../../../../shared/referrals.ts'
import type { SignedInUser } from '../../../../shared/users.ts'
import type { StatementLine } from '../../../../shared/wallet.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { balanceOf, call, cartLine, checkout, makeUser, PASSWORD } from '../../../../test/builders.ts'
import { makeCtx } from '../../../../test/settling.ts'
import { checkLedger } from '../../../ledger/check-ledger.ts'
import { settleReferrals } from './settle-referrals.ts'

const HOUR_MS = 60 * 60_000
const DAY_MS = 24 * HOUR_MS

let shop: TestShop
let start: Date
let count = 0

beforeAll(async () => {
  shop = await openTestShop()
  start = shop.clock.now
})
beforeEach(async () => {
  shop.clock.now = start
  await set({ enabled: true, reward: 200, spend: 1_000, most: 50, leaderboard: false })
})
afterAll(async () => {
  expect(await checkLedger(shop.database.db)).toEqual([])
  await shop.close()
})

function set({
  enabled,
  reward,
  spend,
  most,
  leaderboard,
}: {
  enabled: boolean
  reward: number
  spend: number
  most: number
  leaderboard: boolean
}) {
  return shop.database.db.query(
    'update referral_rules set enabled = $1, reward_pesewas = $2, spend_pesewas = $3, most_a_month = $4, leaderboard = $5',
    [enabled, reward, spend, most, leaderboard],
  )
}

async function makeLinkOf(agent: SignedInUser): Promise<string> {
  const { body } = await call<ReferralSummary>(shop, 'POST', '/referrals/link', { as: agent })
  return body.code as string
}

async function registerBy(invitation: string | undefined, { cookie }: { cookie?: string } = {}) {
  count += 1
  const details = {
    username: `invited ${count}`,
    email: `invited${count}@example.com`,
    phone: `02099${count.toString().padStart(5, '0')}`,
  }
  const { body, status } = await call<SignedInUser>(shop, 'POST', '/user/register', {
    body: { ...details, password: PASSWORD, ...(invitation === undefined ? {} : { invitation }) },
    headers: cookie ? { cookie } : {},
  })
  expect(status).toBe(200)
  return body
}

function give({ _id }: SignedInUser, pesewas: number) {
  return shop.database.db.query(
    `select post_entry($1, 'admin-credit', 'test', null, array[account_id, 6], array[$2::bigint, -$2::bigint], now()) from wallets where user_id = $3`,
    [`admin-credit:${crypto.randomUUID()}`, pesewas, _id],
  )
}

/** Buys bundles of 5.50 from a credit, and has them delivered. */
async function deliver(customer: SignedInUser, lines: number, admin: SignedInUser, to?: string) {
  await give(customer, lines * 5_50)
  const items = await Promise.all(Array.from({ length: lines }, () => cartLine(shop)))
  const { body } = await checkout(shop, customer, to === undefined ? items : items.map((line) => ({ ...line, phoneNumber: to })))
  for (const { _id } of body.orders) {
    expect((await call(shop, 'PUT', `/order/update-status/${_id}`, { as: admin, body: { status: 'completed' } })).status).toBe(200)
  }
  return body.orders
}

/** A reward is looked for as if so much time had passed. */
async function rewardAfter(ms: number) {
  shop.clock.now = new Date(shop.clock.now.getTime() + ms)
  await settleReferrals(makeCtx(shop).ctx)
}

const summaryOf = async (agent: SignedInUser) => (await call<ReferralSummary>(shop, 'GET', '/referrals', { as: agent })).body
const invitedBy = async (agent: SignedInUser) => (await call<Referral[]>(shop, 'GET', '/referrals/invited', { as: agent })).body

test('an agent is rewarded once for a customer who was delivered enough, a day after the delivery', async () => {
  const [agent, admin] = [await makeUser(shop, { level: 'Agent' }), await makeUser(shop, { level: 'Admin' })]
  const code = await makeLinkOf(agent)
  expect(await makeLinkOf(agent)).toBe(code)
  const customer = await registerBy(code)
  await deliver(customer, 1, admin)
  await rewardAfter(25 * HOUR_MS)
  expect(await balanceOf(shop, agent._id)).toBe(0)
  expect(await invitedBy(agent)).toMatchObject([{ name: 'inv…', status: 'open', delivered: 5.5, spend: 10, reward: 2 }])

  const again = await makeUser(shop, { level: 'Admin' })
  const paid = async (as: SignedInUser) => (await call(shop, 'GET', '/referrals/rules', { as })).body
  expect(await paid(again)).toMatchObject({ paid: { rewards: 0, amount: 0 }, open: 1 })
  await deliver(customer, 1, again)
  await rewardAfter(2 * HOUR_MS)
  expect(await balanceOf(shop, agent._id)).toBe(0)
  await rewardAfter(DAY_MS)
  await rewardAfter(DAY_MS)
  expect(await balanceOf(shop, agent._id)).toBe(2_00)
  expect(await summaryOf(agent)).toMatchObject({ code, invited: 1, rewarded: 1, earned: 2 })
  expect(await paid(await makeUser(shop, { level: 'Admin' }))).toMatchObject({ paid: { rewards: 1, amount: 2 }, open: 0 })
  expect(await invitedBy(agent)).toMatchObject([{ status: 'rewarded', delivered: 10 }])
  const lines = (await call<StatementLine[]>(shop, 'GET', '/wallet/statement', { as: agent })).body
  expect(lines).toMatchObject([{ kind: 'Referral reward', amount: 2, balance: 2 }])
})

test('two processes that look at the same time reward once', async () => {
  const [agent, admin] = [await makeUser(shop, { level: 'Agent' }), await makeUser(shop, { level: 'Admin' })]
  const customer = await registerBy(await makeLinkOf(agent))
  await deliver(customer, 2, admin)
  shop.clock.now = new Date(start.getTime() + 2 * DAY_MS)
  await Promise.all(Array.from({ length: 8 }, () => settleReferrals(makeCtx(shop).ctx)))
  expect(await balanceOf(shop, agent._id)).toBe(2_00)
})

test('what was refused or is not yet delivered does not count', async () => {
  const [agent, admin] = [await makeUser(shop, { level: 'Agent' }), await makeUser(shop, { level: 'Admin' })]
  const customer = await registerBy(await makeLinkOf(agent))
  await deliver(customer, 1, admin)
  await give(customer, 11_00)
  const [first] = (await checkout(shop, customer, [await cartLine(shop)])).body.orders
  expect((await call(shop, 'PUT', `/order/update-status/${first?._id}`, { as: admin, body: { status: 'rejected' } })).status).toBe(200)
  await checkout(shop, customer, [await cartLine(shop)])
  await rewardAfter(2 * DAY_MS)
  expect([await balanceOf(shop, agent._id), (await invitedBy(agent))[0]]).toMatchObject([0, { status: 'open', delivered: 5.5 }])
})

test('the month’s most rewards are kept to, and the rest follow next month', async () => {
  await set({ enabled: true, reward: 200, spend: 500, most: 1, leaderboard: false })
  const [agent, admin] = [await makeUser(shop, { level: 'Agent' }), await makeUser(shop, { level: 'Admin' })]
  const code = await makeLinkOf(agent)
  for (const customer of [await registerBy(code), await registerBy(code)]) await deliver(customer, 1, admin)
  // From a day that is early in its month, so that both looks are in the same one.
  const month = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 3))
  await rewardAfter(month.getTime() - start.getTime())
  await rewardAfter(DAY_MS)
  expect(await balanceOf(shop, agent._id)).toBe(2_00)
  await rewardAfter(31 * DAY_MS)
  expect(await balanceOf(shop, agent._id)).toBe(4_00)
})

test('a reward waits while referrals are off or its agent is banned, and ends after six months without enough', async () => {
  const [agent, admin] = [await makeUser(shop, { level: 'Agent' }), await makeUser(shop, { level: 'Admin' })]
  const code = await makeLinkOf(agent)
  const [customer, idle] = [await registerBy(code), await registerBy(code)]
  await deliver(customer, 2, admin)
  await set({ enabled: false, reward: 200, spend: 1_000, most: 50, leaderboard: false })
  await rewardAfter(2 * DAY_MS)
  await set({ enabled: true, reward: 900, spend: 1_000, most: 50, leaderboard: false })
  await shop.database.db.query(`update users set status = 'Banned' where id = $1`, [agent._id])
  await rewardAfter(DAY_MS)
  expect(await balanceOf(shop, agent._id)).toBe(0)
  await shop.database.db.query(`update users set status = 'Active' where id = $1`, [agent._id])
  await rewardAfter(200 * DAY_MS)
  // What was promised when the customer registered, not what the rules say today.
  expect(await balanceOf(shop, agent._id)).toBe(2_00)
  const { rows } = await shop.database.db.query('select check_at, rewarded_at from referrals where referred_id = $1', [idle._id])
  expect(rows).toEqual([{ check_at: null, rewarded_at: null }])
})

test('a link of nobody, of a customer, or while referrals are off, invites nobody and refuses nobody', async () => {
  const agent = await makeUser(shop, { level: 'Agent' })
  const code = await makeLinkOf(agent)
  await registerBy('zzzzzzzz')
  await registerBy(undefined)
  await set({ enabled: false, reward: 200, spend: 1_000, most: 50, leaderboard: false })
  await registerBy(code)
  await set({ enabled: true, reward: 200, spend: 1_000, most: 50, leaderboard: false })
  await shop.database.db.query(`update users set level = 'Customer' where id = $1`, [agent._id])
  await registerBy(code)
  expect((await summaryOf(agent)).invited).toBe(0)
  const tooLong = await call(shop, 'POST', '/user/register', {
    body: { username: 'kofi long', email: 'kofi.long@example.com', phone: '0209900999', password: PASSWORD, invitation: 'z'.repeat(21) },
  })
  expect([tooLong.status, tooLong.body]).toMatchObject([400, { issues: [{ path: 'invitation' }] }])
})

test('customers get no link', async () => {
  const customer = await makeUser(shop)
  const refused = await call(shop, 'POST', '/referrals/link', { as: customer })
  expect([refused.status, refused.body.code]).toEqual([403, 'FORBIDDEN'])
})

test('nobody is rewarded for themselves: not by the same browser, or bundles for their own number', async () => {
  const [agent, admin] = [await makeUser(shop, { level: 'Agent' }), await makeUser(shop, { level: 'Admin' })]
  const code = await makeLinkOf(agent)
  const login = await call(shop, 'POST', '/user/login', { body: { userPhone: agent.phone, password: PASSWORD } })
  const cookie = /device=[^;]+/.exec(String(login.headers['set-cookie']))?.[0] ?? ''
  expect(cookie).not.toBe('')
  await registerBy(code, { cookie })
  // Their account on another phone buys for the agent, who sells it on.
  const other = await registerBy(code)
  await deliver(other, 2, admin, agent.phone)
  const honest = await registerBy(code)
  await deliver(honest, 2, admin)
  await rewardAfter(2 * DAY_MS)
  expect((await invitedBy(agent)).map(({ status, delivered }) => `${status} ${delivered}`).sort()).toEqual([
    'ended 0',
    'open 0',
    'rewarded 10',
  ])
  expect(await balanceOf(shop, agent._id)).toBe(2_00)
})

test('the reward stays below what is bought for it', async () => {
  const owner = await makeUser(shop, { level: 'Admin' })
  const refused = await call(shop, 'PUT', '/referrals/rules', { as: owner, body: { reward: 10 } })
  expect([refused.status, refused.body]).toMatchObject([400, { issues: [{ path: 'reward' }] }])
  const { status, body } = await call(shop, 'PUT', '/referrals/rules', {
    as: owner,
    body: { reward: 3, spend: 40, mostAMonth: 5, leaderboard: true },
  })
  expect([status, body]).toEqual([200, { enabled: true, reward: 3, spend: 40, mostAMonth: 5, leaderboard: true }])
  await expect(shop.database.db.query('insert into referral_rules (singleton) values (false)')).rejects.toMatchObject({ code: '23514' })
})

test('the leaderboard shows the week’s agents by delivered orders, names shortened, where the owner wants it', async () => {
  const [first, second, admin] = [
    await makeUser(shop, { level: 'Agent', username: 'akosua the first' }),
    await makeUser(shop, { level: 'Agent', username: 'kwabena the second' }),
    await makeUser(shop, { level: 'Admin' }),
  ]
  const board = async () =>
    (await call<{ leaderboard: Leaderboard | null }>(shop, 'GET', '/referrals/leaderboard', { as: second })).body.leaderboard
  expect(await board()).toBeNull()
  await set({ enabled: true, reward: 200, spend: 1_000, most: 50, leaderboard: true })
  for (const [agent, lines] of [
    [first, 2],
    [second, 1],
  ] as const) {
    await give(agent, 50_00)
    const items = await Promise.all(Array.from({ length: lines }, () => cartLine(shop, { as: 'Agent' })))
    for (const { _id } of (await checkout(shop, agent, items)).body.orders) {
      await call(shop, 'PUT', `/order/update-status/${_id}`, { as: admin, body: { status: 'completed' } })
    }
  }
  expect((await board())?.rows).toEqual([
    { rank: 1, name: 'ako…', orders: 2, isOwn: false },
    { rank: 2, name: 'kwabena the second', orders: 1, isOwn: true },
  ])
})
