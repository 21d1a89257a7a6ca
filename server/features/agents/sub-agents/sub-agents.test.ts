import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { usualSubAgentPesewas } from '../../../../shared/agent-shop-rules.ts'
import type { ListedShop, OwnShopReply, PublicShop, ShopSale, SubAgentsNow } from '../../../../shared/agent-shops.ts'
import type { DaySheet } from '../../../../shared/day-close.ts'
import type { ErrorBody } from '../../../../shared/errors.ts'
import { toPesewas } from '../../../../shared/money.ts'
import type { ProfitReply } from '../../../../shared/profit.ts'
import type { Invitation, SubAgentsReply } from '../../../../shared/sub-agents.ts'
import type { SignedInUser } from '../../../../shared/users.ts'
import { shopNameOf } from '../../../../test/agent-shop.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { call, findProduct, makeUser, PASSWORD } from '../../../../test/builders.ts'
import { isWaitedFor } from '../../../../test/locks.ts'
import { gatewayThat, makeCtx, paid } from '../../../../test/settling.ts'
import { until } from '../../../../test/until.ts'
import { checkLedger } from '../../../ledger/check-ledger.ts'
import { insertPayment } from '../../card/payments/payments.sql.ts'
import { settlePayment } from '../../card/payments/settle-payment.ts'

const LATER_MS = 48 * 3_600_000

let shop: TestShop
let owner: SignedInUser
let agent: SignedInUser
let sub: SignedInUser
let agentShopId: string
let subShopId: string
let slug: string
let mtn: string
let count = 0

beforeAll(async () => {
  shop = await openTestShop({ withSandbox: true })
  mtn = (await findProduct(shop, 'MTN'))._id
})
afterAll(async () => {
  expect(await checkLedger(shop.database.db)).toEqual([])
  await shop.close()
})

/** An agent whose cost is 4.70, and a sub-agent who pays 5.00 and sells 1GB for 5.70. */
beforeEach(async () => {
  await query('update packages set price_customer_pesewas = 550, price_agent_pesewas = 470 where product_id = $1', [mtn])
  await query('update agent_shop_rules set enabled = true, new_shops = true, max_markup = 30, sub_agents = true, most_sub_agents = 10')
  await query('update withdrawal_rules set hold_nights = 1')
  owner = await makeUser(shop, { level: 'Admin' })
  agent = await makeUser(shop, { level: 'Agent' })
  sub = await makeUser(shop)
  slug = `sub-${++count}`
  agentShopId = (await openShop(agent, `agent-${count}`)).body.shop?.id ?? ''
  expect((await join(sub)).status).toBe(200)
  subShopId = (await openShop(sub, slug)).body.shop?.id ?? ''
  expect((await setSubPrices(5)).status).toBe(200)
  expect((await setPrices(sub, 5.7)).status).toBe(200)
})

function query(text: string, values: unknown[] = []) {
  return shop.database.db.query(text, values)
}

function openShop(as: SignedInUser, link: string) {
  const body = { slug: link, name: shopNameOf(link), about: null, colour: 'plum', phone: null, whatsapp: null }
  return call<OwnShopReply & ErrorBody>(shop, 'POST', '/my-shop', { as, body })
}

async function invite(as = agent) {
  const reply = await call<SubAgentsReply & ErrorBody>(shop, 'POST', '/my-shop/sub-agent-invitations', { as, body: {} })
  return { ...reply, code: reply.body.invitations?.[0]?.code ?? '', id: reply.body.invitations?.[0]?.id ?? '' }
}

async function join(as: SignedInUser, code?: string) {
  return call<ErrorBody>(shop, 'POST', `/join/${code ?? (await invite()).code}`, { as, body: {} })
}

function setSubPrices(price: number | null, as = agent) {
  const body = { prices: [{ productId: mtn, offer: '1GB', price }] }
  return call<SubAgentsReply & ErrorBody>(shop, 'PUT', '/my-shop/sub-agents/prices', { as, body })
}

function setPrices(as: SignedInUser, price: number | null) {
  return call<ErrorBody>(shop, 'PUT', '/my-shop/prices', { as, body: { prices: [{ productId: mtn, offer: '1GB', price }] } })
}

