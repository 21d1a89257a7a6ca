import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SignedInUser } from '../../../../shared/users.ts'
import { makeSubAgent, openShopOf } from '../../../../test/agent-shop.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { call, cartLine, checkout, makeUser } from '../../../../test/builders.ts'
import { clearCheckers, stockCheckers } from '../../../../test/checkers.ts'
import { gatewayThat, makeCtx, paid, payByCard } from '../../../../test/settling.ts'
import { until } from '../../../../test/until.ts'
import { checkLedger } from '../../../ledger/check-ledger.ts'
import { transaction } from '../../../platform/db.ts'
import { settleReferrals } from '../../people/referrals/settle-referrals.ts'
import { claimRefund } from '../refunds/claim-refund.ts'
import { hashCode } from '../refunds/create-codes.ts'
import { insertCode } from '../refunds/refund-codes.sql.ts'
import { requestRefundToSource } from '../refunds/request-refund-to-source.ts'
import { checkRefundsOf, noteOf } from './check-refunds.ts'
import { postRefundNotSent } from './post-refund-not-sent.ts'
import { recordDispute } from './record-dispute.ts'
import { recordRefund } from './record-refund.ts'
import { lockRefund, type RefundRow } from './refunds-to-source.sql.ts'

const DAY_MS = 86_400_000
const GUEST = '0245550142'

let shop: TestShop
let owner: SignedInUser
let mtn: string

beforeAll(async () => {
  shop = await openTestShop({ timings: { paymentsMs: 3_600_000 } })
  mtn = (await one<{ id: string }>(`select id from products where network = 'MTN'`)).id
  // The agent pays 4.70, a sub-agent 5.00.
  await query(`update packages set price_customer_pesewas = 550, price_agent_pesewas = 470 where product_id = $1`, [mtn])
  await query('update agent_shop_rules set enabled = true, new_shops = true, max_markup = 30, sub_agents = true')
  await query('update referral_rules set enabled = true, reward_pesewas = 203, spend_pesewas = 550, most_a_month = 1000')
})
afterAll(async () => {
  expect(await checkLedger(shop.database.db)).toEqual([])
  await shop.close()
})

function query(text: string, values: unknown[] = []) {
  return shop.database.db.query(text, values)
}

async function one<Row>(text: string, values: unknown[] = []): Promise<Row> {
  return (await query(text, values)).rows[0] as Row
}

const ctx = () => makeCtx(shop).ctx

const pay = (payment: Parameters<typeof payByCard>[1], pesewas?: number) => payByCard(shop, payment, pesewas)

async function decide(orderId: string, status: 'completed' | 'rejected') {
  owner = await makeUser(shop, { level: 'Admin' })
  const body = { status, override: { reason: 'Seen by a person' } }
  expect((await call(shop, 'PUT', `/order/update-status/${orderId}`, { as: owner, body })).status).toBe(200)
}

/** Refunds a completed order through a report, the only way there is. */
async function refundReported(orderId: string) {
  const { id } = await one<{ id: string }>(`insert into reports (order_id, status, opened_at) values ($1, 'open', $2) returning id`, [
    orderId,
    shop.clock.now,
  ])
  owner = await makeUser(shop, { level: 'Admin' })
  const body = { outcome: 'refunded', text: 'It never came' }
  const ended = await call(shop, 'PUT', `/admin/reports/${id}/end`, { as: owner, body })
  expect([ended.status, ended.body]).toMatchObject([200, {}])
}

const line = (pesewas: number) => ({
  product: mtn,
  network: null,
  offer: '1GB',
  receiver: '0551234567',
  expectedPricePesewas: pesewas,
  clientId: null,
})

async function earnings(shopId: string) {
  const { pesewas } = await one<{ pesewas: number }>('select balance_pesewas - debt_pesewas as pesewas from wallets where shop_id = $1', [
    shopId,
  ])
  return pesewas
}

async function wallet(userId: string) {
  const { pesewas } = await one<{ pesewas: number }>('select balance_pesewas - debt_pesewas as pesewas from wallets where user_id = $1', [
    userId,
  ])
  return pesewas
}

