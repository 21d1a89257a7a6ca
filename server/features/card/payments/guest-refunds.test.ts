import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { OwnShopReply } from '../../../../shared/agent-shops.ts'
import type { PaymentReply } from '../../../../shared/payments.ts'
import type { StaffRefund } from '../../../../shared/refunds.ts'
import type { TrackedOrder } from '../../../../shared/tracker.ts'
import type { SignedInUser } from '../../../../shared/users.ts'
import { IN_GUEST_BROWSER, makeRefund, makeRefundCode, payInGuestBrowser, shopNameOf } from '../../../../test/agent-shop.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { call, makeUser } from '../../../../test/builders.ts'
import { isWaitedFor } from '../../../../test/locks.ts'
import { makeCtx } from '../../../../test/settling.ts'
import { TAKEN, tryChange } from '../../../../test/try-change.ts'
import { until } from '../../../../test/until.ts'
import type { CardGateway } from '../../../integrations/payments/card-gateway.ts'
import { createPaystack } from '../../../integrations/payments/paystack.ts'
import { createPaystackRefunds } from '../../../integrations/payments/paystack-refunds.ts'
import { payoutsSwitchedOff } from '../../../integrations/payments/switched-off.ts'
import type { SmsGateway } from '../../../integrations/sms/sms-gateway.ts'
import { checkLedger } from '../../../ledger/check-ledger.ts'
import type { Ctx } from '../../../platform/context.ts'
import { notifyGuests } from '../refunds/notify-guests.ts'
import { checkRefunds } from './check-refunds.ts'
import { handleWebhookEvents } from './jobs.ts'
import { recordDispute } from './record-dispute.ts'
import { recordRefund } from './record-refund.ts'
import { sendRefunds } from './send-refunds.ts'
import { settlePayment } from './settle-payment.ts'
import { deleteUnpaidOfGuests } from './unpaid.sql.ts'

const GUEST = '0245550142'
const MINUTE_MS = 60_000

let shop: TestShop
let owner: SignedInUser
let provider: NonNullable<TestShop['sandbox']>['cardProvider']
let gateway: CardGateway
let slug: string
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
  await query('update agent_shop_rules set new_shops = true')
})
beforeEach(async () => {
  provider.clearFaults()
  // The loop, which an event wakes, would answer before the test asks.
  provider.addFault({ call: 'webhook', kind: 'lose', times: 1_000 })
  // An admin who has done nothing for so long is signed out.
  owner = await makeUser(shop, { level: 'Admin' })
  const agent = await makeUser(shop, { level: 'Agent' })
  slug = `shop-${++count}`
  const look = { slug, name: shopNameOf(slug), about: null, colour: 'plum', phone: null, whatsapp: null }
  expect((await call<OwnShopReply>(shop, 'POST', '/my-shop', { as: agent, body: look })).status).toBe(200)
})
afterAll(async () => {
  expect(await checkLedger(shop.database.db)).toEqual([])
  await shop.close()
})

function query(text: string, values: unknown[] = []) {
  return shop.database.db.query(text, values)
}

/** A guest's payment for as many orders, paid at the provider and settled; then all of them are rejected, so that all is owed. */
async function owe(orders = 1): Promise<{ reference: string; pesewas: number }> {
  const { body } = await call<{ shop: { offers: { productId: string; offer: string; price: number; network: string }[] } }>(
    shop,
    'GET',
    `/shops/${slug}`,
  )
  const [offer] = body.shop.offers.filter(({ network }) => network === 'MTN')
  if (!offer) throw new Error('nothing on sale')
  const items = Array.from({ length: orders }, (_, at) => ({
    productId: offer.productId,
    offer: offer.offer,
    phoneNumber: `055123456${at}`,
    amount: offer.price,
  }))
  const started = await call<PaymentReply>(shop, 'POST', `/shops/${slug}/payment`, { body: { phone: GUEST, items } })
  const { reference } = started.body
  await provider.pay(reference)
  await settlePayment(makeCtx(shop).ctx, gateway, reference)
  const { rows } = await query('select id from orders where payment_reference = $1', [reference])
  for (const { id } of rows as { id: string }[]) {
    const decided = await call(shop, 'PUT', `/order/update-status/${id}`, { as: owner, body: { status: 'rejected' } })
    expect(decided.status).toBe(200)
  }
  return { reference, pesewas: Math.round(started.body.amount) }
}

async function send() {
  shop.clock.advance(1_000)
  await sendRefunds(makeCtx(shop).ctx, gateway)
}

async function ask(afterMs = MINUTE_MS) {
  shop.clock.advance(afterMs)
  await checkRefunds(makeCtx(shop).ctx, gateway)
}