const readSubAgents = async (as = agent) => (await call<SubAgentsReply>(shop, 'GET', '/my-shop/sub-agents', { as })).body
const readOwn = async (as = sub) => (await call<OwnShopReply>(shop, 'GET', '/my-shop', { as })).body
const ofMtn = <T extends { productId: string; offer: string }>(offers: T[]) =>
  offers.find(({ productId, offer }) => productId === mtn && offer === '1GB')

async function visit() {
  return (await call<{ shop: PublicShop }>(shop, 'GET', `/shops/${slug}`)).body.shop
}

async function begin(price = 570) {
  const reference = crypto.randomUUID().replaceAll('-', '').slice(0, 20)
  await insertPayment(shop.database.db, {
    reference,
    userId: null,
    guest: { shopId: subShopId, phone: '0245550142' },
    purpose: 'order',
    lines: [{ product: mtn, network: null, offer: '1GB', receiver: '0551234567', expectedPricePesewas: price, clientId: null }],
    pricePesewas: price,
    surchargePesewas: 17,
    now: shop.clock.now,
    checkAt: new Date(shop.clock.now.getTime() + LATER_MS),
  })
  return reference
}

function settle(reference: string, pesewas = 587) {
  return settlePayment(makeCtx(shop).ctx, gatewayThat(paid(pesewas)), reference)
}

async function buy(): Promise<string> {
  const reference = await begin()
  expect(await settle(reference)).toMatchObject({ status: 'paid' })
  const { rows } = await query('select id from orders where payment_reference = $1', [reference])
  return (rows[0] as { id: string }).id
}

function decide(orderId: string, status: 'completed' | 'rejected') {
  return call(shop, 'PUT', `/order/update-status/${orderId}`, { as: owner, body: { status } })
}

async function refundDelivered(orderId: string) {
  const { rows: orders } = await query('select reference from orders where id = $1', [orderId])
  shop.clock.advance(LATER_MS)
  owner = await makeUser(shop, { level: 'Admin' })
  await call(shop, 'POST', `/shops/order/${(orders[0] as { reference: string }).reference}/report`, { body: { text: 'Nothing came' } })
  const { rows } = await query(`select id from reports where order_id = $1 and status = 'open'`, [orderId])
  const body = { outcome: 'refunded', text: 'It never came' }
  return call(shop, 'PUT', `/admin/reports/${(rows[0] as { id: string }).id}/end`, { as: owner, body })
}

/** In pesewas: what the agent and the sub-agent have earned, and owe. */
async function books() {
  const { rows } = await query(
    'select balance_pesewas::integer as earned, debt_pesewas::integer as debt from wallets where shop_id = any ($1) order by shop_id = $2',
    [[agentShopId, subShopId], subShopId],
  )
  const [of, under] = rows as { earned: number; debt: number }[]
  return { agent: [of?.earned, of?.debt], sub: [under?.earned, under?.debt] }
}

async function linesOf(key: string) {
  const { rows } = await query(
    `select case when w.shop_id = $2 then 'agent' when w.shop_id = $3 then 'sub' else p.account_id::text end as account, p.amount_pesewas::integer as pesewas
     from journal_entries e join postings p on p.entry_id = e.id left join wallets w on w.account_id = p.account_id where e.key = $1`,
    [key, agentShopId, subShopId],
  )
  return Object.fromEntries((rows as { account: string; pesewas: number }[]).map(({ account, pesewas }) => [account, pesewas]))
}

function withdraw(shopId: string, pesewas: number) {
  return query(
    `select post_entry('test-withdrawal:' || gen_random_uuid(), 'admin-debit', '', null, array[account_id, 6], array[-$2::bigint, $2::bigint], now())
     from wallets where shop_id = $1`,
    [shopId, pesewas],
  )
}

