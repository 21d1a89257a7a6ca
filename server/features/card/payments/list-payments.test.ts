import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BulkJob, BulkPreview } from '../../../../shared/bulk.ts'
import type { ConfirmPaymentReply, PaymentReply } from '../../../../shared/payments.ts'
import type { SignedInUser } from '../../../../shared/users.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { balanceOf, call, makeUser } from '../../../../test/builders.ts'
import { gatewayThat, makeCtx, paid } from '../../../../test/settling.ts'
import { checkLedger } from '../../../ledger/check-ledger.ts'
import { placeWalletOrders } from '../../orders/purchases/purchases.sql.ts'
import { settlePayment } from './settle-payment.ts'

let shop: TestShop
let buyer: SignedInUser
beforeAll(async () => {
  shop = await openTestShop({ withSandbox: true })
  buyer = await makeUser(shop, { level: 'Agent' })
})
afterAll(() => shop.close())

/** A list as an agent pays for it: each line to another number. */
async function listOf(count: number, as = buyer) {
  const text = Array.from({ length: count }, (_, n) => `0244${String(n).padStart(6, '0')} 1`).join('\n')
  const { body } = await call<BulkPreview>(shop, 'POST', '/bulk/preview', { as, body: { text } })
  const lines = body.lines.map(({ number, text: written, name, productId, offer, phoneNumber, amount }) => {
    return { number, text: written, name, productId, offer, phoneNumber, amount: amount as number }
  })
  return { total: body.ready.amount, lines, leftOut: [{ number: count + 1, text: 'hello', why: 'no number' }] }
}

function start(body: object, as = buyer) {
  return call<PaymentReply & { code?: string; issues?: { path: string }[] }>(shop, 'POST', '/payment/list', { as, body })
}

async function settle(reference: string, amountPesewas: number) {
  const { ctx, announced } = makeCtx(shop)
  const payment = await settlePayment(ctx, gatewayThat(paid(amountPesewas)), reference)
  return { payment, announced }
}

async function confirm(reference: string, as = buyer) {
  return (await call<ConfirmPaymentReply>(shop, 'POST', `/payment/${reference}/confirm`, { as })).body
}

const jobsOf = async (as: SignedInUser) => (await call<{ jobs: BulkJob[] }>(shop, 'GET', '/bulk', { as })).body.jobs
const publish = async (productId: string, offer: string, from: number, to: number) => {
  const admin = await makeUser(shop, { level: 'Admin' })
  const body = { changes: [{ productId, offer, priceAgent: { from, to } }] }
  expect((await call(shop, 'POST', '/admin/prices/publish', { as: admin, body })).status).toBe(200)
}

test('hundreds of lines are paid for by one card payment, placed once and announced as one', async () => {
  const list = await listOf(600)
  const { status, body: begun } = await start(list)
  const total = Math.round(list.total * 100)
  expect([status, begun.amount]).toEqual([200, Math.floor((total * 103 + 50) / 100)])
  expect(await jobsOf(buyer)).toEqual([])

  const [first, second] = await Promise.all([settle(begun.reference, begun.amount), settle(begun.reference, begun.amount)])
  expect([first.payment.status, second.payment.status]).toEqual(['paid', 'paid'])
  const told = [...first.announced, ...second.announced].map(({ event }) => event)
  expect(told.toSorted()).toEqual(['CurrUserUpdated', 'bulkUpdated', 'bulkUpdated', 'paymentUpdated', 'userUpdated'])
  const [job, ...others] = await jobsOf(buyer)
  expect(others).toEqual([])
  expect(job).toMatchObject({ lines: 600, leftOut: 1, pending: 600, total: list.total })
  expect(await confirm(begun.reference)).toMatchObject({ payment: { status: 'paid' }, list: job?._id, orders: [] })
  const { rows } = await shop.database.db.query(
    `select count(*) as orders, sum(surcharge_pesewas) as surcharge, min(paid_with) as "paidWith" from orders where payment_reference = $1`,
    [begun.reference],
  )
  expect(rows).toEqual([{ orders: 600, surcharge: begun.amount - total, paidWith: 'card' }])
  expect(await balanceOf(shop, buyer._id)).toBe(0)
  expect(await checkLedger(shop.database.db)).toEqual([])
})

