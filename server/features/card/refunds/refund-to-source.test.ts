import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { PaymentReply } from '../../../../shared/payments.ts'
import type { RefundToSource, StaffRefund } from '../../../../shared/refunds.ts'
import type { SignedInUser } from '../../../../shared/users.ts'
import type { StatementLine } from '../../../../shared/wallet.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { balanceOf, call, cartLine, checkout, makeUser } from '../../../../test/builders.ts'
import { rejectOrdersOf } from '../../../../test/card-orders.ts'
import { makeCtx } from '../../../../test/settling.ts'
import { until } from '../../../../test/until.ts'
import type { CardGateway } from '../../../integrations/payments/card-gateway.ts'
import { createPaystack } from '../../../integrations/payments/paystack.ts'
import { createPaystackRefunds } from '../../../integrations/payments/paystack-refunds.ts'
import { payoutsSwitchedOff } from '../../../integrations/payments/switched-off.ts'
import { checkLedger } from '../../../ledger/check-ledger.ts'
import { checkRefunds } from '../payments/check-refunds.ts'
import { recordDispute } from '../payments/record-dispute.ts'
import { sendRefunds } from '../payments/send-refunds.ts'
import { settlePayment } from '../payments/settle-payment.ts'

const MINUTE_MS = 60_000

let shop: TestShop
let owner: SignedInUser
let buyer: SignedInUser
let provider: NonNullable<TestShop['sandbox']>['cardProvider']
let gateway: CardGateway
let count = 0

beforeAll(async () => {
  // The loop of the shop stands still: each test sends and asks when it wants to.
  shop = await openTestShop({ withSandbox: true, timings: { paymentsMs: 3_600_000 } })
  provider = (shop.sandbox as NonNullable<TestShop['sandbox']>).cardProvider
  gateway = {
    isTest: true,
    card: createPaystack({ ...provider, callbackUrl: 'http://localhost/callback' }),
    payouts: payoutsSwitchedOff,
    refunds: createPaystackRefunds(provider),
  }
})
beforeEach(async () => {
  provider.clearFaults()
  provider.addFault({ call: 'webhook', kind: 'lose', times: 1_000 })
  owner = await makeUser(shop, { level: 'Admin' })
  buyer = await makeUser(shop)
  await query('update operations_settings set refunds_to_source = true')
})
afterAll(async () => {
  expect(await checkLedger(shop.database.db)).toEqual([])
  await shop.close()
})

function query(text: string, values: unknown[] = []) {
  return shop.database.db.query(text, values)
}

/** Orders that the buyer has paid by card at the provider and the shop has rejected. `pesewas`: what is in the wallet for each. */
async function buyAndReject(orders = 1): Promise<{ reference: string; ids: string[]; each: number; received: number }> {
  const items = await Promise.all(Array.from({ length: orders }, (_, at) => cartLine(shop, { phoneNumber: `055123456${at}` })))
  const started = await call<PaymentReply>(shop, 'POST', '/payment', { as: buyer, body: { purpose: 'order', items } })
  expect(started.status).toBe(200)
  const { reference, amount } = started.body
  await provider.pay(reference)
  await settlePayment(makeCtx(shop).ctx, gateway, reference)
  const ids = await rejectOrdersOf(shop, reference)
  const { rows } = await query('select price_pesewas + surcharge_pesewas as each from orders where id = $1', [ids[0]])
  return { reference, ids, each: Number(rows[0].each), received: Math.round(amount) }
}

type Reply = { refund: RefundToSource; balance: number; message: string; code: string }
const ask = (id: string | undefined, as: { token: string } = buyer) =>
  call<Reply>(shop, 'POST', `/order/${id}/refund-to-source`, { as, body: {} })
const look = async (id: string | undefined, as: { token: string } = buyer) =>
  (await call<Reply>(shop, 'GET', `/order/${id}/refund-to-source`, { as })).body.refund
const wallet = () => balanceOf(shop, buyer._id)

/** Without waiting for the shop's own loop, which asking wakes: whichever of the two sends it, it is sent once. */
async function send() {
  shop.clock.advance(1_000)
  await sendRefunds(makeCtx(shop).ctx, gateway)
}

async function hear(afterMs = MINUTE_MS) {
  shop.clock.advance(afterMs)
  await checkRefunds(makeCtx(shop).ctx, gateway)
}

async function atProvider(reference: string) {
  return (await gateway.refunds.list(reference)) ?? []
}

async function finish(reference: string, step: 'processed' | 'failed' = 'processed') {
  for (const { id, amountPesewas } of await atProvider(reference)) await provider.refund(reference, { step, id: Number(id), amountPesewas })
}

async function statusOf(orderId: string | undefined): Promise<string | undefined> {
  const { rows } = await query('select status from refunds where order_id = $1', [orderId])
  return rows[0]?.status
}

/** What is kept to be sent back, in pesewas. */
async function kept(): Promise<number> {
  const { rows } = await query('select coalesce(sum(amount_pesewas), 0)::integer as kept from postings where account_id = 15')
  return rows[0].kept
}