describe('a link', () => {
  test('shows whose sub-agent one would be and the terms, and is for one customer', async () => {
    const customer = await makeUser(shop)
    const { code } = await invite()
    const { body } = await call<Invitation>(shop, 'GET', `/join/${code}`, { as: customer })
    expect(body).toMatchObject({ agent: { username: agent.username, shop: expect.stringMatching(/^Shop /) }, refusal: null })
    expect(body.offers).toContainEqual({ network: 'MTN', offer: '1GB', cost: 5, highest: 6 })
    expect((await join(customer, code)).status).toBe(200)
    expect((await join(await makeUser(shop), code)).status).toBe(404)
    expect((await call(shop, 'GET', `/join/${code}`, { as: customer })).status).toBe(404)
  })

  test('used by two at once, or twice at once by one, makes one sub-agent', async () => {
    const [one, two] = [await makeUser(shop), await makeUser(shop)]
    const { code } = await invite()
    const replies = await Promise.all([join(one, code), join(two, code), join(one, code)])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 404, 404])
    const codes = [(await invite()).code, (await invite()).code]
    const three = await makeUser(shop)
    expect((await Promise.all(codes.map((each) => join(three, each)))).map(({ status }) => status).sort()).toEqual([200, 409])
  })

  test('that is withdrawn, or of nobody, opens nothing', async () => {
    const { code, id } = await invite()
    const other = await makeUser(shop, { level: 'Agent' })
    await openShop(other, `other-${count}`)
    expect((await call(shop, 'DELETE', `/my-shop/sub-agent-invitations/${id}`, { as: other })).status).toBe(404)
    expect((await call(shop, 'DELETE', `/my-shop/sub-agent-invitations/${id}`, { as: agent })).status).toBe(200)
    expect((await join(await makeUser(shop), code)).status).toBe(404)
    expect((await join(await makeUser(shop), 'a'.repeat(24))).status).toBe(404)
    expect((await join(await makeUser(shop), 'no-code')).status).toBe(400)
  })

  test.each<[string, () => Promise<SignedInUser>]>([
    ['the agent themself', async () => agent],
    ['another agent', () => makeUser(shop, { level: 'Agent' })],
    ['staff', () => makeUser(shop, { roles: ['support'] })],
    ['a sub-agent of somebody', async () => sub],
  ])('is not for %s', async (_, who) => {
    const { code } = await invite()
    const as = await who()
    expect((await call<Invitation>(shop, 'GET', `/join/${code}`, { as })).body.refusal).toEqual(expect.any(String))
    expect((await join(as, code)).status).toBe(409)
    expect((await join(await makeUser(shop), code)).status).toBe(200)
  })

  test('is not made or used while sub-agents are off, while the shop is closed, or beyond the most', async () => {
    const { code } = await invite()
    const refused = async () => [(await invite()).status, (await join(await makeUser(shop), code)).status]
    await query('update agent_shop_rules set sub_agents = false')
    expect(await refused()).toEqual([409, 409])
    await query('update agent_shop_rules set sub_agents = true, most_sub_agents = 1')
    expect(await refused()).toEqual([409, 409])
    await query('update agent_shop_rules set most_sub_agents = 10')
    await call(shop, 'PUT', '/my-shop', { as: agent, body: { open: false } })
    expect(await refused()).toEqual([409, 409])
    await call(shop, 'PUT', '/my-shop', { as: agent, body: { open: true } })
    expect((await join(await makeUser(shop), code)).status).toBe(200)
  })

  test('cannot be made by a sub-agent, who has none', async () => {
    expect((await invite(sub)).status).toBe(403)
    expect((await call(shop, 'GET', '/my-shop/sub-agents', { as: sub })).status).toBe(403)
    const nested = query(
      `with made as (insert into sub_agent_invitations (shop_id, code, created_at) values ($1, repeat('b', 24), now()) returning id)
       insert into sub_agents (shop_id, user_id, invitation_id, joined_at) select $1, $2, id, now() from made`,
      [subShopId, (await makeUser(shop))._id],
    )
    await expect(nested).rejects.toThrow('cannot be a sub-agent')
    await expect(query('update sub_agents set shop_id = $1 where user_id = $2', [subShopId, sub._id])).rejects.toThrow('cannot be changed')
  })
})

