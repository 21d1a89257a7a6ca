import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openShopOf } from '../../../../test/agent-shop.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { makeUser } from '../../../../test/builders.ts'
import { gatewayThat, makeCtx, paid } from '../../../../test/settling.ts'
import type { Verification } from '../../../integrations/payments/card-payments.ts'
import { Unauthenticated } from '../../../platform/errors.ts'
import { CARD_EVENT_QUEUE, type CardEventJob } from '../../../platform/queues.ts'
import { makeReference } from '../../../platform/reference.ts'
import { SHARE_IS_FULL } from '../../../platform/shares.ts'
import { checkWithdrawalByReference } from '../../agents/withdrawals/check-withdrawals.ts'
import { checkOpenPayments, handleWebhookEvents, retryWebhookEvent } from './jobs.ts'
import { claimDuePayments, insertPayment, markAsked, markUnpaid } from './payments.sql.ts'
import { receiveWebhook } from './receive-webhook.ts'
import { insertWebhookEvent } from './webhook-events.sql.ts'

const GUEST = '0559999999'
const GONE = 'the database went away'
const NOT_PAID: Verification = { outcome: 'not-paid', final: false, reason: 'abandoned' }

let shop: TestShop
let payerId: string
let agentShopId: string

beforeAll(async () => {
  // Nobody but the tests looks for payments.
  shop = await openTestShop({ timings: { paymentsMs: 3_600_000 } })
  payerId = (await makeUser(shop))._id
  agentShopId = await openShopOf(shop, (await makeUser(shop, { level: 'Agent' }))._id)
})
beforeEach(async () => {
  await shop.database.db.query(
    `update payments set status = 'failed', check_at = null where status in ('open', 'expired'); delete from webhook_events`,
  )
})
afterAll(() => shop.close())

function later(ms: number): Date {
  return new Date(shop.clock.now.getTime() + ms)
}

/** An upgrade to be paid, which is to be asked about so much later than now. */
async function begin(checkInMs = 0): Promise<string> {
  const reference = makeReference()
  const priced = { purpose: 'agent-upgrade' as const, lines: null, pricePesewas: 5_000, surchargePesewas: 0 }
  await insertPayment(shop.database.db, { reference, userId: payerId, ...priced, now: shop.clock.now, checkAt: later(checkInMs) })
  return reference
}

/** Payments of guests, so many at one address, each from a number of its own unless one is given; due now. */
async function beginAsGuests(many: number, address: string, phone?: string): Promise<string[]> {
  await shop.database.db.query('alter table payments disable trigger payments_open_of_guests_held')
  const { rows } = await shop.database.db.query<{ reference: string }>(
    `insert into payments (reference, shop_id, guest_phone, guest_address, purpose, lines, price_pesewas, surcharge_pesewas, created_at, check_at)
     select 'G' || gen_random_uuid(), $1, coalesce($4, '024' || lpad(n::text, 7, '0')), $3, 'order', '[]', 500, 15, $5, $5
     from generate_series(1, $2) n returning reference`,
    [agentShopId, many, address, phone, shop.clock.now],
  )
  await shop.database.db.query('alter table payments enable trigger payments_open_of_guests_held')
  return rows.map(({ reference }) => reference)
}

async function beginHeld() {
  const payment = { purpose: 'order' as const, lines: [], pricePesewas: 500, surchargePesewas: 15, now: shop.clock.now, checkAt: later(0) }
  const guest = { shopId: agentShopId, phone: GUEST, address: '192.0.2.8' }
  await insertPayment(shop.database.db, { ...payment, reference: makeReference(), userId: null, guest })
}

/** 600 of one address, which are more than it may have: versions before left as many. */
async function beginMany(address: string) {
  for (let count = 0; count < 3; count++) await beginAsGuests(200, address)
}

/** Everyone's payments are asked about in rounds until this one was; returns how many rounds that took. */
async function roundsUntilAsked(reference: string): Promise<number> {
  const gateway = gatewayThat(NOT_PAID)
  for (let rounds = 1; rounds <= 40; rounds++) {
    await checkOpenPayments(makeCtx(shop).ctx, gateway)
    if (gateway.asked.includes(reference)) return rounds
    shop.clock.advance(5_000)
  }
  return Number.POSITIVE_INFINITY
}