/** What one payment caused: its reference, what it brought in, its delivered orders, and how much of what it caused stands. */
type Cause = {
  reference: string
  receivedPesewas: number
  orderIds: string[]
  /** What is seen while `returned` of the payment is with the payer by their bank, and so many of its orders were refunded. */
  expects: (now: { returnedPesewas: number; refunded: boolean }) => unknown
  sees: () => Promise<unknown>
}

const kept = (profit: number, worth: number) => (now: { returnedPesewas: number; refunded: boolean }) =>
  now.refunded ? 0 : profit - Math.floor((profit * Math.min(now.returnedPesewas, worth)) / worth)

async function ordersOf(reference: string): Promise<string[]> {
  const { rows } = await query('select id from orders where payment_reference = $1 or top_up_reference = $1 order by seq', [reference])
  return (rows as { id: string }[]).map(({ id }) => id)
}

async function sellInShop(shopId: string, pricePesewas: number) {
  await query('insert into shop_prices (shop_id, product_id, offer, price_pesewas, changed_at) values ($1, $2, $3, $4, now())', [
    shopId,
    mtn,
    '1GB',
    pricePesewas,
  ])
  const guest = { shopId, phone: GUEST }
  const reference = await pay({ userId: null, guest, purpose: 'order', lines: [line(pricePesewas)], pricePesewas, surchargePesewas: 17 })
  const orderIds = await ordersOf(reference)
  expect(orderIds).toHaveLength(1)
  return { reference, orderIds, receivedPesewas: pricePesewas + 17 }
}

async function invite() {
  const agent = await makeUser(shop, { level: 'Agent' })
  const customer = await makeUser(shop)
  await query(
    `insert into referral_links (user_id, code, created_at) values ($1, translate(substr(md5(random()::text), 1, 8), '01', 'xy'), now())`,
    [agent._id],
  )
  await query(
    'insert into referrals (referred_id, referrer_id, reward_pesewas, spend_pesewas, created_at, check_at) values ($1, $2, 203, 550, $3, $3)',
    [customer._id, agent._id, shop.clock.now],
  )
  return { agent, customer }
}

async function lookAtReferrals() {
  shop.clock.advance(DAY_MS + 3_600_000)
  await settleReferrals(ctx())
}

/** The reward stands exactly while all that it needed is paid for. */
const rewarded = ({ returnedPesewas, refunded }: { returnedPesewas: number; refunded: boolean }) =>
  returnedPesewas > 0 || refunded ? 0 : 203

async function inviteWith(buy: (customer: SignedInUser) => Promise<{ reference: string; receivedPesewas: number }>): Promise<Cause> {
  const { agent, customer } = await invite()
  const bought = await buy(customer)
  const { rows } = await query('select id from orders where user_id = $1 order by seq', [customer._id])
  const orderIds = (rows as { id: string }[]).map(({ id }) => id)
  for (const id of orderIds) await decide(id, 'completed')
  // The shop's own round may have the invitation at that moment.
  await until(async () => {
    await lookAtReferrals()
    return (await wallet(agent._id)) === 203
  })
  return {
    ...bought,
    orderIds,
    expects: rewarded,
    sees: async () => {
      await lookAtReferrals()
      return wallet(agent._id)
    },
  }
}