describe('what sub-agents pay', () => {
  test('is 5 percent above the agent’s cost until the agent sets it, and is the sub-agent’s cost', async () => {
    expect((await setSubPrices(null)).status).toBe(200)
    expect(ofMtn((await readSubAgents()).offers)).toMatchObject({ cost: 4.7, price: 4.9, own: false, lowest: 4.8, highest: 5.9 })
    expect(ofMtn((await readOwn()).offers)).toMatchObject({ cost: 4.9, lowest: 5, highest: 6 })
    const joined = await makeUser(shop)
    await join(joined)
    expect(ofMtn((await readOwn(joined)).offers)).toMatchObject({ cost: 4.9, lowest: 5, highest: 6 })
    expect((await readOwn(joined)).agentAbove).toEqual({ username: agent.username, shop: expect.stringMatching(/^Shop /) })
  })

  test.each([
    [4.79, 'MTN 1GB is too close to your cost. Sub-agents pay at least ¢4.80.'],
    [5.91, 'MTN 1GB leaves sub-agents nothing to earn. They pay at most ¢5.90.'],
  ])('of %d is refused, and nothing changes', async (price, message) => {
    const { status, body } = await setSubPrices(price)
    expect([status, body.issues]).toEqual([400, [{ path: 'prices.0.price', message }]])
    expect(ofMtn((await readSubAgents()).offers)?.price).toBe(5)
  })

  test('bounds the sub-agent’s prices from below, the owner’s limit from above', async () => {
    expect((await setPrices(sub, 5.09)).status).toBe(400)
    expect((await setPrices(sub, 6.01)).status).toBe(400)
    expect((await setPrices(sub, 5.1)).status).toBe(200)
    expect((await setPrices(sub, 6)).status).toBe(200)
  })

  test('that the house has overtaken is not sold until somebody looks, and neither is a price that the agent has overtaken', async () => {
    await query('update packages set price_agent_pesewas = 495 where product_id = $1', [mtn])
    expect(ofMtn((await readOwn()).offers)?.state).toBe('below-cost')
    expect(ofMtn((await readSubAgents()).offers)?.state).toBe('below-cost')
    expect(ofMtn((await visit()).offers)).toBeUndefined()
    const reference = await begin()
    expect(await settle(reference)).toMatchObject({ status: 'held', reason: 'a product is not available any more' })
    await setSubPrices(5.2)
    expect(ofMtn((await visit()).offers)?.price).toBe(5.7)
    await setSubPrices(5.65)
    expect(ofMtn((await visit()).offers)).toBeUndefined()
  })
})

describe('an order of a sub-agent', () => {
  test('gives both their parts when it is delivered, which add up with the cost to the price', async () => {
    const order = await buy()
    expect(await linesOf(`order:${order}`)).toEqual({ 9: -570, 8: 570 })
    expect((await decide(order, 'completed')).status).toBe(200)
    expect(await linesOf(`delivery:${order}`)).toMatchObject({ 8: -570, 1: 470, agent: 30, sub: 70 })
    expect(await books()).toEqual({ agent: [30, 0], sub: [70, 0] })
    const sales = await call<ShopSale[]>(shop, 'GET', '/my-shop/sales', { as: sub })
    expect(sales.body).toMatchObject([{ price: 5.7, cost: 5, keep: 0.7, share: 'earned' }])
    expect((await call<ShopSale[]>(shop, 'GET', '/my-shop/sales', { as: agent })).body).toEqual([])
    const { body } = await call<{ subAgents: unknown }>(shop, 'GET', '/my-shop/today', { as: agent })
    expect(body.subAgents).toEqual({ orders: 1, earned: 0.3 })
    expect((await readSubAgents()).subAgents).toMatchObject([
      { username: sub.username, orders: 1, earned: 0.3, shop: { slug, sells: true } },
    ])
    // Profit rests as that of an own sale does.
    for (const [as, held] of [
      [agent, 0.3],
      [sub, 0.7],
    ] as const) {
      const { earnings } = (await call<{ earnings: { balance: number; withdrawable: number } }>(shop, 'GET', '/earnings', { as })).body
      expect(earnings).toMatchObject({ balance: held, withdrawable: 0 })
    }
  })

  test('that is refunded before its delivery gives nobody anything', async () => {
    const order = await buy()
    expect((await decide(order, 'rejected')).status).toBe(200)
    expect(await linesOf(`order-refund:${order}`)).toEqual({ 15: 587, 8: -570, 2: -17 })
    expect(await books()).toEqual({ agent: [0, 0], sub: [0, 0] })
  })

  test('that is refunded after it takes both parts back, each from its own earnings', async () => {
    const order = await buy()
    await decide(order, 'completed')
    expect((await refundDelivered(order)).status).toBe(200)
    expect(await linesOf(`order-refund:${order}`)).toEqual({ 15: 587, 1: -470, agent: -30, sub: -70, 2: -17 })
    expect(await books()).toEqual({ agent: [0, 0], sub: [0, 0] })
    expect((await readSubAgents()).subAgents).toMatchObject([{ orders: 0, earned: 0 }])
  })

  test('leaves each the debt for what they have withdrawn, which later profit of each repays', async () => {
    const first = await buy()
    await decide(first, 'completed')
    await withdraw(agentShopId, 20)
    await withdraw(subShopId, 70)
    await refundDelivered(first)
    expect(await linesOf(`order-refund:${first}`)).toEqual({ 15: 587, 1: -470, agent: -10, 19: -90, 2: -17 })
    expect(await books()).toEqual({ agent: [0, 20], sub: [0, 70] })
    const second = await buy()
    await decide(second, 'completed')
    expect(await linesOf(`delivery:${second}`)).toMatchObject({ 8: -570, 1: 470, agent: 10, 19: 90 })
    expect(await books()).toEqual({ agent: [10, 0], sub: [0, 0] })
    expect(await checkLedger(shop.database.db)).toEqual([])
  })

  test('is delivered, and its profit goes to who earned it, though the sub-agent ended meanwhile', async () => {
    const order = await buy()
    await call(shop, 'POST', '/my-shop/leave', { as: sub, body: {} })
    await decide(order, 'completed')
    expect(await books()).toEqual({ agent: [30, 0], sub: [70, 0] })
  })

  test('cannot be noted at a cost below the agent’s, whoever asks', async () => {
    const order = await buy()
    await expect(query('update commissions set price_pesewas = cost_pesewas + 1 where order_id = $1', [order])).rejects.toThrow(
      'commissions_in_bounds',
    )
  })
})

