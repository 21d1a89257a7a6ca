import { createHmac } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Sandbox } from '../../../../sandbox/open-sandbox.ts'
import type { ErrorBody } from '../../../../shared/errors.ts'
import type { Order } from '../../../../shared/orders.ts'
import type { ConfirmPaymentReply, OwnPayment, PaymentDispute, PaymentReply, TopUpRules } from '../../../../shared/payments.ts'
import type { SignedInUser } from '../../../../shared/users.ts'
import type { StatementLine } from '../../../../shared/wallet.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { balanceOf, type CartLine, call, cartLine, checkout, makeUser } from '../../../../test/builders.ts'
import { makeCtx } from '../../../../test/settling.ts'
import { until } from '../../../../test/until.ts'
import { releaseTopUps } from './release-top-ups.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

let shop: TestShop
let provider: Sandbox['cardProvider']
let payer: SignedInUser

beforeAll(async () => {
  shop = await openTestShop({ withSandbox: true })
  provider = (shop.sandbox as Sandbox).cardProvider
})
beforeEach(async () => {
  await setRules({})
  payer = await makeUser(shop)
})
afterEach(() => provider.clearFaults())
afterAll(() => shop.close())

/** In pesewas and hours; what is not given is as in a new shop. */
async function setRules({ minimum = 5_000, maximum = 200_000, daily = 500_000, hold = 0 }) {
  await shop.database.db.query(
    'update operations_settings set top_up_minimum_pesewas = $1, top_up_maximum_pesewas = $2, top_up_daily_pesewas = $3, top_up_hold_hours = $4',
    [minimum, maximum, daily, hold],
  )
}

function ask<T = PaymentReply>(amount: number, { as = payer, items }: { as?: SignedInUser; items?: CartLine[] } = {}) {
  return call<T>(shop, 'POST', '/payment', { as, body: { purpose: 'top-up', amount, ...(items && { items }) } })
}

/** A top-up of so many cedis that no webhook event will settle. */
async function begin(amount: number, given: Parameters<typeof ask>[1] = {}): Promise<PaymentReply> {
  const { status, body } = await ask(amount, given)
  expect([status, body]).toEqual([200, expect.objectContaining({ reference: expect.any(String) })])
  provider.addFault({ call: 'webhook', kind: 'lose', reference: body.reference, times: 100 })
  return body
}

async function topUp(amount: number, given: Parameters<typeof ask>[1] = {}) {
  const begun = await begin(amount, given)
  await provider.pay(begun.reference)
  return { begun, ...(await confirm(begun.reference, given?.as)) }
}

async function confirm(reference: string, as = payer) {
  return (await call<ConfirmPaymentReply>(shop, 'POST', `/payment/${reference}/confirm`, { as })).body
}

const rules = async (as = payer) => (await call<TopUpRules>(shop, 'GET', '/payment/top-up', { as })).body
const orders = async (as = payer) => (await call<Order[]>(shop, 'GET', '/order/allorders', { as })).body
const statement = async (as = payer) =>
  (await call<StatementLine[]>(shop, 'GET', '/wallet/statement', { as })).body.map(({ kind, amount, balance }) => [kind, amount, balance])
const makeAdmin = () => makeUser(shop, { level: 'Admin' })

/** What the books have on a house account under the payment's reference, without what the provider keeps. */
async function bookedOn(accountId: number, reference: string): Promise<number> {
  const { rows } = await shop.database.db.query<{ total: number }>(
    `select coalesce(sum(p.amount_pesewas), 0) as total from postings p join journal_entries e on e.id = p.entry_id
     where p.account_id = $1 and e.key like '%' || $2 and e.kind <> 'provider-fee'`,
    [accountId, reference],
  )
  return rows[0]?.total ?? Number.NaN
}

test('says up to how much a request is credited by itself: nothing without a phone that works', async () => {
  expect(await rules()).toMatchObject({ requestsUpTo: 0 })
  const { db } = shop.database
  const { rows } = await db.query<{ id: string }>(
    `insert into forwarders (name, app, networks, key, created_by, created_at, seen_at)
     select 'Till', 'other', '{MTN}', 'x', id, $1, $1 from users limit 1 returning id`,
    [shop.clock.now],
  )
  const { id } = rows[0]!
  await db.query(
    `insert into momo_wallets (forwarder_id, network, balance_pesewas, confirmed_by, confirmed_at) select $1, 'MTN', 0, id, $2 from users limit 1`,
    [id, shop.clock.now],
  )
  expect(await rules()).toMatchObject({ requestsUpTo: 200 })
  await db.query(
    `insert into wallet_movements (forwarder_id, network, text_hash, opening_pesewas, closing_pesewas, read_at) values ($1, 'MTN', sha256('x'), 1, 2, $2)`,
    [id, shop.clock.now],
  )
  expect(await rules()).toMatchObject({ requestsUpTo: 0 })
})