const CAUSES: Record<string, () => Promise<Cause>> = {
  "the profit of an agent's shop": async () => {
    const agent = await makeUser(shop, { level: 'Agent' })
    const shopId = await openShopOf(shop, agent._id)
    const sold = await sellInShop(shopId, 571)
    await decide(sold.orderIds[0] as string, 'completed')
    return { ...sold, expects: kept(101, 588), sees: () => earnings(shopId) }
  },
  'profit that was withdrawn': async () => {
    const agent = await makeUser(shop, { level: 'Agent' })
    const shopId = await openShopOf(shop, agent._id)
    const sold = await sellInShop(shopId, 571)
    await decide(sold.orderIds[0] as string, 'completed')
    await query(
      `select post_entry($1, 'admin-debit', 'Spent', null, array[account_id, 6], array[-60::bigint, 60], now()) from wallets where shop_id = $2`,
      [`spent:${crypto.randomUUID()}`, shopId],
    )
    return { ...sold, expects: (now) => kept(101, 588)(now) - 60, sees: () => earnings(shopId) }
  },
  'profit and the commission above it': async () => {
    const agent = await makeUser(shop, { level: 'Agent' })
    const sub = await makeUser(shop)
    const shopId = await openShopOf(shop, agent._id)
    await query('insert into sub_agent_prices (shop_id, product_id, offer, price_pesewas, changed_at) values ($1, $2, $3, 503, now())', [
      shopId,
      mtn,
      '1GB',
    ])
    await makeSubAgent(shop, shopId, sub._id)
    const subShopId = await openShopOf(shop, sub._id)
    const sold = await sellInShop(subShopId, 571)
    await decide(sold.orderIds[0] as string, 'completed')
    return {
      ...sold,
      expects: (now) => [kept(68, 588)(now), kept(33, 588)(now)],
      sees: async () => [await earnings(subShopId), await earnings(shopId)],
    }
  },
  'the Agent level': async () => {
    const customer = await makeUser(shop)
    const reference = await pay({ userId: customer._id, purpose: 'agent-upgrade', lines: null, pricePesewas: 5_003, surchargePesewas: 0 })
    return {
      reference,
      receivedPesewas: 5_003,
      orderIds: [],
      expects: ({ returnedPesewas }) => (returnedPesewas < 5_003 ? 'Agent' : 'Customer'),
      sees: async () => (await one<{ level: string }>('select level from users where id = $1', [customer._id])).level,
    }
  },
  'a reward, by an order paid by card': () =>
    inviteWith(async ({ _id }) => {
      const reference = await pay({ userId: _id, purpose: 'order', lines: [line(550)], pricePesewas: 550, surchargePesewas: 17 })
      return { reference, receivedPesewas: 567 }
    }),
  'a reward, by an order paid with a top-up': () =>
    inviteWith(async (customer) => {
      const reference = await pay({ userId: customer._id, purpose: 'top-up', lines: null, pricePesewas: 550, surchargePesewas: 17 })
      expect((await checkout(shop, customer, [await cartLine(shop)])).status).toBe(200)
      return { reference, receivedPesewas: 567 }
    }),
  'a top-up in the wallet': async () => {
    const customer = await makeUser(shop)
    const reference = await pay({ userId: customer._id, purpose: 'top-up', lines: null, pricePesewas: 703, surchargePesewas: 22 })
    return {
      reference,
      receivedPesewas: 725,
      orderIds: [],
      expects: ({ returnedPesewas }) => Math.max(0, 703 - returnedPesewas),
      sees: () => wallet(customer._id),
    }
  },
  'checkers from the stock': async () => {
    const agent = await makeUser(shop, { level: 'Agent' })
    const shopId = await openShopOf(shop, agent._id)
    await stockCheckers(shop, 'BECE', 1)
    const { id } = await one<{ id: string }>(`select id from products where network = 'WAEC Checkers'`)
    await query(
      'insert into shop_prices (shop_id, product_id, offer, price_pesewas, changed_at) select $1, product_id, offer, price_agent_pesewas + 107, now() from packages where product_id = $2 and offer = $3',
      [shopId, id, 'BECE'],
    )
    const { price } = await one<{ price: number }>('select price_pesewas as price from shop_prices where shop_id = $1', [shopId])
    const lines = [{ ...line(price), product: id, offer: 'BECE' }]
    const reference = await pay({
      userId: null,
      guest: { shopId, phone: GUEST },
      purpose: 'order',
      lines,
      pricePesewas: price,
      surchargePesewas: 13,
    })
    await clearCheckers(shop)
    return {
      reference,
      receivedPesewas: price + 13,
      orderIds: await ordersOf(reference),
      // Codes that were handed over stay with their buyer, and their cost with the shop.
      expects: (now) => kept(107, price + 13)(now),
      sees: () => earnings(shopId),
    }
  },
  "a guest's refund that was claimed into a wallet and spent in part": async () => {
    const agent = await makeUser(shop, { level: 'Agent' })
    const { reference, orderIds } = await sellInShop(await openShopOf(shop, agent._id), 550)
    await decide(orderIds[0] as string, 'rejected')
    const claimer = await makeUser(shop)
    const { id } = await one<{ id: string }>('select id from refunds where payment_reference = $1', [reference])
    const code = crypto
      .randomUUID()
      .replace(/[^a-z2-9]/g, '')
      .slice(0, 12)
    await transaction(shop.database.db, async (tx) => {
      await postRefundNotSent(tx, (await lockRefund(tx, id)) as RefundRow, { now: shop.clock.now, actorId: null, note: null })
      await insertCode(tx, { refundId: id, hash: hashCode(code), now: shop.clock.now })
    })
    const { hash } = await one<{ hash: Buffer }>('select token_hash as hash from sessions where user_id = $1', [claimer._id])
    expect(await claimRefund(makeCtx(shop, { id: claimer._id, sessionHash: hash }).ctx, code)).toMatchObject({ balancePesewas: 567 })
    await query(
      `select post_entry($1, 'admin-debit', 'Spent', null, array[account_id, 6], array[-100::bigint, 100], now()) from wallets where user_id = $2`,
      [`spent:${crypto.randomUUID()}`, claimer._id],
    )
    return {
      reference,
      receivedPesewas: 567,
      orderIds: [],
      expects: ({ returnedPesewas }) => Math.max(0, 467 - returnedPesewas),
      sees: () => wallet(claimer._id),
    }
  },
  'what is owed to a guest': async () => {
    const agent = await makeUser(shop, { level: 'Agent' })
    const shopId = await openShopOf(shop, agent._id)
    const guest = { shopId, phone: GUEST }
    const reference = await pay({ userId: null, guest, purpose: 'order', lines: [line(561)], pricePesewas: 561, surchargePesewas: 17 }, 311)
    let [owed, before] = [311, 0]
    return {
      reference,
      receivedPesewas: 311,
      orderIds: [],
      // It ends once all of it went back; a part of it is for a person. What came back after that is owed again.
      expects: ({ returnedPesewas }) => {
        if (returnedPesewas >= 311) owed = 0
        else if (returnedPesewas < before) owed = 311 - returnedPesewas
        before = returnedPesewas
        return owed
      },
      sees: async () =>
        (
          await one<{ pesewas: number }>(
            `select coalesce(sum(amount_pesewas) filter (where ended_at is null), 0) as pesewas from refunds where payment_reference = $1`,
            [reference],
          )
        ).pesewas,
    }
  },
}