describe('a sub-agent’s shop sells nothing', () => {
  test.each<[string, () => Promise<unknown>, string | null]>([
    ['when the owner ends sub-agents', () => query('update agent_shop_rules set sub_agents = false'), 'Shops of sub-agents are closed'],
    [
      'when the agent stops it',
      () => call(shop, 'PUT', '/my-shop', { as: agent, body: { subAgentsSell: false } }),
      'Your agent is not selling',
    ],
    ['when the agent is banned', () => query(`update users set status = 'Banned' where id = $1`, [agent._id]), 'Your agent is not selling'],
    [
      'when the agent is none any more',
      () => query(`update users set level = 'Customer' where id = $1`, [agent._id]),
      'Your agent is not selling',
    ],
    [
      'when the owner closes the agent’s shop',
      () => call(shop, 'PUT', `/agent-shops/${agentShopId}`, { as: owner, body: { closed: 'Complaints' } }),
      'Your agent is not selling',
    ],
    [
      'when the owner closes it alone',
      () => call(shop, 'PUT', `/agent-shops/${subShopId}`, { as: owner, body: { closed: 'Complaints' } }),
      'Complaints',
    ],
    ['when the sub-agent leaves', () => call(shop, 'POST', '/my-shop/leave', { as: sub, body: {} }), 'You are not a sub-agent any more'],
    ['when the agent ends them', () => end(), 'You are not a sub-agent any more'],
    ['when the sub-agent is banned', () => query(`update users set status = 'Banned' where id = $1`, [sub._id]), null],
  ])('%s, also what was paid before', async (_, happens, says) => {
    const reference = await begin()
    await happens()
    expect(await visit()).toMatchObject({ offers: [], closed: expect.any(String) })
    expect(await settle(reference)).toMatchObject({ status: 'held', reason: 'the shop has closed' })
    if (says !== null) expect((await readOwn()).shop?.closedByOwner).toContain(says)
  })

  test('but goes on when the agent only closes their own, and the agent’s goes on when the sub-agent is banned', async () => {
    await call(shop, 'PUT', '/my-shop', { as: agent, body: { open: false } })
    expect((await visit()).closed).toBeNull()
    await call(shop, 'PUT', '/my-shop', { as: agent, body: { open: true, subAgentsSell: false } })
    expect([(await visit()).closed, (await readSubAgents()).selling]).toEqual([expect.any(String), false])
    expect((await readSubAgents()).subAgents).toMatchObject([{ shop: { sells: false } }])
    await call(shop, 'PUT', '/my-shop', { as: agent, body: { subAgentsSell: true } })
    expect([(await visit()).closed, (await readSubAgents()).selling]).toEqual([null, true])
    await query(`update users set status = 'Banned' where id = $1`, [sub._id])
    expect((await call<{ shop: PublicShop }>(shop, 'GET', `/shops/agent-${count}`)).body.shop.closed).toBeNull()
  })

  test('as soon as leaving is done: a sale that began before is waited for, one after it goes back', async () => {
    const [before, after] = [await begin(), await begin()]
    const sale = await shop.database.db.connect()
    await sale.query('begin')
    await sale.query('select from sub_agents where user_id = $1 for share', [sub._id])
    const leaving = call(shop, 'POST', '/my-shop/leave', { as: sub, body: {} })
    await until(() => isWaitedFor(sale))
    expect(await settle(before)).toMatchObject({ status: 'paid' })
    await sale.query('commit')
    sale.release()
    expect((await leaving).status).toBe(200)
    expect(await settle(after)).toMatchObject({ status: 'held' })
  })
})