/** Sends until the provider or somebody has decided, whichever loop is first. */
async function sent(orderId: string | undefined) {
  let status: string | undefined
  await until(async () => {
    await send()
    status = await statusOf(orderId)
    return status !== 'due' && status !== 'sending'
  })
  return status
}

describe('the refund of an order that was paid by card', () => {
  test('is in the wallet with its surcharge, and is offered to be sent back', async () => {
    const { ids, received } = await buyAndReject()
    expect(await wallet()).toBe(received)
    expect(await look(ids[0])).toMatchObject({ state: 'offered', amount: received / 100, why: null })
  })

  test('goes back the way it came: out of the wallet at once, and paid once however often it is asked for', async () => {
    const before = await kept()
    const { reference, ids, received } = await buyAndReject()
    const replies = await Promise.all([ask(ids[0]), ask(ids[0]), ask(ids[0])])
    for (const { status, body } of replies)
      expect([status, body.balance, ['on-its-way', 'checking'].includes(body.refund.state)]).toEqual([200, 0, true])
    expect([await wallet(), await kept()]).toEqual([0, before + received])
    expect(await sent(ids[0])).toBe('accepted')
    expect(await look(ids[0])).toMatchObject({ state: 'on-its-way', amount: received / 100 })
    await finish(reference)
    await Promise.all([hear(), hear(), hear()])
    expect(await look(ids[0])).toMatchObject({ state: 'paid', byHand: false, endedAt: expect.any(String) })
    expect([await wallet(), await kept()]).toEqual([0, before])
    expect(await atProvider(reference)).toMatchObject([{ amountPesewas: received, status: 'processed' }])
    expect((await ask(ids[0])).body.refund.state).toBe('paid')
    const { rows } = await query(
      'select hold_reason as reason, loss_pesewas as loss, returned_pesewas as returned from payments where reference = $1',
      [reference],
    )
    expect(rows).toEqual([{ reason: null, loss: 0, returned: received }])
  })

  test('stands in the statement in plain words, with the order’s number', async () => {
    const { ids, received } = await buyAndReject()
    await ask(ids[0])
    const { rows } = await query('select seq::text as number from orders where id = $1', [ids[0]])
    const { body } = await call<StatementLine[]>(shop, 'GET', '/wallet/statement', { as: buyer })
    expect(body[0]).toMatchObject({
      kind: 'Sent back',
      reference: rows[0].number,
      amount: -received / 100,
      balance: 0,
      details: expect.stringMatching(/sent back to your card or phone$/),
    })
  })

  test('is in the wallet again when the provider could not pay it, and is not sent a second time', async () => {
    const { reference, ids, received } = await buyAndReject()
    await ask(ids[0])
    await sent(ids[0])
    await finish(reference, 'failed')
    await hear()
    expect(await look(ids[0])).toMatchObject({ state: 'returned' })
    expect(await wallet()).toBe(received)
    expect((await ask(ids[0])).body.refund.state).toBe('returned')
    await send()
    expect([await wallet(), (await atProvider(reference)).length]).toEqual([received, 1])
  })

  test('whose answer was lost is asked about and never sent again', async () => {
    const { reference, ids } = await buyAndReject()
    provider.addFault({ call: 'refund', kind: 'error', acts: true, times: 1 })
    await ask(ids[0])
    expect(await sent(ids[0])).toBe('unknown')
    expect((await look(ids[0])).state).toBe('checking')
    await send()
    await hear()
    await finish(reference)
    await hear()
    expect([await statusOf(ids[0]), (await atProvider(reference)).length]).toEqual(['paid', 1])
  })

  test('that never arrived waits for staff, who put it into the wallet again, once', async () => {
    const { ids, received } = await buyAndReject()
    provider.addFault({ call: 'refund', kind: 'error', times: 1 })
    await ask(ids[0])
    await sent(ids[0])
    await hear()
    await hear(11 * MINUTE_MS)
    expect(await statusOf(ids[0])).toBe('review')
    const listed = await call<StaffRefund[]>(shop, 'GET', '/refunds', { as: owner, query: { search: buyer.username } })
    expect(listed.body).toMatchObject([{ status: 'review', customer: buyer.username, shop: null, amount: received / 100 }])
    const id = listed.body[0]?._id
    const acts = await Promise.all([1, 2].map(() => call<Reply>(shop, 'PUT', `/refunds/${id}/code`, { as: owner, body: {} })))
    expect(acts.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect([await statusOf(ids[0]), await wallet()]).toEqual(['wallet', received])
  })
})

test('it stays in the wallet when it is spent, and a purchase at the same moment gets it or leaves it, never both', async () => {
  for (let run = 0; run < 4; run += 1) {
    buyer = await makeUser(shop)
    const { ids, received } = await buyAndReject()
    const line = await cartLine(shop)
    const [asked, bought] = await Promise.all([ask(ids[0]), checkout(shop, buyer, [line])])
    expect([asked.status, bought.status].toSorted()).toEqual([200, 402])
    expect(await wallet()).toBe(asked.status === 200 ? 0 : received - Math.round(line.amount * 100))
    if (asked.status === 200) continue
    expect(asked.body.code).toBe('INSUFFICIENT_BALANCE')
    expect(await look(ids[0])).toMatchObject({ state: 'kept', why: expect.stringContaining('spent') })
  }
})

describe('several orders of one payment', () => {
  test('go back each with its own part, at the same time, and never more than the payment', async () => {
    const { reference, ids, received } = await buyAndReject(3)
    expect((await Promise.all(ids.map((id) => ask(id)))).map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await wallet()).toBe(0)
    for (const id of ids) await sent(id)
    await finish(reference)
    await hear()
    await hear()
    expect(await Promise.all(ids.map(statusOf))).toEqual(['paid', 'paid', 'paid'])
    expect((await atProvider(reference)).reduce((sum, { amountPesewas }) => sum + amountPesewas, 0)).toBe(received)
  })

  test('cannot give back more than it brought in, not even past the program', async () => {
    const { reference, ids, each, received } = await buyAndReject(2)
    const add = (pesewas: number, user = buyer._id, order = ids[0]) =>
      query(
        `insert into refunds (payment_reference, order_id, user_id, phone, amount_pesewas, reason, created_at)
         values ($1, $2, $3, '0245550142', $4, 'x', now())`,
        [reference, order, user, pesewas],
      )
    await expect(add(each + 1)).rejects.toMatchObject({ code: 'DW013' })
    await expect(add(each, owner._id)).rejects.toMatchObject({ code: 'DW013' })
    await query('update payments set returned_pesewas = $2 where reference = $1', [reference, received - each + 1])
    await expect(add(each)).rejects.toMatchObject({ code: 'DW013' })
    expect(await look(ids[0])).toMatchObject({ state: 'kept', why: expect.stringContaining('returning this payment already') })
    await query('update payments set returned_pesewas = 0 where reference = $1', [reference])
    expect((await ask(ids[0])).status).toBe(200)
    await expect(add(each)).rejects.toMatchObject({ code: '23505' })
  })
})

describe('what is disputed', () => {
  const dispute = (reference: string, amountPesewas: number, outcome: 'open' | 'lost') =>
    recordDispute(makeCtx(shop).ctx, {
      id: `D${count}`,
      reference,
      amountPesewas,
      currency: 'GHS',
      category: 'chargeback',
      status: outcome === 'open' ? 'awaiting-merchant-feedback' : 'resolved',
      resolution: outcome === 'open' ? null : 'merchant-accepted',
      outcome,
      payerEmail: null,
      dueAt: null,
      decidedAt: null,
    })

  test('is not sent back too', async () => {
    count += 1
    const { reference, ids, received } = await buyAndReject()
    await dispute(reference, received, 'open')
    expect(await ask(ids[0])).toMatchObject({ status: 409, body: { message: expect.stringContaining('returning this payment already') } })
    // It is kept out of the wallet while the bank decides.
    expect(await wallet()).toBe(0)
  })

  test('while it waits to be sent is taken back by the bank alone', async () => {
    count += 1
    const { reference, ids, received } = await buyAndReject()
    // As if the loop had not come to it yet.
    provider.addFault({ call: 'refund', kind: 'error', times: 20 })
    await query(
      `insert into disputes (provider_id, reference, amount_pesewas, currency, category, status, outcome, heard_at)
      values ($1, $2, $3, 'GHS', 'chargeback', 'awaiting-merchant-feedback', 'open', now())`,
      [`D${count}`, reference, received],
    )
    expect((await ask(ids[0])).status).toBe(200)
    await send()
    expect(await statusOf(ids[0])).toBe('due')
    await dispute(reference, received, 'lost')
    expect([await statusOf(ids[0]), await wallet()]).toEqual(['wallet', 0])
    const { rows } = await query('select loss_pesewas as loss from payments where reference = $1', [reference])
    expect(rows).toEqual([{ loss: 0 }])
  })
})

test('what is not theirs to ask for: another’s order, one that stands, one paid from the wallet; and nothing while the owner has it off', async () => {
  const { ids, received } = await buyAndReject()
  const stranger = await makeUser(shop, { balance: 50 })
  for (const method of ['GET', 'POST'] as const)
    for (const as of [stranger, owner])
      expect((await call(shop, method, `/order/${ids[0]}/refund-to-source`, { as, body: method === 'POST' ? {} : undefined })).status).toBe(
        404,
      )
  const fromWallet = await checkout(shop, stranger, [await cartLine(shop)])
  const order = fromWallet.body.orders[0]?._id as string
  expect((await ask(order, stranger)).status).toBe(404)
  await call(shop, 'PUT', `/order/update-status/${order}`, { as: owner, body: { status: 'rejected' } })
  expect((await ask(order, stranger)).status).toBe(404)
  expect((await ask('not-an-order')).status).toBe(400)
  const off = await call(shop, 'PUT', '/admin/settings', { as: owner, body: { refundsToSource: false } })
  expect([off.status, await look(ids[0])]).toMatchObject([200, { state: 'kept', why: null }])
  expect((await ask(ids[0])).status).toBe(409)
  await query(`update users set status = 'Banned' where id = $1`, [buyer._id])
  expect((await ask(ids[0])).status).toBe(401)
  expect(await wallet()).toBe(received)
})