/** What happened to a payment so far. What goes back in two ways is together never more than it brought in. */
type State = { cause: Cause; isLost: boolean; tookMoney: boolean; wasWonBack: boolean; refundPesewas: number; refunded: boolean }

function returned({ cause, isLost, refundPesewas }: State): number {
  return Math.min(cause.receivedPesewas, (isLost ? cause.receivedPesewas : 0) + refundPesewas)
}

async function hear(state: State, outcome: 'open' | 'won' | 'lost', amountPesewas: number) {
  shop.clock.advance(1_000)
  const { reference } = state.cause
  await tellOfDispute({ id: `D${reference}`, reference, amountPesewas }, outcome)
}

/** As the provider tells of a dispute that somebody has opened, or that the bank has decided. */
async function tellOfDispute(of: { id: string; reference: string; amountPesewas: number }, outcome: 'open' | 'won' | 'lost') {
  await recordDispute(ctx(), {
    ...of,
    currency: 'GHS',
    category: 'chargeback',
    status: outcome === 'open' ? 'awaiting-merchant-feedback' : 'resolved',
    resolution: outcome === 'won' ? 'declined' : 'merchant-accepted',
    outcome,
    payerEmail: null,
    dueAt: null,
    decidedAt: outcome === 'open' ? null : shop.clock.now,
  })
}

async function refundAtProvider(state: State, amountPesewas: number) {
  const { reference } = state.cause
  await recordRefund(ctx(), gatewayThat(paid(1)), { id: `R${reference}`, reference, amountPesewas, currency: 'GHS', status: 'processed' })
}