async function statusesOf(reference: string): Promise<string[]> {
  const { rows } = await query('select status from refunds where payment_reference = $1 order by seq', [reference])
  return (rows as { status: string }[]).map(({ status }) => status)
}

/** What the provider lists: how often money went back there. */
async function atProvider(reference: string) {
  return (await gateway.refunds.list(reference)) ?? []
}

/** In pesewas: what is kept for refunds and for codes, and what all disputes and refunds have cost the shop. */
async function kept() {
  const { rows } = await query(
    `select (select coalesce(sum(p.amount_pesewas), 0) from postings p where account_id = 15)::integer as refunds,
       (select coalesce(sum(p.amount_pesewas), 0) from postings p where account_id = 16)::integer as codes,
       (select coalesce(sum(p.amount_pesewas), 0) from postings p where account_id = 17)::integer as losses`,
  )
  return rows[0] as { refunds: number; codes: number; losses: number }
}

async function finish(reference: string, step: 'processed' | 'failed' | 'needs-attention' = 'processed') {
  for (const { id, amountPesewas } of await atProvider(reference)) await provider.refund(reference, { step, id: Number(id), amountPesewas })
}

describe('what is owed to a guest', () => {
  test('goes back the way it came, and is booked once the provider has paid it, however often it is asked', async () => {
    const before = await kept()
    const { reference, pesewas } = await owe()
    expect(await kept()).toEqual({ ...before, refunds: before.refunds + pesewas })
    await send()
    expect(await statusesOf(reference)).toEqual(['accepted'])
    await ask()
    expect(await kept()).toEqual({ ...before, refunds: before.refunds + pesewas })
    await finish(reference)
    await Promise.all([ask(), ask(), ask()])
    await ask(60 * MINUTE_MS)
    await expect.poll(() => statusesOf(reference)).toEqual(['paid'])
    expect(await kept()).toEqual(before)
    expect(await atProvider(reference)).toHaveLength(1)
  })

  test('is sent once by several processes at the same time', async () => {
    const { reference, pesewas } = await owe()
    shop.clock.advance(1_000)
    await Promise.all(Array.from({ length: 5 }, () => sendRefunds(makeCtx(shop).ctx, gateway)))
    expect(await atProvider(reference)).toMatchObject([{ amountPesewas: pesewas }])
  })

  test('of two orders goes back twice, each with its own part, and holds up no other order', async () => {
    const before = await kept()
    const { reference } = await owe(2)
    await send()
    await finish(reference)
    await ask()
    await expect.poll(() => statusesOf(reference)).toEqual(['paid', 'paid'])
    expect(await atProvider(reference)).toHaveLength(2)
    expect(await kept()).toEqual(before)
    const { rows } = await query('select hold_reason as reason from payments where reference = $1', [reference])
    expect(rows).toEqual([{ reason: null }])
  })

  test('whose answer was lost is asked about and never sent again', async () => {
    provider.addFault({ call: 'refund', kind: 'error', acts: true })
    const { reference } = await owe()
    await send()
    expect(await statusesOf(reference)).toEqual(['unknown'])
    await send()
    await ask()
    expect(await statusesOf(reference)).toEqual(['accepted'])
    await finish(reference)
    await ask()
    await expect.poll(() => statusesOf(reference)).toEqual(['paid'])
    expect(await atProvider(reference)).toHaveLength(1)
  })

  test('that never arrived waits for a person once the provider has said so twice, ten minutes apart', async () => {
    provider.addFault({ call: 'refund', kind: 'error' })
    const { reference } = await owe()
    await send()
    await ask()
    await ask()
    expect(await statusesOf(reference)).toEqual(['unknown'])
    await ask(11 * MINUTE_MS)
    expect(await statusesOf(reference)).toEqual(['review'])
    await send()
    await ask(120 * MINUTE_MS)
    expect(await statusesOf(reference)).toEqual(['review'])
    expect(await atProvider(reference)).toEqual([])
  })

  test('is not decided while the provider gives no answer', async () => {
    provider.addFault({ call: 'refund', kind: 'error' })
    const { reference } = await owe()
    await send()
    provider.addFault({ call: 'list-refunds', kind: 'error', times: 2 })
    await ask()
    await ask(30 * MINUTE_MS)
    expect(await statusesOf(reference)).toEqual(['unknown'])
  })

  test('that a process noted and did not send, or sent and did not note, is found by asking', async () => {
    const { reference } = await owe()
    await query(`update refunds set status = 'sending', sent_at = $2, ask_at = $2 where payment_reference = $1`, [
      reference,
      shop.clock.now,
    ])
    await ask()
    await ask(11 * MINUTE_MS)
    expect(await statusesOf(reference)).toEqual(['review'])
    const other = await owe()
    const { rows } = await query(
      `update refunds set status = 'sending', sent_at = $2, ask_at = $2 where payment_reference = $1 returning id, amount_pesewas as pesewas`,
      [other.reference, shop.clock.now],
    )
    const { id, pesewas } = rows[0] as { id: string; pesewas: number }
    await gateway.refunds.request({ reference: other.reference, amountPesewas: pesewas, note: `Refund ${id}` })
    await finish(other.reference)
    await ask()
    await expect.poll(() => statusesOf(other.reference)).toEqual(['paid'])
  })
})