describe('a top-up', () => {
  test('costs 3 % on top, and what was asked for is in the wallet as soon as it is paid', async () => {
    const { begun, payment, ...reply } = await topUp(100)
    expect(begun).toMatchObject({ amount: 10_300, currency: 'GHS', email: payer.email })
    expect(payment).toEqual({ reference: payment.reference, status: 'paid', message: null, progress: null })
    expect([reply.orders, reply.user.balance]).toEqual([[], 100])
    expect(await statement()).toEqual([['Top-up', 100, 100]])
    expect([await bookedOn(5, payment.reference), await bookedOn(2, payment.reference)]).toEqual([-10_300, 300])
    const { body: own } = await call<OwnPayment[]>(shop, 'GET', '/payment/mine', { as: payer })
    expect(own).toMatchObject([{ purpose: 'top-up', price: 100, surcharge: 3, total: 103, status: 'paid', items: [] }])
  })

  test('is credited by the webhook event that comes before the browser returns, and not again after it', async () => {
    const { body: payment } = await ask(50)
    await provider.pay(payment.reference)
    await until(async () => (await balanceOf(shop, payer._id)) === 5_000)
    expect(await confirm(payment.reference)).toMatchObject({ payment: { status: 'paid' }, user: { balance: 50 } })
    expect(await statement()).toHaveLength(1)
  })

  test('approved ten minutes later is found by the loop, without browser and webhook event', async () => {
    const payment = await begin(50)
    await provider.setStatus(payment.reference, 'pending')
    expect((await confirm(payment.reference)).payment.status).toBe('open')
    shop.clock.advance(10 * MINUTE_MS)
    await provider.pay(payment.reference)
    shop.app.background.payments.wake()
    await until(async () => (await balanceOf(shop, payer._id)) === 5_000)
  })

  test('settled 64 times at once by browser, webhook event and loop is credited once', async () => {
    const payment = await begin(50)
    await provider.pay(payment.reference)
    const body = JSON.stringify({ event: 'charge.success', data: { reference: payment.reference } })
    const signature = createHmac('sha512', provider.secretKey).update(body).digest('hex')
    const headers = { 'content-type': 'application/json', 'x-paystack-signature': signature }
    shop.clock.advance(30_000)
    shop.app.background.payments.wake()
    const [replies] = await Promise.all([
      Promise.all(Array.from({ length: 32 }, () => confirm(payment.reference))),
      Promise.all(
        Array.from({ length: 31 }, () => shop.app.inject({ method: 'POST', url: '/api/payment/webhook', headers, payload: body })),
      ),
    ])
    expect(new Set(replies.map((reply) => reply.payment.status))).toEqual(new Set(['paid']))
    expect(await statement()).toEqual([['Top-up', 50, 50]])
  })

  test('of a payer who is banned meanwhile is in their wallet, and the owner sees why', async () => {
    const payment = await begin(50)
    await provider.pay(payment.reference)
    const admin = await makeAdmin()
    await call(shop, 'PUT', `/user/${payer._id}/status`, { as: admin, body: { status: 'Banned' } })
    shop.clock.advance(30_000)
    shop.app.background.payments.wake()
    await until(async () => (await balanceOf(shop, payer._id)) === 5_000)
    const { body } = await call(shop, 'GET', '/payment', { as: admin, query: { status: 'held', search: payment.reference } })
    expect(body).toMatchObject([{ reason: 'the account is banned', inWallet: true }])
  })

  test.each([
    [10_299, 10_299, 0, 'held'],
    [10_301, 10_001, 300, 'paid'],
  ])('paid with %d of 10300 pesewas: %d are in the wallet, and %d are the surcharge', async (amount, inWallet, surcharge, status) => {
    const payment = await begin(100)
    const data = { status: 'success', amount, requested_amount: amount }
    provider.addFault({ call: 'verify', kind: 'data', reference: payment.reference, data })
    expect((await confirm(payment.reference)).payment.status).toBe(status)
    expect([await balanceOf(shop, payer._id), await bookedOn(2, payment.reference)]).toEqual([inWallet, surcharge])
  })

  test('in another currency or of a live shop moves nothing, and is held for the owner', async () => {
    for (const data of [{ currency: 'NGN' }, { domain: 'live' }]) {
      const payment = await begin(100)
      provider.addFault({ call: 'verify', kind: 'data', reference: payment.reference, data: { status: 'success', ...data } })
      expect((await confirm(payment.reference)).payment.status).toBe('held')
    }
    expect(await balanceOf(shop, payer._id)).toBe(0)
  })

  test('is nobody else’s to look at', async () => {
    const payment = await begin(50)
    const { status } = await call(shop, 'POST', `/payment/${payment.reference}/confirm`, { as: await makeUser(shop) })
    expect(status).toBe(404)
  })

  test('cannot be settled by a version that does not say what was topped up', async () => {
    const { reference } = await begin(50)
    const settle = (more = '') =>
      shop.database.db.query(
        `update payments set status = 'paid', received_pesewas = 5150, in_wallet = true, settled_at = now() ${more} where reference = $1`,
        [reference],
      )
    await expect(settle()).rejects.toMatchObject({ constraint: 'payments_topped_up' })
    await expect(settle(', topped_up_pesewas = 5151')).rejects.toMatchObject({ constraint: 'payments_topped_up' })
  })
})