test('what the wallet lacks is topped up, and the list is paid for from the wallet', async () => {
  const as = await makeUser(shop, { level: 'Agent', balance: 5 })
  const list = await listOf(120, as)
  const missing = Math.round((list.total - 5) * 100) / 100
  expect((await start({ ...list, topUp: missing - 1 }, as)).body.code).toBe('CONFLICT')
  const { body: begun } = await start({ ...list, topUp: missing }, as)
  await settle(begun.reference, begun.amount)
  expect(await balanceOf(shop, as._id)).toBe(0)
  const [job] = await jobsOf(as)
  expect(job).toMatchObject({ lines: 120, total: list.total })
  expect(await confirm(begun.reference, as)).toMatchObject({
    payment: { status: 'paid', message: 'We’re loading your list of 120 lines.' },
    list: job?._id,
  })
  const { rows } = await shop.database.db.query(
    `select count(*) as orders from orders where top_up_reference = $1 and paid_with = 'wallet'`,
    [begun.reference],
  )
  expect(rows).toEqual([{ orders: 120 }])
  expect(await checkLedger(shop.database.db)).toEqual([])
})

test.each([
  ['order', undefined],
  ['top-up', 'all of it'],
])('a price that changed meanwhile leaves the money in the wallet and says why (%s)', async (_purpose, topUp) => {
  const as = await makeUser(shop, { level: 'Agent' })
  const list = await listOf(3, as)
  const { body: begun } = await start({ ...list, ...(topUp && { topUp: list.total }) }, as)
  const { productId, offer, amount } = list.lines[0] as (typeof list.lines)[number]
  await publish(productId as string, offer as string, amount, amount + 1)
  const { payment } = await settle(begun.reference, begun.amount)
  expect(payment).toMatchObject({ status: 'held', reason: 'a price on the list has changed since' })
  const inWallet = topUp ? Math.round(list.total * 100) : begun.amount
  expect(await balanceOf(shop, as._id)).toBe(inWallet)
  expect((await confirm(begun.reference, as)).payment.message).toContain('because a price on the list has changed since.')
  expect(await jobsOf(as)).toEqual([])
  await publish(productId as string, offer as string, amount + 1, amount)
  expect(await checkLedger(shop.database.db)).toEqual([])
})

test('a payment that came late buys nothing twice', async () => {
  const as = await makeUser(shop, { level: 'Agent', balance: 100 })
  const list = await listOf(2, as)
  const { body: begun } = await start(list, as)
  await shop.database.db.query(`update payments set status = 'expired' where reference = $1`, [begun.reference])
  const headers = { 'idempotency-key': crypto.randomUUID() }
  expect((await call(shop, 'POST', '/bulk', { as, headers, body: list })).status).toBe(200)
  expect((await settle(begun.reference, begun.amount)).payment).toMatchObject({ status: 'held', inWallet: true })
  expect(await jobsOf(as)).toHaveLength(1)
})

test('is refused before the card is charged: another price or total, a package that is gone, a customer, a pause', async () => {
  const agent = await makeUser(shop, { level: 'Agent' })
  const list = await listOf(2, agent)
  const [line, other] = list.lines as [(typeof list.lines)[number], (typeof list.lines)[number]]
  const refused = async (change: object, as = agent) => {
    const { body } = await start({ ...list, ...change }, as)
    return [body.code, body.issues?.map(({ path }) => path)]
  }
  expect(await refused({ lines: [line, { ...other, amount: 0.01 }] })).toEqual(['PRICE_CHANGED', ['lines.1.amount']])
  expect(await refused({ lines: [{ ...line, offer: '999GB' }, other] })).toEqual(['NOT_AVAILABLE', ['lines.0.offer']])
  expect(await refused({ total: list.total + 1 })).toEqual(['PRICE_CHANGED', ['total']])
  expect(await refused({ lines: [line, line] })).toEqual(['INVALID', ['lines']])
  expect(await refused({}, await makeUser(shop))).toEqual(['FORBIDDEN', undefined])
  const { db } = shop.database
  await db.query(`insert into purchase_pauses (found, paused_at) values ('[]', now())`)
  expect(await refused({})).toEqual(['PURCHASES_PAUSED', undefined])
  await db.query('delete from purchase_pauses')
})

test('a version that knows no lists of payments buys nothing for one and leaves its money alone', async () => {
  const as = await makeUser(shop, { level: 'Agent', balance: 10 })
  const purchase = { userId: as._id, key: 'payment:R', requestHash: Buffer.alloc(32), lines: [], now: shop.clock.now }
  const outcome = await placeWalletOrders(shop.database.db, { ...purchase, payment: { reference: 'R', surchargePesewas: 30 } })
  expect(outcome).toMatchObject({ outcome: 'refused', code: 'NOT_AVAILABLE' })
  expect(await balanceOf(shop, as._id)).toBe(1_000)
})