describe('what the provider does not send back', () => {
  test('because it refuses waits for a code of the guest', async () => {
    const before = await kept()
    const { reference, pesewas } = await owe()
    provider.addFault({ call: 'refund', kind: 'reply', status: 400, body: { status: false, message: 'This channel has no refunds' } })
    await send()
    expect(await statusesOf(reference)).toEqual(['code'])
    expect(await kept()).toEqual({ ...before, codes: before.codes + pesewas })
  })

  test('because it fails there waits for a code, once', async () => {
    const before = await kept()
    const { reference, pesewas } = await owe()
    await send()
    await finish(reference, 'failed')
    await Promise.all([ask(), ask()])
    expect(await statusesOf(reference)).toEqual(['code'])
    expect(await kept()).toEqual({ ...before, codes: before.codes + pesewas })
  })

  test('because the shop’s balance there is empty becomes no code', async () => {
    const { reference } = await owe()
    provider.addFault({ call: 'refund', kind: 'reply', status: 400, body: { status: false, message: 'Your balance is not enough' } })
    await send()
    expect(await statusesOf(reference)).toEqual(['unknown'])
  })

  test('because the owner has refunded it there by hand is paid with that', async () => {
    const before = await kept()
    const { reference, pesewas } = await owe()
    await gateway.refunds.request({ reference, amountPesewas: pesewas, note: 'by hand' })
    await send()
    expect(await statusesOf(reference)).toEqual(['unknown'])
    await ask()
    await ask(11 * MINUTE_MS)
    await finish(reference)
    const event = { id: null, reference, amountPesewas: pesewas, currency: 'GHS', status: 'processed' } as const
    await recordRefund(makeCtx(shop).ctx, gateway, event)
    await expect.poll(() => statusesOf(reference)).toEqual(['paid'])
    expect(await kept()).toEqual(before)
  })
})

test('a refund that somebody turns into a code while the provider pays it goes back once: the code ends with it', async () => {
  const before = await kept()
  const { reference, pesewas } = await owe()
  await gateway.refunds.request({ reference, amountPesewas: pesewas, note: 'by hand' })
  await finish(reference)
  const tx = await shop.database.db.connect()
  try {
    await tx.query('begin')
    const { rows } = await tx.query<{ id: string }>(
      `update refunds set status = 'code', told = 'code', ask_at = null where payment_reference = $1 returning id`,
      [reference],
    )
    await tx.query(`select post_entry('refund-code:' || $1::text, 'refund-code', '', null, array[15, 16], array[-$2::bigint, $2], $3)`, [
      rows[0]?.id,
      pesewas,
      shop.clock.now,
    ])
    const event = { id: null, reference, amountPesewas: pesewas, currency: 'GHS', status: 'processed' } as const
    const heard = recordRefund(makeCtx(shop).ctx, gateway, event)
    await until(() => isWaitedFor(tx))
    await tx.query('commit')
    await heard
  } finally {
    await tx.query('rollback')
    tx.release()
  }
  expect(await statusesOf(reference)).toEqual(['returned'])
  expect(await kept()).toEqual(before)
})