describe('the owner’s limits', () => {
  test.each([
    [49.99, 'The amount must be at least GHS 50.00.'],
    [2000.01, 'The amount must be at most GHS 2,000.00 at a time.'],
    [0, 'The amount must be more than zero.'],
    [-50, 'The amount must be more than zero.'],
    [50.005, 'Enter an amount in cedis with at most two decimals.'],
    ['100', 'Enter an amount in cedis with at most two decimals.'],
  ])('%s: %s', async (amount, message) => {
    const { status, body } = await ask<ErrorBody>(amount as number)
    expect([status, body.code, body.issues?.[0]]).toEqual([400, 'INVALID', { path: 'amount', message }])
    expect((await call<OwnPayment[]>(shop, 'GET', '/payment/mine', { as: payer })).body).toEqual([])
  })

  test('hold when many top-ups begin at once', async () => {
    await setRules({ daily: 100_000 })
    const replies = await Promise.all(Array.from({ length: 12 }, () => ask<ErrorBody>(300)))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, ...Array(9).fill(429)])
    expect(replies.find(({ status }) => status === 429)?.body.message).toBe(
      'You can top up GHS 100.00 more at once today. Press Request for the rest, or come back tomorrow.',
    )
    expect(await rules()).toMatchObject({ minimum: 50, maximum: 2000, leftToday: 100 })
  })

  test('count what was paid, not what came to nothing, and start anew at midnight', async () => {
    await setRules({ daily: 20_000 })
    const failed = await begin(200)
    await shop.database.db.query(`update payments set status = 'failed' where reference = $1`, [failed.reference])
    await topUp(150)
    expect([await rules(), (await ask(60)).status]).toMatchObject([{ leftToday: 50 }, 429])
    await shop.database.db.query(`update payments set created_at = created_at - interval '1 day' where user_id = $1`, [payer._id])
    expect([await rules(), (await ask(60)).status]).toMatchObject([{ leftToday: 200 }, 200])
  })

  test('with 0 a day nobody tops up', async () => {
    await setRules({ daily: 0 })
    const { status, body } = await ask<ErrorBody>(50)
    expect([status, body.message]).toEqual([
      429,
      'You have reached today’s limit for topping up at once. Press Request to pay by mobile money, or come back tomorrow.',
    ])
  })

  test('beyond which money comes from payments that had been closed: it waits for staff, however long', async () => {
    await setRules({ daily: 10_000 })
    const late = await begin(100)
    await shop.database.db.query(`update payments set status = 'expired', check_at = null where reference = $1`, [late.reference])
    await topUp(100)
    await provider.pay(late.reference)
    const { payment } = await confirm(late.reference)
    expect(payment.message).toContain('contact us')
    expect(await balanceOf(shop, payer._id)).toBe(10_000)
    const release = (days: number) => {
      const { ctx } = makeCtx(shop)
      return releaseTopUps({ ...ctx, now: new Date(shop.clock.now.getTime() + days * 24 * HOUR_MS) })
    }
    await release(30)
    expect(await balanceOf(shop, payer._id)).toBe(10_000)
    const body = { reason: 'They called' }
    expect((await call(shop, 'POST', `/payment/${late.reference}/release`, { as: await makeAdmin(), body })).status).toBe(200)
    await release(1)
    expect(await balanceOf(shop, payer._id)).toBe(20_000)
  })

  test('of a pause of purchases: nothing begins', async () => {
    await shop.database.db.query(`insert into purchase_pauses (paused_at, found) values ($1, '[]')`, [shop.clock.now])
    expect((await ask<ErrorBody>(50)).body.code).toBe('PURCHASES_PAUSED')
    await shop.database.db.query(`update purchase_pauses set lifted_at = paused_at, lifted_by = $1, lift_reason = 'well'`, [payer._id])
  })
})