/** Each moves the state as the model has it, too. */
const EVENTS: Record<string, (state: State) => Promise<void>> = {
  'dispute lost': async (state) => {
    await hear(state, 'lost', state.cause.receivedPesewas)
    state.tookMoney ||= state.refundPesewas < state.cause.receivedPesewas
    // What was won back once stays so; a person hears of the contradiction.
    state.isLost ||= !state.wasWonBack
  },
  'dispute won after all': async (state) => {
    await hear(state, 'won', state.cause.receivedPesewas)
    state.wasWonBack ||= state.isLost && state.tookMoney
    state.isLost = false
  },
  'refund at the provider': async (state) => {
    await refundAtProvider(state, state.cause.receivedPesewas)
    state.refundPesewas ||= state.cause.receivedPesewas
  },
  'half a refund at the provider': async (state) => {
    const half = Math.floor(state.cause.receivedPesewas / 2)
    await refundAtProvider(state, half)
    state.refundPesewas ||= half
  },
  'our own refund': async (state) => {
    if (state.refunded) return
    for (const id of state.cause.orderIds) await refundReported(id)
    state.refunded = state.cause.orderIds.length > 0
  },
}

const NAMES = Object.keys(EVENTS)
const OURS = 'our own refund'
/** Each event is checked after it. */
const PAIRS = NAMES.flatMap((first) => NAMES.map((second) => [first, second]))
/** Of the bank and the provider alone. */
const TRIPLES = PAIRS.flatMap((pair) => NAMES.map((third) => [...pair, third])).filter((way) => !way.includes(OURS))

async function goThrough(name: string, ways: string[][]) {
  for (const way of ways) {
    const cause = await (CAUSES[name] as () => Promise<Cause>)()
    const state: State = { cause, isLost: false, tookMoney: false, wasWonBack: false, refundPesewas: 0, refunded: false }
    expect([way, await cause.sees()]).toEqual([way, cause.expects({ returnedPesewas: 0, refunded: false })])
    for (const event of way) {
      await (EVENTS[event] as (state: State) => Promise<void>)(state)
      expect([way, event, await cause.sees()]).toEqual([
        way,
        event,
        cause.expects({ returnedPesewas: returned(state), refunded: state.refunded }),
      ])
    }
  }
  expect(await checkLedger(shop.database.db)).toEqual([])
}

describe.each(Object.keys(CAUSES))('%s', (name) => {
  const undone = 'is undone as far as its payment went back, once, by each'
  test(`${undone} of ${PAIRS.length} pairs of events`, { timeout: 600_000 }, () => goThrough(name, PAIRS))
  test(`${undone} of ${TRIPLES.length} triples`, { timeout: 600_000, tags: ['long'] }, () => goThrough(name, TRIPLES))
})

describe('by a process of a version before, which only changes the payment', () => {
  const ways = NAMES.map((name) => ['half a refund at the provider', name])
  let ours: string
  beforeAll(async () => {
    ours = (await one<{ text: string }>(`select pg_get_functiondef('change_loss'::regproc) as text`)).text
    await query(`create or replace function change_loss(p_payment text, p_returned bigint, p_loss bigint, p_now timestamptz) returns void language sql as $$
      update payments set returned_pesewas = returned_pesewas + p_returned, loss_pesewas = loss_pesewas + p_loss where reference = p_payment $$`)
  })
  afterAll(() => query(ours))

  test.each(Object.keys(CAUSES))('%s is undone all the same', { timeout: 600_000 }, (name) => goThrough(name, ways))
})