describe('a code', () => {
  const claim = (as: { token: string } | undefined, code: string) =>
    call<{ amount: number; balance: number; code: string }>(shop, 'POST', '/refund-codes', { ...(as && { as }), body: { code } })

  test('puts the refund into one wallet, once, however many try at the same time', async () => {
    const before = await kept()
    const { code } = await makeRefundCode(shop)
    const people = await Promise.all(Array.from({ length: 4 }, () => makeUser(shop)))
    const replies = await Promise.all([...people, ...people].map((person) => claim(person, code.toLowerCase().replaceAll('-', ' '))))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(409)])
    expect(replies.find(({ status }) => status === 200)?.body).toMatchObject({ amount: 5, balance: 5 })
    expect(await kept()).toEqual(before)
  })

  test('is shown in the browser that paid, anew each time, and each works until one is used', async () => {
    const { reference, code } = await makeRefundCode(shop)
    const ask = <T>(headers: Record<string, string>) => call<T>(shop, 'POST', `/shops/payment/${reference}/refund-codes`, { headers })
    const shown = await ask<{ codes: { amount: number; code: string }[] }>(IN_GUEST_BROWSER)
    // Staff see the reference as well.
    for (const headers of [{}, { cookie: `guest=${'x'.repeat(32)}` }] as Record<string, string>[])
      expect(await ask(headers)).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
    expect(shown.body.codes).toEqual([{ amount: 5, code: expect.stringMatching(/^[2-9A-HJ-NP-Z]{4}(-[2-9A-HJ-NP-Z]{4}){2}$/) }])
    const person = await makeUser(shop)
    expect((await claim(person, code)).status).toBe(200)
    expect(await claim(person, shown.body.codes[0]?.code ?? '')).toMatchObject({
      status: 409,
      body: { message: 'That code has been used.' },
    })
    const after = await ask<{ codes: unknown[] }>(IN_GUEST_BROWSER)
    expect(after.body.codes).toEqual([])
    const { rows } = await query('select hash::text from refund_codes')
    expect(JSON.stringify(rows)).not.toContain(code)
  })

  test('is worth nothing while the payer disputes the payment or once the bank gave it back, and something again once that was won', async () => {
    const { reference, pesewas } = await owe()
    await send()
    await finish(reference, 'failed')
    await ask()
    await payInGuestBrowser(shop)
    const show = () =>
      call<{ codes: { code: string }[] }>(shop, 'POST', `/shops/payment/${reference}/refund-codes`, { headers: IN_GUEST_BROWSER })
    const code = (await show()).body.codes[0]?.code ?? ''
    const hear = (outcome: 'open' | 'lost') =>
      recordDispute(makeCtx(shop).ctx, {
        id: `C${reference}`,
        reference,
        amountPesewas: pesewas,
        currency: 'GHS',
        category: 'chargeback',
        status: outcome === 'open' ? 'awaiting-merchant-feedback' : 'resolved',
        resolution: outcome === 'open' ? null : 'merchant-accepted',
        outcome,
        payerEmail: null,
        dueAt: null,
        decidedAt: null,
      })
    const person = await makeUser(shop)
    const { rows } = await query('select id from refunds where payment_reference = $1', [reference])
    for (const outcome of ['open', 'lost'] as const) {
      await hear(outcome)
      expect(await claim(person, code)).toMatchObject({
        status: 409,
        body: { message: expect.stringContaining('is returning this payment') },
      })
      expect((await show()).body.codes).toEqual([])
      expect(await call(shop, 'PUT', `/refunds/${rows[0].id}/send-code`, { as: owner, body: {} })).toMatchObject({ status: 409 })
    }
    const other = await makeRefundCode(shop)
    await query(
      `insert into disputes (provider_id, reference, amount_pesewas, currency, category, status, outcome, heard_at)
       values ($1, $1, 500, 'GHS', 'chargeback', 'awaiting-merchant-feedback', 'open', $2)`,
      [other.reference, shop.clock.now],
    )
    expect((await claim(person, other.code)).status).toBe(409)
    await query(`update disputes set outcome = 'won', resolved_at = $2 where reference = $1`, [other.reference, shop.clock.now])
    expect(await claim(person, other.code)).toMatchObject({ status: 200, body: { amount: 5, balance: 5 } })
  })

  test('is refused to a visitor, when it was made up, and for a payment that no guest made', async () => {
    expect((await claim(undefined, 'AAAA-AAAA-AAAA')).status).toBe(401)
    const person = await makeUser(shop)
    expect((await claim(person, 'AAAA-AAAA-AAAA')).status).toBe(404)
    expect((await claim(person, 'short')).status).toBe(400)
    expect((await call(shop, 'POST', `/shops/payment/${'x'.repeat(20)}/refund-codes`)).status).toBe(404)
  })
})