async function note(event: string, reference: string | null) {
  const body = JSON.stringify({ event, reference, nonce: Math.random() })
  const bodyHash = createHash('sha256').update(body).digest()
  await insertWebhookEvent(shop.database.db, { bodyHash, event, reference, body, now: shop.clock.now })
}

async function waiting(): Promise<(string | null)[]> {
  const { rows } = await shop.database.db.query<{ reference: string | null }>(
    'select reference from webhook_events where handled_at is null order by id',
  )
  return rows.map(({ reference }) => reference)
}

async function paymentOf(reference: string) {
  const { rows } = await shop.database.db.query('select status, check_at as "checkAt", checks from payments where reference = $1', [
    reference,
  ])
  return rows[0]
}

describe('the card provider’s webhook events', () => {
  test('are handled once', async () => {
    const references = [await begin(), await begin(), await begin()]
    for (const reference of references) await note('charge.success', reference)
    const gateway = gatewayThat(NOT_PAID)
    await handleWebhookEvents(makeCtx(shop).ctx, gateway, checkWithdrawalByReference)
    await handleWebhookEvents(makeCtx(shop).ctx, gateway, checkWithdrawalByReference)
    expect(gateway.asked.sort()).toEqual(references.sort())
    const { rows } = await shop.database.db.query('select distinct handled_at as at from webhook_events')
    expect(rows).toEqual([{ at: shop.clock.now }])
  })

  test('are handled at the same time, but one by one for the same payment', async () => {
    const references = await Promise.all(Array.from({ length: 45 }, () => begin()))
    for (const reference of references) await note('charge.success', reference)
    const [twice] = references as [string]
    await note('charge.success', twice)
    let [now, most] = [0, 0]
    const verify = async (reference: string): Promise<Verification> => {
      if (reference !== twice) return NOT_PAID
      now += 1
      most = Math.max(most, now)
      await shop.database.db.query('select')
      now -= 1
      return NOT_PAID
    }
    await handleWebhookEvents(makeCtx(shop).ctx, gatewayThat(NOT_PAID, { verify }), checkWithdrawalByReference)
    expect([await waiting(), most]).toEqual([[], 1])
  })

  test('reopen a payment that was given up', async () => {
    const references = [await begin(), await begin()] as const
    await markUnpaid(shop.database.db, references[0], { status: 'failed', reason: 'x' })
    await markUnpaid(shop.database.db, references[1], { status: 'expired', reason: 'x' })
    for (const reference of references) await note('charge.success', reference)
    const bystander = await begin()
    await markUnpaid(shop.database.db, bystander, { status: 'failed', reason: 'x' })
    await handleWebhookEvents(makeCtx(shop).ctx, gatewayThat(NOT_PAID), checkWithdrawalByReference)
    for (const reference of references) expect(await paymentOf(reference)).toMatchObject({ status: 'open', checkAt: later(20_000) })
    expect(await paymentOf(bystander)).toEqual({ status: 'failed', checkAt: null, checks: 0 })
  })

  test('do not change a settled payment', async () => {
    const reference = await begin()
    await note('charge.success', reference)
    await handleWebhookEvents(makeCtx(shop).ctx, gatewayThat(paid(4_999)), checkWithdrawalByReference)
    await note('charge.success', reference)
    const gateway = gatewayThat(NOT_PAID)
    await handleWebhookEvents(makeCtx(shop).ctx, gateway, checkWithdrawalByReference)
    expect([gateway.asked, (await paymentOf(reference))?.status, await waiting()]).toEqual([[], 'held', []])
  })

  test.each([
    ['about something other than a charge', 'transfer.success', true],
    ['that only begin like a charge', 'charges', true],
    ['that speak of a charge at their end', 'x.charge.success', true],
    ['without a reference', 'charge.success', false],
  ])('%s are ignored without a query', async (_name, event, named) => {
    await note(event, named ? await begin() : null)
    const gateway = gatewayThat(NOT_PAID)
    const { ctx, logged } = makeCtx(shop)
    await handleWebhookEvents(ctx, gateway, checkWithdrawalByReference)
    expect([gateway.asked, await waiting(), logged]).toEqual([[], [], []])
  })

  test('about an unknown payment are ignored, with a warning', async () => {
    const reference = 'N'.repeat(20)
    await note('charge.success', reference)
    const { ctx, logged } = makeCtx(shop)
    await handleWebhookEvents(ctx, gatewayThat(NOT_PAID), checkWithdrawalByReference)
    expect(await waiting()).toEqual([])
    expect(logged).toMatchObject([{ level: 'warn', reference, msg: 'card webhook event about an unknown, unpaid reference' }])
  })

  test('that fail become jobs, and delay no other, however many they are', async () => {
    const broken = await Promise.all(Array.from({ length: 30 }, () => begin()))
    const sound = await begin()
    for (const reference of [...broken, sound]) await note('charge.success', reference)
    let isBack = false
    const gateway = gatewayThat((reference: string) => {
      if (broken.includes(reference) && !isBack) throw new Error(GONE)
      return paid(4_999)
    })
    const { ctx, logged } = makeCtx(shop)
    const jobs: { queue: string; data: CardEventJob }[] = []
    const enqueue = async (_tx: unknown, queue: string, added: { data: CardEventJob }[]) =>
      void jobs.push(...added.map(({ data }) => ({ queue, data })))
    const busy = { ...ctx, jobs: { enqueue } as never }
    for (let time = 0; time < 2; time++) await handleWebhookEvents(busy, gateway, checkWithdrawalByReference)
    expect((await paymentOf(sound))?.status).toBe('held')
    expect([gateway.asked.length, new Set(jobs.map(({ queue }) => queue)), jobs.length]).toEqual([31, new Set([CARD_EVENT_QUEUE]), 30])
    expect(logged.filter(({ level }) => level === 'error')).toHaveLength(30)
    expect(logged[0]).toMatchObject({ msg: 'a card webhook event could not be handled', err: { message: GONE } })

    await expect(retryWebhookEvent(busy, gateway, jobs[0]!.data, checkWithdrawalByReference)).rejects.toThrow(GONE)
    isBack = true
    for (const { data } of [...jobs, ...jobs]) await retryWebhookEvent(busy, gateway, data, checkWithdrawalByReference)
    expect(await waiting()).toEqual([])
    for (const reference of broken) expect((await paymentOf(reference))?.status).toBe('held')
  })

  test('are stored as received, except for characters the database cannot hold, and only once', async () => {
    const raw = Buffer.from('{"event":"charge.success","data":{"x":"\u0000é"}}')
    const gateway = gatewayThat(NOT_PAID, { readWebhook: () => ({ event: 'charge.success', reference: 'R'.repeat(20) }) })
    for (let time = 0; time < 2; time++) await receiveWebhook(makeCtx(shop).ctx, gateway, raw, 'signed')
    const { rows } = await shop.database.db.query('select body_hash, event, reference, body, received_at, handled_at from webhook_events')
    expect(rows).toEqual([
      {
        body_hash: createHash('sha256').update(raw).digest(),
        event: 'charge.success',
        reference: 'R'.repeat(20),
        body: '{"event":"charge.success","data":{"x":"é"}}',
        received_at: shop.clock.now,
        handled_at: null,
      },
    ])
  })

  test('without a signature are refused with a message', async () => {
    const gateway = gatewayThat(NOT_PAID, { readWebhook: () => null })
    await expect(receiveWebhook(makeCtx(shop).ctx, gateway, Buffer.alloc(0), undefined)).rejects.toThrow(
      new Unauthenticated('The signature is not right.'),
    )
  })
})