describe('a refund that the provider has accepted', () => {
  type Sent = { reference: string; userId: string | null; refundId: string; bank: number; end: 'paid' | 'failed' | null }

  /** 5.67 for an order that was rejected, on its way back to its customer or guest. */
  async function send(isGuest: boolean): Promise<Sent> {
    let [reference, userId] = ['', null as string | null]
    if (isGuest) {
      const agent = await makeUser(shop, { level: 'Agent' })
      ;({ reference } = await sellInShop(await openShopOf(shop, agent._id), 550))
    } else {
      userId = (await makeUser(shop))._id
      reference = await pay({ userId, purpose: 'order', lines: [line(550)], pricePesewas: 550, surchargePesewas: 17 })
    }
    const [orderId] = (await ordersOf(reference)) as [string]
    await decide(orderId, 'rejected')
    if (userId !== null) {
      const { hash } = await one<{ hash: Buffer }>('select token_hash as hash from sessions where user_id = $1', [userId])
      await requestRefundToSource(makeCtx(shop, { id: userId, sessionHash: hash }).ctx, { available: true }, orderId)
    }
    const { id } = await one<{ id: string }>(
      `update refunds set status = 'sending', sent_at = now(), ask_at = null where payment_reference = $1 returning id`,
      [reference],
    )
    await query(`update refunds set status = 'accepted', provider_id = $2 where id = $1`, [id, `O${reference}`])
    return { reference, userId, refundId: id, bank: 0, end: null }
  }

  async function hearBank({ reference, bank }: Sent, outcome: 'open' | 'won' | 'lost', amountPesewas: number) {
    shop.clock.advance(1_000)
    const disputed = outcome === 'won' ? bank : amountPesewas
    await tellOfDispute({ id: `D${reference}:${disputed}`, reference, amountPesewas: disputed }, outcome)
  }

  async function hearProvider(sent: Sent, end: 'paid' | 'failed') {
    const status = end === 'paid' ? 'processed' : 'failed'
    const listed = { id: `O${sent.reference}`, amountPesewas: 567, currency: 'GHS', status, note: noteOf(sent.refundId) }
    const refunds = { available: true, list: async () => [listed], request: async () => ({ outcome: 'unknown' as const, reason: '' }) }
    await checkRefundsOf(ctx(), { ...gatewayThat(paid(1)), refunds }, sent.reference)
    sent.end = end
  }

  const WAYS: Record<string, (sent: Sent) => Promise<void>> = {
    'all lost': async (sent) => {
      await hearBank(sent, 'lost', 567)
      sent.bank = 567
    },
    'a part lost': async (sent) => {
      await hearBank(sent, 'lost', 200)
      sent.bank = 200
    },
    'won after all': async (sent) => {
      if (sent.bank > 0) await hearBank(sent, 'won', 0)
      sent.bank = 0
    },
    paid: (sent) => hearProvider(sent, 'paid'),
    failed: (sent) => hearProvider(sent, 'failed'),
  }

  /** What the bank has is the payer's, whatever became of the refund; what both have is the shop's loss. */
  function expected({ userId, bank, end }: Sent) {
    const isWhole = bank === 567
    const left = end === 'failed' ? (userId === null ? (isWhole ? 0 : 567) : 567 - bank) : 0
    const ours = end === 'paid' ? 567 : 0
    const kept = end === null ? 567 : 0
    return { returned: bank + ours, loss: bank + ours + kept + left - 567, left, kept }
  }

  async function seen({ reference, userId }: Sent) {
    const { rows } = await query(
      `select m.returned_pesewas as returned, m.loss_pesewas as loss, coalesce((select sum(amount_pesewas) filter (where status = 'accepted') from refunds r
         where r.payment_reference = m.reference), 0)::integer as kept,
         coalesce((select sum(amount_pesewas) from refunds r where r.payment_reference = m.reference and status = 'code'), 0)::integer as code
       from payments m where reference = $1`,
      [reference],
    )
    const { code, ...money } = rows[0] as { returned: number; loss: number; kept: number; code: number }
    return { ...money, left: userId === null ? code : await wallet(userId) }
  }

  const NAMES = Object.keys(WAYS)
  const ORDERS = NAMES.flatMap((a) => NAMES.flatMap((b) => NAMES.map((c) => [a, b, c])))
    .filter((way) => new Set(way).size === 3 && !(way.includes('paid') && way.includes('failed')))
    // The bank has one dispute of it, decided once, and perhaps otherwise later.
    .filter((way) => !(way.includes('all lost') && way.includes('a part lost')))

  test.each([
    ['customer', false],
    ['guest', true],
  ])("of a %s's is theirs once, or the shop's loss, in each order, and pauses nothing", { timeout: 120_000 }, async (_, isGuest) => {
    const going: { way: string[]; sent: Sent }[] = []
    for (const way of ORDERS) going.push({ way, sent: await send(isGuest) })
    for (const step of [0, 1, 2]) {
      for (const { way, sent } of going) {
        await (WAYS[way[step] as string] as (sent: Sent) => Promise<void>)(sent)
        expect([way, step, await seen(sent)]).toEqual([way, step, expected(sent)])
      }
      expect(await checkLedger(shop.database.db)).toEqual([])
    }
  })
})