describe('staff', () => {
  type Reply = { refund: StaffRefund; message: string }
  const act = (what: string, id: string, body: object = {}, as: SignedInUser = owner) =>
    call<Reply>(shop, 'PUT', `/refunds/${id}/${what}`, { as, body })
  const idOf = async (reference: string) =>
    (await query('select id from refunds where payment_reference = $1', [reference])).rows[0]?.id as string
  const list = async (which: string, as = owner) =>
    (await call<StaffRefund[]>(shop, 'GET', '/refunds', { as, query: { list: which, page: '1', pageSize: '50' } })).body

  /** A refund that the provider has said twice it does not have. */
  async function oweUnclear() {
    provider.addFault({ call: 'refund', kind: 'error' })
    const owed = await owe()
    await send()
    await ask()
    await ask(11 * MINUTE_MS)
    expect(await statusesOf(owed.reference)).toEqual(['review'])
    return { ...owed, id: await idOf(owed.reference) }
  }

  test('see what waits for them apart from what is on its way, has a code, or ended, and find it by the guest', async () => {
    const { id } = await oweUnclear()
    const { id: coded } = await makeRefund(shop, 'code')
    expect((await list('waiting')).find(({ _id }) => _id === id)).toMatchObject({
      status: 'review',
      phone: GUEST,
      wasSent: true,
      provider: 'the provider does not have it. Before: An error occurred',
      order: { network: 'MTN' },
    })
    expect((await list('codes')).map(({ _id }) => _id)).toContain(coded)
    for (const which of ['on-the-way', 'ended', 'codes']) expect((await list(which)).map(({ _id }) => _id)).not.toContain(id)
    const found = await call<StaffRefund[]>(shop, 'GET', '/refunds', { as: owner, query: { list: 'all', search: '0200000000' } })
    expect(found.body).toEqual([])
    for (const roles of [['support'], ['finance']] as const) {
      expect((await call(shop, 'GET', '/refunds', { as: await makeUser(shop, { roles: [...roles] }) })).status).toBe(200)
    }
    for (const as of [await makeUser(shop), await makeUser(shop, { roles: ['orders'] })]) {
      expect((await call(shop, 'GET', '/refunds', { as })).status).toBe(403)
    }
    for (const what of ['check', 'send-again', 'code']) {
      expect((await act(what, id, {}, await makeUser(shop, { roles: ['support'] }))).status).toBe(403)
    }
  })

  test('send one again that never arrived, once however many press', async () => {
    const { reference, id, pesewas } = await oweUnclear()
    const replies = await Promise.all(Array.from({ length: 4 }, () => act('send-again', id)))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409])
    expect(await statusesOf(reference)).toEqual(['accepted'])
    expect(await atProvider(reference)).toMatchObject([{ amountPesewas: pesewas }])
    await finish(reference)
    await ask()
    await expect.poll(() => statusesOf(reference)).toEqual(['paid'])
  })

  test('neither send again, nor code, nor pay by hand what the provider has after all, or says nothing about', async () => {
    const { reference, id, pesewas } = await oweUnclear()
    provider.addFault({ call: 'list-refunds', kind: 'error', times: 3 })
    for (const what of ['send-again', 'code']) expect((await act(what, id)).status).toBe(409)
    expect((await act('pay-by-hand', id, { transactionId: 'H100' })).status).toBe(409)
    await gateway.refunds.request({ reference, amountPesewas: pesewas, note: `Refund ${id}` })
    for (const what of ['send-again', 'code']) expect((await act(what, id)).status).toBe(409)
    expect((await act('pay-by-hand', id, { transactionId: 'H100' })).status).toBe(409)
    expect(await statusesOf(reference)).toEqual(['accepted'])
    expect(await atProvider(reference)).toHaveLength(1)
  })

  test('turn one into a code or pay it by hand, whichever of them is first', async () => {
    const before = await kept()
    for (let run = 0; run < 3; run += 1) {
      const { reference, id, pesewas } = await oweUnclear()
      const [coded, byHand] = await Promise.all([act('code', id), act('pay-by-hand', id, { transactionId: `R${run}-${id.slice(0, 8)}` })])
      // Once it is a code it may still be paid by hand, but not the other way round.
      expect([coded?.status, byHand?.status]).toSatisfy(([a, b]: number[]) => b === 200 && (a === 200 || a === 409))
      await expect.poll(() => statusesOf(reference)).toEqual(['paid'])
      const { rows } = await query(
        `select sum(amount_pesewas)::integer as paid from postings p join journal_entries e on e.id = p.entry_id
         where p.account_id = 4 and e.key = $1`,
        [`refund-paid:${id}`],
      )
      expect(rows).toEqual([{ paid: pesewas }])
    }
    expect(await kept()).toEqual(before)
  })

  test('pay one with a code by hand, after which the code has ended; a transaction pays for one refund', async () => {
    const { id, code } = await makeRefundCode(shop)
    const person = await makeUser(shop)
    const transactionId = `T${id.slice(0, 12)}`
    const [paid, claimed] = await Promise.all([
      act('pay-by-hand', id, { transactionId }),
      call(shop, 'POST', '/refund-codes', { as: person, body: { code } }),
    ])
    expect([paid.status, claimed.status].toSorted()).toEqual([200, 409])
    const other = await makeRefundCode(shop)
    const again = await act('pay-by-hand', other.id, { transactionId })
    if (paid.status === 200) expect(again).toMatchObject({ status: 409, body: { message: expect.stringContaining('another refund') } })
    else expect(again.status).toBe(200)
    expect((await act('pay-by-hand', id, { transactionId: 'T2-another' })).status).toBe(409)
    expect((await act('code', id)).status).toBe(409)
    expect((await act('pay-by-hand', crypto.randomUUID(), { transactionId: 'T300' })).status).toBe(404)
  })

  test('do not pay by hand what the bank may give back, and do once the dispute was won', async () => {
    const { id } = await makeRefundCode(shop)
    const { rows } = await query('select payment_reference as reference from refunds where id = $1', [id])
    const { reference } = rows[0] as { reference: string }
    await query(
      `insert into disputes (provider_id, reference, amount_pesewas, currency, category, status, outcome, heard_at)
       values ($1, $2, 1, 'GHS', 'chargeback', 'awaiting-merchant-feedback', 'open', now())`,
      [`D-hand-${id}`, reference],
    )
    const pay = () => act('pay-by-hand', id, { transactionId: `B${id.slice(0, 12)}` })
    expect(await pay()).toMatchObject({ status: 409, body: { message: expect.stringContaining('is returning this payment') } })
    expect(await statusesOf(reference)).toEqual(['code'])
    await query(`update disputes set outcome = 'won', resolved_at = $2 where reference = $1`, [reference, shop.clock.now])
    expect((await pay()).status).toBe(200)
  })
})