describe('a top-up of what is missing for a purchase', () => {
  beforeEach(async () => {
    payer = await makeUser(shop, { balance: 2 })
  })

  test('buys it from the wallet in the same moment', async () => {
    const { begun, payment, ...reply } = await topUp(3.5, { items: [await cartLine(shop)] })
    expect([begun.amount, payment.status, reply.user.balance]).toEqual([361, 'paid', 0])
    expect(reply.orders).toMatchObject([{ offer: '1GB', totalAmount: 5.5, paidWith: 'wallet', status: 'pending' }])
    expect(await statement()).toEqual([
      ['Order', -5.5, 0],
      ['Top-up', 3.5, 5.5],
      ['Credit by the shop', 2, 2],
    ])
    expect(await bookedOn(2, payment.reference)).toBe(11)
  })

  test('of less than a cedi is a cedi, and the rest stays in the wallet', async () => {
    payer = await makeUser(shop, { balance: 5.4 })
    expect((await ask<ErrorBody>(0.1, { items: [await cartLine(shop)] })).status).toBe(409)
    const { user, orders: bought } = await topUp(1, { items: [await cartLine(shop)] })
    expect([bought.length, user.balance]).toEqual([1, 0.9])
  })

  test.each([
    ['more than that', 3.51, 'Your balance has changed: you need GHS 3.50 more now. Nothing was charged.'],
    ['less', 3.49, 'Your balance has changed: you need GHS 3.50 more now. Nothing was charged.'],
  ])('is refused when it is %s', async (_name, amount, message) => {
    const { status, body } = await ask<ErrorBody>(amount, { items: [await cartLine(shop)] })
    expect([status, body.code, body.message]).toEqual([409, 'CONFLICT', message])
  })

  test('is refused when the wallet covers it, or the price is another', async () => {
    const rich = await makeUser(shop, { balance: 10 })
    const items = [await cartLine(shop)]
    expect((await ask<ErrorBody>(3.5, { as: rich, items })).body.message).toContain('Your wallet covers this by now.')
    expect((await ask<ErrorBody>(3.5, { items: [{ ...(items[0] as CartLine), amount: 5 }] })).body.code).toBe('PRICE_CHANGED')
    expect((await ask<ErrorBody>(3.5, { items: [] })).body.code).toBe('INVALID')
  })

  /** Pays for one bundle, with this happening in between; what it costs is in the wallet all the same. */
  async function interrupted(between: (payment: PaymentReply) => Promise<unknown>, items?: CartLine[]) {
    const payment = await begin(3.5, { items: items ?? [await cartLine(shop)] })
    await provider.pay(payment.reference)
    await between(payment)
    shop.clock.advance(30_000)
    shop.app.background.payments.wake()
    const status = await until(async () => {
      const { rows } = await shop.database.db.query<{ status: string; reason: string }>(
        `select status, reason from payments where reference = $1 and settled_at is not null`,
        [payment.reference],
      )
      return rows[0]
    })
    return { ...status, surcharge: await bookedOn(2, payment.reference), payment }
  }
  const CASES: [string, string, () => Promise<unknown>][] = [
    [
      'the price changes',
      'a price of the cart has changed since',
      () => shop.database.db.query(`update packages set price_customer_pesewas = price_customer_pesewas + 1 where offer = '1GB'`),
    ],
    [
      'it is out of stock',
      'a product of the cart is not available any more',
      () => shop.database.db.query(`update products set status = 'out of stock' where network = 'MTN'`),
    ],
    [
      'the payer is banned',
      'the account is banned',
      () => shop.database.db.query(`update users set status = 'Banned' where id = $1`, [payer._id]),
    ],
  ]
  test.each(CASES)(
    'cannot buy it when %s: the money stays in the wallet, and only the surcharge is charged',
    async (_name, reason, change) => {
      const items = [await cartLine(shop)]
      const settled = await interrupted(change, items)
      expect(settled).toMatchObject({ status: 'held', reason, surcharge: 11 })
      expect(await balanceOf(shop, payer._id)).toBe(550)
      await shop.database.db.query(
        `update packages set price_customer_pesewas = $1 where offer = '1GB' and price_customer_pesewas = $1 + 1`,
        [550],
      )
      await shop.database.db.query(`update products set status = 'available' where network = 'MTN'`)
    },
  )

  test('cannot buy it when the balance was spent meanwhile', async () => {
    const poor = await cartLine(shop, { network: 'Airtime', offer: 'MTN GHS 1' })
    const settled = await interrupted(async () => expect((await checkout(shop, payer, [poor])).status).toBe(200))
    expect(settled).toMatchObject({ status: 'held', reason: 'the wallet could not cover the cart' })
    expect(await balanceOf(shop, payer._id)).toBe(450)
    expect((await confirm(settled.payment.reference)).payment.message).toBe(
      'GHS 3.50 was put into your wallet, because the wallet could not cover the cart.',
    )
    expect(await orders()).toHaveLength(1)
  })

  test('that was given up and bought again buys nothing a second time', async () => {
    payer = await makeUser(shop, { balance: 4.5 })
    const payment = await begin(1, { items: [await cartLine(shop)] })
    await shop.database.db.query(`update payments set status = 'expired', check_at = null where reference = $1`, [payment.reference])
    await topUp(50)
    expect((await checkout(shop, payer, [await cartLine(shop)])).status).toBe(200)
    await provider.pay(payment.reference)
    expect((await confirm(payment.reference)).payment.status).toBe('held')
    expect([await orders(), await balanceOf(shop, payer._id)]).toEqual([[expect.anything()], 5_000])
  })
})