test('a dispute or refund that is known as one of another payment changes nothing, and a person hears of it', async () => {
  const sold = await Promise.all(
    [0, 1].map(async () => {
      const customer = await makeUser(shop)
      return pay({ userId: customer._id, purpose: 'top-up', lines: null, pricePesewas: 703, surchargePesewas: 22 })
    }),
  )
  const [first, second] = sold as [string, string]
  const { ctx: watched, logged } = makeCtx(shop)
  const dispute = (reference: string, outcome: 'won' | 'lost') =>
    recordDispute(watched, {
      id: `D${first}`,
      reference,
      amountPesewas: 725,
      currency: 'GHS',
      category: 'chargeback',
      status: 'resolved',
      resolution: outcome === 'won' ? 'declined' : 'merchant-accepted',
      outcome,
      payerEmail: null,
      dueAt: null,
      decidedAt: new Date(shop.clock.now.getTime() + (outcome === 'won' ? 1_000 : 0)),
    })
  const refund = (reference: string, amountPesewas: number) =>
    recordRefund(watched, gatewayThat(paid(1)), { id: `R${first}`, reference, amountPesewas, currency: 'GHS', status: 'processed' })
  await dispute(first, 'lost')
  await refund(first, 100)
  const look = async () =>
    (
      await query(
        `select p.reference, p.returned_pesewas, p.loss_pesewas, p.hold_reason, d.outcome, d.booked_pesewas
         from payments p left join disputes d using (reference) where p.reference = any ($1) order by 1`,
        [sold],
      )
    ).rows
  const before = await look()
  const heard = logged.length
  await dispute(second, 'won')
  await dispute(second, 'lost')
  await refund(second, 725)
  expect(await look()).toEqual(before)
  expect(logged.slice(heard)).toMatchObject([
    { alarm: 'card-dispute', reference: second, problem: 'the dispute is known as one of another payment' },
    { alarm: 'card-dispute', reference: second },
    { alarm: 'card-refund', reference: second, problem: 'the refund is known as one of another payment' },
  ])
  expect(await checkLedger(shop.database.db)).toEqual([])
})

test('an agent whose fee went back in part stays one until all of it has', async () => {
  const customer = await makeUser(shop)
  const reference = await pay({ userId: customer._id, purpose: 'agent-upgrade', lines: null, pricePesewas: 5_000, surchargePesewas: 0 })
  const level = async () => (await one<{ level: string }>('select level from users where id = $1', [customer._id])).level
  const refund = (id: string, amountPesewas: number) =>
    recordRefund(ctx(), gatewayThat(paid(1)), { id: `${id}${reference}`, reference, amountPesewas, currency: 'GHS', status: 'processed' })
  await refund('A', 516)
  expect(await level()).toBe('Agent')
  await refund('B', 4_483)
  expect(await level()).toBe('Agent')
  const key = { name: 'Till', scopes: ['balance:read'] }
  expect((await call(shop, 'POST', '/api-keys', { as: customer, body: key })).status).toBe(200)
  await refund('C', 1)
  expect(await level()).toBe('Customer')
  // Or it would work again for whoever has it, once they are an agent again.
  expect(await one('select count(*)::integer as count from api_keys where user_id = $1 and ended_at is null', [customer._id])).toEqual({
    count: 0,
  })
  expect(await checkLedger(shop.database.db)).toEqual([])
})