describe('a guest is told by message', () => {
  const texts = async (reference: string) => {
    const { rows } = await query(
      `select body from sms_messages m join refunds r on r.id = m.refund_id where r.payment_reference = $1 order by m.created_at, m.body`,
      [reference],
    )
    return (rows as { body: string }[]).map(({ body }) => body)
  }
  const sms = { sender: { send: async () => ({ outcome: 'rejected', reason: '' }) }, shopName: 'Dwadi', shopPhone: '', timings: {} }
  const jobs = { enqueue: async () => undefined, wake: () => undefined }
  const tell = () => notifyGuests({ ...makeCtx(shop).ctx, jobs } as unknown as Ctx, sms as unknown as SmsGateway)
  const sentTo = (phone: string) => (shop.sandbox?.sms.messages() ?? []).filter(({ to }) => to === phone).map(({ body }) => body)
  beforeEach(async () => {
    await query('update operations_settings set buyer_sms = true')
  })

  test('that the money is on its way once the provider has it, and that it is back once it is paid, each once', async () => {
    const { reference, pesewas } = await owe()
    await tell()
    expect(await texts(reference)).toEqual([])
    await send()
    await Promise.all([tell(), tell(), tell()])
    const sum = (pesewas / 100).toFixed(2)
    expect(await texts(reference)).toEqual([
      expect.stringMatching(new RegExp(`^${shopNameOf(slug)}: GHS ${sum} for order \\d+ is on its way back`)),
    ])
    await finish(reference)
    await ask()
    await Promise.all([tell(), tell()])
    expect((await texts(reference)).toSorted()).toEqual([
      expect.stringContaining('is back on the card or phone'),
      expect.stringContaining('is on its way back'),
    ])
  })

  test('the code, to the number that paid: it stands in the message alone, is sent again by the order’s link, and works', async () => {
    const { reference } = await owe()
    await send()
    await finish(reference, 'failed')
    await ask()
    const codes = async () => sentTo(GUEST).flatMap((text) => /Your code: ([2-9A-Z]{4}-[2-9A-Z]{4}-[2-9A-Z]{4})\./.exec(text)?.[1] ?? [])
    // The shop's own loop, woken by an admin, tells and sends.
    const { rows: owed } = await query('select id from refunds where payment_reference = $1', [reference])
    expect((await call(shop, 'PUT', `/refunds/${owed[0].id}/check`, { as: owner, body: {} })).status).toBe(200)
    const before = await until(async () => ((await codes()).length > 0 ? codes() : null))
    expect(await texts(reference)).toEqual([expect.stringContaining('Your code: xxxx-xxxx-xxxx.')])
    const { rows } = await query('select reference from orders where payment_reference = $1', [reference])
    const link = `/shops/order/${rows[0].reference}/refund-code`
    expect(await call(shop, 'POST', link)).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('You can have it sent again from') },
    })
    shop.clock.advance(10 * MINUTE_MS)
    expect(await call(shop, 'POST', link)).toMatchObject({ status: 200, body: { message: 'We sent the code to ••• ••• •142.' } })
    const after = await until(async () => ((await codes()).length > before.length ? codes() : null))
    const tracked = await call<{ order: TrackedOrder }>(shop, 'GET', `/track/${rows[0].reference}`)
    expect(tracked.body.order.guest?.refund).toEqual({ state: 'code', byHand: false, to: '••• ••• •142' })
    expect(JSON.stringify(tracked.body)).not.toContain(GUEST)
    const person = await makeUser(shop)
    expect((await call(shop, 'POST', '/refund-codes', { as: person, body: { code: after[0] } })).status).toBe(200)
    shop.clock.advance(10 * MINUTE_MS)
    expect((await call(shop, 'POST', link)).status).toBe(409)
    expect((await call(shop, 'POST', `/shops/order/${'x'.repeat(20)}/refund-code`)).status).toBe(404)
  })
})