describe('a new payer’s top-up, where the owner holds them', () => {
  beforeEach(() => setRules({ hold: 24 }))

  test('is shown, cannot be spent, and is in the wallet after that time, once', async () => {
    expect((await rules()).holdHours).toBe(24)
    const { payment } = await topUp(100)
    const until24h = new Date(shop.clock.now.getTime() + 24 * HOUR_MS)
    expect((await rules()).onHold).toEqual([{ reference: payment.reference, amount: 100, until: until24h.toISOString() }])
    expect((await checkout(shop, payer, [await cartLine(shop)])).body.code).toBe('INSUFFICIENT_BALANCE')
    expect(await statement()).toEqual([
      ['Top-up on hold', -100, 0],
      ['Top-up', 100, 100],
    ])
    await releaseAfter(24 * HOUR_MS - 1)
    expect(await balanceOf(shop, payer._id)).toBe(0)
    await releaseAfter(24 * HOUR_MS)
    expect(await balanceOf(shop, payer._id)).toBe(10_000)
    expect([(await rules()).onHold, (await statement())[0]]).toEqual([[], ['Top-up released', 100, 100]])
  })

  /** Eight processes at once, at that time. */
  async function releaseAfter(ms: number) {
    const { ctx } = makeCtx(shop)
    const later = { ...ctx, now: new Date(shop.clock.now.getTime() + ms) }
    await Promise.all(Array.from({ length: 8 }, () => releaseTopUps(later)))
  }

  test('buys what it was made for at once', async () => {
    const { orders: bought } = await topUp(5.5, { items: [await cartLine(shop)] })
    expect(bought).toHaveLength(1)
    expect((await rules()).onHold).toEqual([])
  })

  test('goes on hold when it could not buy what it was made for', async () => {
    const payment = await begin(5.5, { items: [await cartLine(shop)] })
    await shop.database.db.query(`update products set status = 'out of stock' where network = 'MTN'`)
    await provider.pay(payment.reference)
    expect((await confirm(payment.reference)).payment.message).toMatch(/not available any more\. You can spend GHS 5\.50 of it from /)
    await shop.database.db.query(`update products set status = 'available' where network = 'MTN'`)
    expect(await balanceOf(shop, payer._id)).toBe(0)
  })

  test('is nothing for a payer whose first payment stood for 30 days', async () => {
    const { payment } = await topUp(50)
    await shop.database.db.query(`update payments set settled_at = settled_at - interval '30 days' where reference = $1`, [
      payment.reference,
    ])
    expect((await rules()).holdHours).toBe(0)
    await topUp(60)
    expect(await balanceOf(shop, payer._id)).toBe(6_000)
  })

  test('that the bank takes back comes from what is on hold, and costs the shop the surcharge alone', async () => {
    const { payment } = await topUp(100)
    const open = await disputeOf(payment.reference, { step: 'create' }, 'open')
    expect(open.amount).toBe(103)
    await releaseAfter(48 * HOUR_MS)
    expect(await balanceOf(shop, payer._id)).toBe(0)
    await disputeOf(payment.reference, { step: 'resolve', resolution: 'auto-accepted' }, 'lost')
    expect([await bookedOn(18, payment.reference), (await rules()).onHold]).toEqual([10_000, []])
    await releaseAfter(48 * HOUR_MS)
    const { rows } = await shop.database.db.query(
      'select loss_pesewas as loss, on_hold_pesewas as "onHold" from payments where reference = $1',
      [payment.reference],
    )
    expect([rows[0], await balanceOf(shop, payer._id)]).toEqual([{ loss: 300, onHold: 0 }, 0])
  })
})