describe('open payments', () => {
  test('are queried when due, and not before', async () => {
    const [due, overdue, early] = [await begin(0), await begin(-5_000), await begin(1)]
    const gateway = gatewayThat(NOT_PAID)
    await checkOpenPayments(makeCtx(shop).ctx, gateway)
    expect(gateway.asked.sort()).toEqual([due, overdue].sort())
    expect(await paymentOf(early)).toEqual({ status: 'open', checkAt: later(1), checks: 0 })
    for (const reference of [due, overdue])
      expect(await paymentOf(reference)).toEqual({ status: 'open', checkAt: later(20_000), checks: 1 })
  })

  test('are queried twenty at a time, those first that were queried less often, and of these the newest', async () => {
    const references: string[] = []
    for (let count = 0; count < 22; count++) references.push(await begin(-10_000))
    await shop.database.db.query('update payments set checks = 1 where reference = $1', [references[21]])
    const gateway = gatewayThat(NOT_PAID)
    await checkOpenPayments(makeCtx(shop).ctx, gateway)
    expect(gateway.asked.sort()).toEqual(references.slice(1, 21).sort())
  })

  /** What somebody else begins before or after the payment in question; a webhook event never comes. */
  const FLOODS: Record<string, { first: () => Promise<unknown>; mine: () => Promise<string>; after?: () => Promise<unknown> }> = {
    'an account’s, after 600 of one guest address': { first: () => beginMany('192.0.2.1'), mine: () => begin() },
    'an account’s, before 600 of one guest address': {
      first: async () => undefined,
      mine: () => begin(),
      after: () => beginMany('192.0.2.2'),
    },
    'a guest’s at another address': { first: () => beginMany('192.0.2.3'), mine: () => aGuests('198.51.100.1') },
    'a guest’s at the same address': { first: () => beginMany('192.0.2.4'), mine: () => aGuests('192.0.2.4') },
    'a guest’s at the same address, before 200 under one number': {
      first: async () => undefined,
      mine: () => aGuests('192.0.2.5'),
      after: () => beginAsGuests(200, '192.0.2.5', '0200000001'),
    },
    'that was asked about before, once its payer asks': {
      first: () => beginMany('192.0.2.6'),
      mine: async () => {
        const reference = await aGuests('192.0.2.6')
        await shop.database.db.query('update payments set checks = 9 where reference = $1', [reference])
        await markAsked(shop.database.db, reference, shop.clock.now)
        return reference
      },
    },
    'an account’s, after others of sixty addresses': {
      first: async () => {
        for (let n = 0; n < 60; n++) await beginAsGuests(10, `203.0.113.${n}`)
      },
      mine: () => begin(),
    },
  }

  async function aGuests(address: string): Promise<string> {
    return (await beginAsGuests(1, address, GUEST))[0] as string
  }

  test.each(Object.entries(FLOODS))('%s: it is queried within the first round', async (_name, { first, mine, after }) => {
    await first()
    const reference = await mine()
    await after?.()
    expect(await roundsUntilAsked(reference)).toBe(1)
  })

  test('of 600 at one address are all queried in the end, and each no more often than any other', async () => {
    await beginMany('192.0.2.7')
    const gateway = gatewayThat(NOT_PAID)
    for (let round = 0; round < 30; round++) {
      await checkOpenPayments(makeCtx(shop).ctx, gateway)
      shop.clock.advance(5_000)
    }
    expect([gateway.asked.length, new Set(gateway.asked).size]).toEqual([600, 600])
  })

  test.each([
    ['an account has 60 at most', () => begin().then(() => undefined), 60],
    ['a guest’s address has 1,200 at most', beginHeld, 1_200],
  ] as const)('%s, until one is closed', async (_name, add, most) => {
    for (let n = 0; n < most; n++) await add()
    await expect(add()).rejects.toMatchObject({ code: SHARE_IS_FULL })
    await shop.database.db.query(
      `update payments set status = 'expired' where reference = (select max(reference) from payments where status = 'open')`,
    )
    await add()
  })

  test('that cannot be queried are retried in 20 seconds, and delay no other', async () => {
    const [broken, sound] = [await begin(-1), await begin()]
    const says = (reference: string) => {
      if (reference === broken) throw new Error(GONE)
      return paid(4_999)
    }
    const { ctx, logged } = makeCtx(shop)
    await checkOpenPayments(ctx, gatewayThat(says))
    expect(logged.filter(({ level }) => level === 'error')).toMatchObject([
      { reference: broken, msg: 'an open payment could not be checked', err: { message: GONE } },
    ])
    expect(await paymentOf(broken)).toEqual({ status: 'open', checkAt: later(20_000), checks: 0 })
    expect(await paymentOf(sound)).toMatchObject({ status: 'held', checkAt: null })
  })

  test('are each handled by one process', async () => {
    for (let count = 0; count < 10; count++) await begin()
    const claim = () => claimDuePayments(shop.database.db, { now: shop.clock.now, nextAt: later(20_000), limit: 5 })
    const taken = (await Promise.all([claim(), claim(), claim()])).flat().map(({ reference }) => reference)
    expect(new Set(taken).size).toBe(taken.length)
    expect(await claim()).toEqual(taken.length === 10 ? [] : expect.any(Array))
  })

  test('that another process is handling are skipped', async () => {
    const reference = await begin()
    const other = await shop.database.db.connect()
    try {
      await other.query('begin')
      await other.query('select from payments where reference = $1 for update', [reference])
      expect(await claimDuePayments(shop.database.db, { now: shop.clock.now, nextAt: later(1), limit: 5 })).toEqual([])
    } finally {
      await other.query('rollback')
      other.release()
    }
  })
})