test('while the payer disputes the payment nothing is sent back', async () => {
  const { reference, pesewas } = await owe()
  await query(
    `insert into disputes (provider_id, reference, amount_pesewas, currency, category, status, outcome, heard_at)
     values ($1, $2, $3, 'GHS', 'chargeback', 'awaiting-merchant-feedback', 'open', $4)`,
    [`D${count}`, reference, pesewas, shop.clock.now],
  )
  await send()
  expect(await statusesOf(reference)).toEqual(['due'])
  await query(`update disputes set outcome = 'won', resolved_at = $2 where reference = $1`, [reference, shop.clock.now])
  shop.clock.advance(2 * MINUTE_MS)
  await send()
  expect(await statusesOf(reference)).toEqual(['accepted'])
})

test('a refund goes no other way than these, not even in the database', async () => {
  const ways: Record<string, string[]> = {
    due: ['sending', 'code', 'paid'],
    sending: ['accepted', 'unknown', 'code', 'paid'],
    accepted: ['unknown', 'code', 'paid'],
    unknown: ['accepted', 'code', 'paid', 'review'],
    review: ['sending', 'accepted', 'code', 'paid'],
    // A guest who wants no wallet is paid from the shop's phone, below.
    code: ['claimed'],
    paid: [],
    claimed: [],
  }
  const statuses = Object.keys(ways)
  const { reference } = await owe()
  const { rows } = await query('select id from refunds where payment_reference = $1', [reference])
  const like = (rows[0] as { id: string }).id
  const ended = (status: string) => ({
    ended_at: status === 'paid' || status === 'claimed' ? '2026-11-21T12:00:00Z' : null,
    claimed_by: status === 'claimed' ? owner._id : null,
  })
  const change = (status: string, set: string, before: object = {}) =>
    tryChange(shop.database.db, 'refunds', {
      like,
      before: { order_id: null, not_found: 2, status, ...ended(status), ...before },
      change: set,
    })
  const moved = (to: string) =>
    `status = '${to}', ended_at = ${ended(to).ended_at ? 'now()' : 'null'}, claimed_by = ${ended(to).claimed_by ? `'${owner._id}'` : 'null'}`

  for (const from of statuses) {
    const taken: string[] = []
    for (const to of statuses) {
      const code = await change(from, moved(to))
      expect([from, to, code]).toEqual([from, to, code === TAKEN ? TAKEN : 'DW013'])
      if (code === TAKEN && to !== from) taken.push(to)
    }
    expect([from, taken.toSorted()]).toEqual([from, ways[from]?.toSorted()])
  }
  const byHand = `${moved('paid')}, hand_transaction_id = 'H1'`
  for (const from of statuses) {
    const isOpen = from === 'due' || from === 'review' || from === 'code'
    expect([from, await change(from, byHand)]).toEqual([from, isOpen || from === 'paid' ? TAKEN : 'DW013'])
  }
  // A person looks once the provider has said twice that it does not have it.
  expect(await change('unknown', moved('review'), { not_found: 1 })).toBe('DW013')
  expect(await change('unknown', moved('accepted'), { not_found: 1 })).toBe(TAKEN)
  expect(await change('sending', 'sent_at = null', { sent_at: '2026-11-21T12:00:00Z' })).toBe('DW013')
  expect(await change('sending', 'asks = asks + 1', { sent_at: '2026-11-21T12:00:00Z' })).toBe(TAKEN)
  expect(await change('due', 'sent_at = now()', { sent_at: null })).toBe(TAKEN)
  for (const what of [
    'id = gen_random_uuid()',
    "payment_reference = 'another'",
    'order_id = gen_random_uuid()',
    "phone = '0200000000'",
    'amount_pesewas = amount_pesewas + 1',
    "reason = reason || '!'",
    "created_at = created_at + interval '1 second'",
  ]) {
    expect([what, await change('due', what)]).toEqual([what, 'DW013'])
  }
  await expect(query('delete from refunds where payment_reference = $1', [reference])).rejects.toThrow()
})