async function end(as = agent) {
  const { rows } = await query('select id from sub_agents where user_id = $1', [sub._id])
  return call(shop, 'POST', `/my-shop/sub-agents/${(rows[0] as { id: string }).id}/end`, { as, body: {} })
}

test('a sub-agent is ended once, by their own agent alone, and cannot be taken over by another', async () => {
  const other = await makeUser(shop, { level: 'Agent' })
  await openShop(other, `other-${count}`)
  expect((await end(other)).status).toBe(404)
  expect((await end()).status).toBe(200)
  expect((await end()).status).toBe(409)
  expect((await call(shop, 'POST', '/my-shop/leave', { as: sub, body: {} })).status).toBe(404)
  expect((await readSubAgents()).subAgents).toMatchObject([{ username: sub.username, endedAt: expect.any(String), shop: { sells: false } }])
  expect((await join(sub, (await invite(other)).code)).status).toBe(409)
})

test('whoever earned keeps their screens and can withdraw, though their agent is banned, or they are no agent any more', async () => {
  for (const order of [await buy(), await buy(), await buy(), await buy()]) await decide(order, 'completed')
  await query(`update users set status = 'Banned' where id = $1`, [agent._id])
  await query('update withdrawal_rules set minimum_pesewas = 100, fee_pesewas = 0, hold_nights = 0')
  const withdraw = (as: SignedInUser) => {
    const body = { amount: 1, fee: 0, network: 'MTN', phoneNumber: as.phone, name: 'Ama Mensah' }
    return call<ErrorBody>(shop, 'POST', '/earnings/withdrawals', { as, body, headers: { 'idempotency-key': crypto.randomUUID() } })
  }
  expect((await readOwn()).shop?.closedByOwner).toContain('you can withdraw it')
  expect((await withdraw(sub)).status).toBe(200)
  // The ban ended the agent's sessions; lifted, they are a customer with a shop.
  await query(`update users set status = 'Active', level = 'Customer' where id = $1`, [agent._id])
  expect((await readOwn(agent)).shop?.closedByOwner).toContain('You are not an agent any more')
  expect((await withdraw(agent)).status).toBe(200)
})

test('nobody is rewarded for inviting the number that their earnings go to', async () => {
  for (const order of [await buy(), await buy(), await buy(), await buy()]) await decide(order, 'completed')
  await query('update withdrawal_rules set minimum_pesewas = 100, fee_pesewas = 0, hold_nights = 0')
  await query('update referral_rules set enabled = true')
  const { body } = await call<{ code: string }>(shop, 'POST', '/referrals/link', { as: agent })
  const register = async (phone: string, username: string) => {
    const details = { username, email: `${phone}@example.com`, phone, password: PASSWORD, invitation: body.code }
    return (await call<SignedInUser>(shop, 'POST', '/user/register', { body: details })).body._id
  }
  const payout = { amount: 1, fee: 0, network: 'MTN', phoneNumber: '0209955123', name: 'Ama Mensah' }
  const headers = { 'idempotency-key': crypto.randomUUID() }
  expect((await call(shop, 'POST', '/earnings/withdrawals', { as: agent, body: payout, headers })).status).toBe(200)
  const [own, other] = [await register('0209955123', 'yaw of madina'), await register('0209955124', 'efua of osu')]
  const { rows } = await query('select referred_id, check_at is null as ended from referrals where referrer_id = $1', [agent._id])
  expect(rows).toHaveLength(2)
  expect(rows).toEqual(
    expect.arrayContaining([
      { referred_id: own, ended: true },
      { referred_id: other, ended: false },
    ]),
  )
})