async function disputeOf(reference: string, step: Parameters<typeof provider.dispute>[1], outcome: string): Promise<PaymentDispute> {
  const admin = await makeAdmin()
  provider.clearFaults()
  await provider.dispute(reference, step)
  return until(async () => {
    const { body } = await call<PaymentDispute[]>(shop, 'GET', '/payment/disputes', { as: admin, query: { search: reference } })
    return body.find((one) => one.outcome === outcome)
  })
}

describe('a top-up that is taken back', () => {
  test('takes what is left of it in the wallet', async () => {
    const { payment } = await topUp(100)
    await checkout(shop, payer, [await cartLine(shop)])
    await disputeOf(payment.reference, { step: 'create' }, 'open')
    await disputeOf(payment.reference, { step: 'resolve', resolution: 'auto-accepted' }, 'lost')
    expect(await balanceOf(shop, payer._id)).toBe(0)
  })

  test('holds the order that it was made for, whose rejection then makes the loss good and fills no wallet', async () => {
    const { payment, orders: bought } = await topUp(5.5, { items: [await cartLine(shop)] })
    const open = await disputeOf(payment.reference, { step: 'create' }, 'open')
    expect(open.orders).toMatchObject([{ _id: bought[0]?._id, onHold: 'the payer disputes the card payment' }])
    await disputeOf(payment.reference, { step: 'resolve', resolution: 'auto-accepted' }, 'lost')
    const admin = await makeAdmin()
    const decide = (body: object) => call(shop, 'PUT', `/order/update-status/${bought[0]?._id}`, { as: admin, body })
    expect((await decide({ status: 'completed' })).status).toBe(409)
    expect((await decide({ status: 'rejected', override: { reason: 'the bank took it back' } })).status).toBe(200)
    const { rows } = await shop.database.db.query('select loss_pesewas as loss from payments where reference = $1', [payment.reference])
    // What is lost is the surcharge of 0.17, which the shop has as income.
    expect([rows[0], await balanceOf(shop, payer._id)]).toEqual([{ loss: 17 }, 0])
  })

  test('after part of its order came from the wallet: rejecting the order gives that part back in full', async () => {
    payer = await makeUser(shop, { balance: 2 })
    const { payment, orders: bought } = await topUp(3.5, { items: [await cartLine(shop)] })
    await disputeOf(payment.reference, { step: 'create' }, 'open')
    await disputeOf(payment.reference, { step: 'resolve', resolution: 'auto-accepted' }, 'lost')
    const body = { status: 'rejected', override: { reason: 'the bank took it back' } }
    expect((await call(shop, 'PUT', `/order/update-status/${bought[0]?._id}`, { as: await makeAdmin(), body })).status).toBe(200)
    const { rows } = await shop.database.db.query('select loss_pesewas as loss from payments where reference = $1', [payment.reference])
    expect([rows[0], await balanceOf(shop, payer._id)]).toEqual([{ loss: 11 }, 200])
  })

  test('is on hold when the dispute is known before the money', async () => {
    const payment = await begin(100)
    await shop.database.db.query(`update payments set hold_reason = 'the payer disputes the card payment' where reference = $1`, [
      payment.reference,
    ])
    await provider.pay(payment.reference)
    expect((await confirm(payment.reference)).payment.message).toMatch(/^You can spend GHS 100\.00 of it from /)
    expect([await balanceOf(shop, payer._id), await bookedOn(18, payment.reference)]).toEqual([0, 10_000])
  })
})