describe('an order of an agent’s shop, as its guest follows it', () => {
  test.each([
    ['promises messages where the shop sends them', true],
    ['promises none where it sends none', false],
  ])('%s', async (_, sends) => {
    await query('update operations_settings set buyer_sms = $1', [sends])
    const { reference } = await owe()
    const { rows } = await query('select reference from orders where payment_reference = $1', [reference])
    const { order } = (await call<{ order: TrackedOrder }>(shop, 'GET', `/track/${rows[0].reference}`)).body
    expect([order.guest?.tells, order.guest?.texts]).toEqual([sends, true])
  })

  test('belongs to that shop', async () => {
    const { reference } = await owe()
    const { rows } = await query('select reference from orders where payment_reference = $1', [reference])
    const { order } = (await call<{ order: TrackedOrder }>(shop, 'GET', `/track/${rows[0].reference}`)).body
    expect(order.guest?.shop).toEqual({
      slug,
      name: shopNameOf(slug),
      about: null,
      colour: 'plum',
      phone: null,
      whatsapp: null,
      logo: null,
    })
  })
})

describe('guests’ payments that nobody paid', () => {
  async function begin(status: string, days: number, address: string | null = null): Promise<string> {
    const { body } = await call<{ shop: { offers: { productId: string; offer: string; price: number; network: string }[] } }>(
      shop,
      'GET',
      `/shops/${slug}`,
    )
    const { productId, offer, price: amount } = body.shop.offers.find(({ network }) => network === 'MTN')!
    const items = [{ productId, offer, phoneNumber: '0551234560', amount }]
    const { reference } = (await call<PaymentReply>(shop, 'POST', `/shops/${slug}/payment`, { body: { phone: GUEST, items } })).body
    await query(
      `update payments set status = $2, check_at = null, created_at = $3::timestamptz - $4 * interval '1 day', guest_address = $5 where reference = $1`,
      [reference, status, shop.clock.now, days, address],
    )
    return reference
  }

  const left = async (references: string[]) =>
    (await query('select reference from payments where reference = any ($1) order by seq', [references])).rows.map(
      ({ reference }) => reference,
    )

  test('are deleted after thirty days, of an address with more than a thousand after three; what is open, paid or an account’s stays', async () => {
    await query(
      `insert into payments (reference, shop_id, guest_phone, guest_address, purpose, lines, price_pesewas, surcharge_pesewas, status, created_at)
       select 'crowded' || n, id, '0241112223', '198.51.100.9', 'order', '[]', 5, 0, 'expired', $2::timestamptz - interval '4 days'
       from agent_shops, generate_series(1001, 2000) n where slug = $1`,
      [slug, shop.clock.now],
    )
    const payer = await makeUser(shop)
    const [ofAccount] = (
      await query(
        `insert into payments (reference, user_id, purpose, lines, price_pesewas, surcharge_pesewas, status, created_at)
         values ('ofanaccount00001', $1, 'order', '[]', 5, 0, 'expired', $2::timestamptz - interval '90 days') returning reference`,
        [payer._id, shop.clock.now],
      )
    ).rows.map(({ reference }) => reference as string)
    const old = await begin('expired', 31)
    const failed = await begin('failed', 31)
    const kept = [await begin('expired', 29), await begin('open', 31), (await owe()).reference, ofAccount!]
    await query(`update payments set created_at = created_at - interval '90 days' where reference = $1`, [kept[2]])
    const newest = [await begin('expired', 4, '198.51.100.9'), await begin('expired', 1, '198.51.100.9')]
    expect(await deleteUnpaidOfGuests(shop.database.db, shop.clock.now)).toBe(4)
    expect(await left([old, failed])).toEqual([])
    expect(await left([...kept, ...newest])).toHaveLength(6)
    expect(await left(['crowded1001', 'crowded1002', 'crowded1003'])).toEqual(['crowded1003'])
    expect(await deleteUnpaidOfGuests(shop.database.db, shop.clock.now)).toBe(0)
  })

  test('and are paid after all, even after they were deleted, are listed with what came, and raise an alarm', async () => {
    const reference = await begin('expired', 31)
    const { db } = shop.database
    const event = (body: string) =>
      db.query(
        `insert into webhook_events (body_hash, event, reference, body, received_at) values (sha256($1::bytea), 'charge.success', $2, $1, $3)`,
        [body, reference, shop.clock.now],
      )
    await provider.pay(reference)
    // One whose event waits to be handled is not deleted.
    await event('{"first":1}')
    await deleteUnpaidOfGuests(db, shop.clock.now)
    expect(await left([reference])).toEqual([reference])
    await query('update webhook_events set handled_at = $2 where reference = $1', [reference, shop.clock.now])
    await deleteUnpaidOfGuests(db, shop.clock.now)
    expect(await left([reference])).toEqual([])
    await event('{"second":2}')
    await handleWebhookEvents(makeCtx(shop).ctx, gateway, async () => undefined)
    const { body } = await call<{ reference: string; amount: number }[]>(shop, 'GET', '/payment/unmatched', { as: owner })
    expect(body.find((one) => one.reference === reference)).toMatchObject({ amount: expect.any(Number) })
  })
})