test('a session says that a customer sells, on whichever device, and of nobody else', async () => {
  const sellsOf = async (as: SignedInUser) => {
    const login = await call<SignedInUser>(shop, 'POST', '/user/login', { body: { userPhone: as.phone, password: PASSWORD } })
    const own = await call<SignedInUser>(shop, 'GET', '/user/me', { as: login.body })
    return [login.body.sells, own.body.sells]
  }
  const [customer, joining] = [await makeUser(shop), await makeUser(shop)]
  expect(await sellsOf(customer)).toEqual([undefined, undefined])
  expect(await sellsOf(agent)).toEqual([undefined, undefined])
  expect((await join(joining)).status).toBe(200)
  expect(await sellsOf(joining)).toEqual([true, true])
  await call(shop, 'POST', '/my-shop/leave', { as: joining, body: {} })
  expect(await sellsOf(joining)).toEqual([true, true])
})

test('the owner sees what closing sub-agents’ shops would meet, before doing it', async () => {
  const read = async () => (await call<{ subAgentsNow: SubAgentsNow }>(shop, 'GET', '/agent-shops/rules', { as: owner })).body.subAgentsNow
  const before = await read()
  const [delivered] = [await buy(), await buy()]
  await decide(delivered, 'completed')
  expect(await read()).toEqual({
    shops: before.shops,
    openOrders: before.openOrders + 1,
    openProfit: expect.closeTo(before.openProfit! + 0.7),
    earnings: expect.closeTo(before.earnings! + 0.7),
  })
  await query('update agent_shop_rules set sub_agents = false')
  expect((await read()).shops).toBe(0)
})

test('a price that the agent leaves alone is the one that their screen works out', async () => {
  await query('update packages set price_agent_pesewas = 7 + (10 * position) where product_id = $1', [mtn])
  const { offers } = await readSubAgents()
  const left = offers.filter(({ own }) => !own)
  expect(left.length).toBeGreaterThan(5)
  for (const { cost, lowest, price } of left) expect(toPesewas(price)).toBe(usualSubAgentPesewas(toPesewas(cost), toPesewas(lowest)))
})

test('the owner sees whose sub-agent a shop is', async () => {
  const { body } = await call<ListedShop[]>(shop, 'GET', '/agent-shops', { as: owner, query: { search: slug } })
  expect(body).toMatchObject([{ slug, agentAbove: { username: agent.username, slug: `agent-${count}` } }])
})

test('the profit report and the day’s sheet have the house’s part of a sub-agent’s order, and give it back with the refund', async () => {
  const today = shop.clock.now.toISOString().slice(0, 10)
  const read = async () => {
    const days = { from: today, until: '2027-12-31' }
    const { body } = await call<ProfitReply>(shop, 'GET', '/admin/profit', { as: owner, query: days })
    const { sheet } = (await call<{ sheet: DaySheet }>(shop, 'GET', '/admin/day-close', { as: owner })).body
    const { total } = body
    const of = sheet.networks.find(({ network }) => network === 'MTN')
    return { sales: total.sales, profit: total.grossProfit, refunded: total.refunded, day: of?.sales ?? 0 }
  }
  await call(shop, 'PUT', '/admin/costs', {
    as: owner,
    body: { costs: [{ productId: mtn, offer: '1GB', supplier: 'by-hand', cost: 4.2 }] },
  })
  // The sheet goes up to this moment, without it.
  shop.clock.advance(1_000)
  const before = await read()
  const order = await buy()
  await decide(order, 'completed')
  shop.clock.advance(1_000)
  const after = await read()
  // Of 5.70, 0.70 are the sub-agent's and 0.30 the agent's; the package cost 4.20.
  expect(after.sales - before.sales).toBeCloseTo(4.7)
  expect(after.profit - before.profit).toBeCloseTo(0.5)
  expect(after.day - before.day).toBeCloseTo(4.7)
  expect((await refundDelivered(order)).status).toBe(200)
  const refunded = await read()
  expect(refunded.refunded - before.refunded).toBeCloseTo(4.7)
  expect(refunded.profit - before.profit).toBeCloseTo(-4.2)
})

test('the house earns the same on an order of a sub-agent as on one of the agent', async () => {
  const order = await buy()
  await decide(order, 'completed')
  const { rows } = await query('select price_pesewas - agent_profit_pesewas as sale from orders where id = $1', [order])
  expect(rows).toEqual([{ sale: 470 }])
  expect(await linesOf(`delivery:${order}`)).toMatchObject({ 1: 470 })
})
