import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ErrorBody } from '../../../../shared/errors.ts'
import type { Order } from '../../../../shared/orders.ts'
import type { SignedInUser } from '../../../../shared/users.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { balanceOf, call, cartLine, makeUser } from '../../../../test/builders.ts'
import { confirmEmailOf } from '../../../../test/confirmations.ts'
import { gatewayThat, makeCtx, paid } from '../../../../test/settling.ts'
import { until } from '../../../../test/until.ts'
import type { Verification } from '../../../integrations/payments/card-payments.ts'
import { checkLedger } from '../../../ledger/check-ledger.ts'
import { type Tx, transaction } from '../../../platform/db.ts'
import { KeyReused, NotFound } from '../../../platform/errors.ts'
import { hashToken } from '../../../platform/hash-token.ts'
import { makeReference } from '../../../platform/reference.ts'
import { claimOrderOfPayment } from '../../orders/orders/orders.sql.ts'
import type { PurchaseLine } from '../../orders/purchases/purchases.sql.ts'
import { claimPaidOrder } from './claim-paid-order.ts'
import { confirmPayment } from './confirm-payment.ts'
import { lockReturnsOf } from './disputes.sql.ts'
import { insertPayment } from './payments.sql.ts'
import { recordRefund } from './record-refund.ts'
import { releaseTopUps } from './release-top-ups.ts'
import { settlePayment } from './settle-payment.ts'
import { releaseRests, UNSPENT_FOR_MS } from './spend-rest.ts'

const SILENCE: Verification = { outcome: 'unknown', reason: 'silence' }
const UNKNOWN_THERE: Verification = { outcome: 'not-paid', final: false, reason: 'unknown', isUnknownReference: true }
const NONE_LEFT = { status: 409, code: 'CONFLICT', message: 'That card payment was for something else, or its order is placed already.' }
const wanted = { clientId: 'mine', network: 'MTN' as const, offer: '1GB', receiver: '0551234567' }

let shop: TestShop
let payer: SignedInUser
let line: PurchaseLine

beforeAll(async () => {
  shop = await openTestShop()
  const { productId, offer, phoneNumber } = await cartLine(shop)
  line = { product: productId, network: null, offer, receiver: phoneNumber, expectedPricePesewas: 550, clientId: null }
})
beforeEach(async () => {
  payer = await makeUser(shop, { balance: 20 })
  await confirmEmailOf(shop, payer)
})
afterAll(() => shop.close())

/** A card payment for so many bundles of 5.50: 5.67 for one, 11.33 for two. */
async function begin(lines: PurchaseLine[]): Promise<string> {
  const [reference, now] = [makeReference(), shop.clock.now]
  const [pricePesewas, surchargePesewas] = lines.length === 1 ? [550, 17] : [1_100, 33]
  const noted = { reference, userId: payer._id, purpose: 'order' as const, lines, pricePesewas, surchargePesewas }
  await insertPayment(shop.database.db, { ...noted, now, checkAt: now })
  return reference
}

function settle(reference: string, says: Verification) {
  return settlePayment(makeCtx(shop).ctx, gatewayThat(says), reference)
}

function asUser({ _id: id, username, email, userLevel: level, token }: SignedInUser) {
  return makeCtx(shop, { id, username, email, level, sessionHash: hashToken(token) }).ctx
}

function take(reference: string, change: Partial<PurchaseLine> = {}, as = payer) {
  return takeFrom(gatewayThat(SILENCE), reference, change, as)
}

function takeFrom(gateway: ReturnType<typeof gatewayThat>, reference: string, change: Partial<PurchaseLine> = {}, as = payer) {
  return claimPaidOrder(asUser(as), gateway, reference, { ...wanted, product: null, expectedPricePesewas: 550, ...change }).then(
    (order) => {
      if (!order) throw new Error('it is no card payment')
      return order
    },
  )
}

describe('an order by the reference of a payment', () => {
  test.each(['N'.repeat(20), '', 'two words', '../balance', 'x'.repeat(65), '\u0000'])(
    'does not exist without such a payment: %j',
    async (reference) => {
      await expect(takeFrom(gatewayThat(UNKNOWN_THERE), reference)).rejects.toMatchObject({ status: 402, code: 'UNPAID' })
      expect(await balanceOf(shop, payer._id)).toBe(2_000)
    },
  )

  test('is not found by another user', async () => {
    const reference = await begin([line])
    await expect(take(reference, {}, await makeUser(shop))).rejects.toThrow(new NotFound('payment'))
  })

  test.each([
    ['open', { outcome: 'unknown', reason: 'x' }],
    ['held', paid(566)],
  ] as const)('cannot be claimed while the payment is %s', async (_status, says) => {
    const reference = await begin([line])
    await settle(reference, says)
    await expect(take(reference)).rejects.toMatchObject({
      status: 402,
      code: 'UNPAID',
      message:
        _status === 'open'
          ? 'The card payment has not gone through. No order was placed.'
          : 'GHS 5.66 was put into your wallet, because GHS 5.66 was paid of GHS 5.67. No order was placed.',
    })
  })

  test('can be claimed once per order bought, and only for what was bought', async () => {
    const reference = await begin([line, line])
    await settle(reference, paid(1_133))
    for (const change of [{ network: 'Telecel' as const }, { offer: '2GB' }, { receiver: '0551234568' }]) {
      await expect(take(reference, change)).rejects.toMatchObject(NONE_LEFT)
    }
    const [first, second] = [await take(reference), await take(reference, { clientId: 'other' })]
    expect([first?.clientId, second?.clientId, first?.id === second?.id]).toEqual(['mine', 'other', false])
    expect((await take(reference))?.id).toBe(first?.id)
    await expect(take(reference, { clientId: 'third' })).rejects.toMatchObject(NONE_LEFT)
  })

  test('is claimed oldest first, and never from another payment', async () => {
    const [one, other] = [await begin([line, line]), await begin([line])]
    for (const reference of [other, one]) {
      await settle(reference, paid(reference === one ? 1_133 : 567))
    }
    const bought = async (reference: string) =>
      (await confirmPayment(asUser(payer), gatewayThat(SILENCE), reference)).orders.map(({ id }) => id)
    const [first, second] = await bought(one)
    // What is written anew moves in its table; the order stays.
    for (const id of ['moved', null]) await shop.database.db.query('update orders set client_id = $2 where id = $1', [first, id])
    expect(await bought(one)).toEqual([first, second])
    expect((await take(one))?.id).toBe(first)
    expect((await take(one, { clientId: 'second' }))?.id).toBe(second)
    expect(await bought(one)).toEqual([first, second])
    const { rows } = await shop.database.db.query('select id, client_id from orders where payment_reference = $1', [other])
    expect(rows).toEqual([{ id: (await bought(other))[0], client_id: null }])
  })

  test('is the one that already has the id, whichever was bought first', async () => {
    const reference = await begin([line, line])
    await settle(reference, paid(1_133))
    const { rows } = await shop.database.db.query(
      `update orders set client_id = 'mine' where seq = (select max(seq) from orders where payment_reference = $1) returning id`,
      [reference],
    )
    expect((await take(reference))?.id).toBe(rows[0].id)
  })

  test('does not wait for a lock on another order of the payment', async () => {
    const reference = await begin([line, line])
    await settle(reference, paid(1_133))
    const other = await shop.database.db.connect()
    try {
      await other.query('begin')
      await other.query('select from orders where seq = (select max(seq) from orders where payment_reference = $1) for update', [reference])
      expect((await take(reference))?.clientId).toBe('mine')
    } finally {
      await other.query('rollback')
      other.release()
    }
  })

  test('is not given an id that another of the payer’s orders has', async () => {
    const [one, other] = [await begin([line]), await begin([line])]
    for (const reference of [one, other]) await settle(reference, paid(567))
    await take(one)
    await expect(take(other)).rejects.toThrow(KeyReused)
    expect((await take(other, { clientId: 'other' }))?.clientId).toBe('other')
  })

  test('goes to one of two concurrent claims', async () => {
    const reference = await begin([line])
    await settle(reference, paid(567))
    const { db } = shop.database
    const given = Promise.withResolvers<void>()
    const first = transaction(db, async (tx) => {
      await claimOrderOfPayment(tx, reference, { ...wanted, clientId: 'first' })
      given.resolve()
      await until(async () => {
        const { rowCount } = await db.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and pid <> pg_backend_pid()`,
        )
        return rowCount === 1
      })
    })
    await given.promise
    await expect(take(reference, { clientId: 'second' })).rejects.toMatchObject(NONE_LEFT)
    await first
    expect((await take(reference, { clientId: 'first' }))?.clientId).toBe('first')
  })

  test('goes to each of two concurrent claims for equal orders', async () => {
    const reference = await begin([line, line])
    await settle(reference, paid(1_133))
    const { db } = shop.database
    const given = Promise.withResolvers<void>()
    const first = transaction(db, async (tx) => {
      const order = await claimOrderOfPayment(tx, reference, { ...wanted, clientId: 'first' })
      given.resolve()
      await until(async () => {
        const { rowCount } = await db.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and pid <> pg_backend_pid()`,
        )
        return rowCount === 1
      })
      return order
    })
    await given.promise
    const second = await take(reference, { clientId: 'second' })
    expect([second?.clientId, second?.id === (await first)?.id]).toEqual(['second', false])
  })

  test('can be claimed under an id that was first refused for too little balance', async () => {
    const { clientId: id, ...rest } = wanted
    const create = (extra: object) =>
      call<{ order: Order } & ErrorBody>(shop, 'POST', '/order/create', {
        as: payer,
        body: { newOrder: { ...rest, id, offer: '5GB', totalAmount: 25.5, ...extra } },
      })
    expect((await create({})).body.code).toBe('INSUFFICIENT_BALANCE')
    const [reference, now] = [makeReference(), shop.clock.now]
    const noted = { reference, userId: payer._id, purpose: 'order' as const, pricePesewas: 2_550, surchargePesewas: 77 }
    await insertPayment(shop.database.db, { ...noted, lines: [{ ...line, offer: '5GB', expectedPricePesewas: 2_550 }], now, checkAt: now })
    await settle(reference, paid(2_627))
    const given = await create({ reference })
    expect([given.status, given.body.order.id, given.body.order.paidWith]).toEqual([200, id, 'card'])
    // And it is that order from now on, with the reference or without.
    expect((await create({})).body.order._id).toBe(given.body.order._id)
    expect(await checkLedger(shop.database.db)).toEqual([])
  })

  test('is not a wallet order that has the id, and is still there to be claimed under another', async () => {
    const reference = await begin([line])
    await settle(reference, paid(567))
    const create = (id: string, extra: object = {}) =>
      call<{ order: Order } & ErrorBody>(shop, 'POST', '/order/create', {
        as: payer,
        body: { newOrder: { id, network: 'MTN', offer: '1GB', receiver: '0551234567', totalAmount: 5.5, ...extra } },
      })
    expect((await create('used')).status).toBe(200)
    expect((await create('used', { reference })).body.code).toBe('KEY_REUSED')
    expect((await create('unused', { reference })).body.order.paidWith).toBe('card')
  })

  test('failing for another reason is not reported as a used id', async () => {
    const reference = await begin([line])
    await settle(reference, paid(567))
    await expect(take(reference, { clientId: '\u0000' })).rejects.toMatchObject({ code: '22021' })
  })

  test('is claimed through POST /order/create, and the wallet pays nothing', async () => {
    const reference = await begin([line])
    await settle(reference, paid(567))
    const { clientId: id, ...rest } = wanted
    const { status, body } = await call<{ order: Order }>(shop, 'POST', '/order/create', {
      as: payer,
      body: { newOrder: { ...rest, id, totalAmount: 5.5, reference } },
    })
    expect([status, body.order.id, body.order.paidWith, body.order.paymentReference]).toEqual([200, 'mine', 'card', reference])
    expect(await balanceOf(shop, payer._id)).toBe(2_000)
  })
})

describe('a payment that the client started at the provider itself', () => {
  let count = 0
  let reference: string
  beforeEach(() => {
    count += 1
    reference = `17638123456${String(count).padStart(2, '0')}`
    shop.clock.advance(600_000)
  })
  const gatewayOf = (amountPesewas: number, change: Parameters<typeof paid>[1] = {}) =>
    gatewayThat(paid(amountPesewas, { payerEmail: payer.email, ...change }))
  const booked = async () =>
    (
      await shop.database.db.query(
        `select (select count(*)::int from payments where reference = $1) as payments, (select count(*)::int from journal_entries where key = $2) as entries`,
        [reference, `card-payment:${reference}`],
      )
    ).rows[0]
  const NOTHING = { payments: 0, entries: 0 }

  test.each([
    [567, 2_000],
    [566, 2_000],
    [900, 2_000],
  ])('and paid with %i pesewas is the order, and leaves the wallet with %i', async (amount, balance) => {
    const gateway = gatewayOf(amount)
    const order = await takeFrom(gateway, reference)
    expect(order).toMatchObject({ clientId: 'mine', paidWith: 'card', paymentReference: reference, pricePesewas: 550 })
    expect(await balanceOf(shop, payer._id)).toBe(balance)
    expect((await takeFrom(gateway, reference)).id).toBe(order.id)
    expect([gateway.asked, await booked()]).toEqual([[reference], { payments: 1, entries: 1 }])
    expect(await checkLedger(shop.database.db)).toEqual([])
  })

  test('whose e-mail address the provider writes in capitals is the same payer’s', async () => {
    expect((await takeFrom(gatewayOf(567, { payerEmail: ` ${payer.email.toUpperCase()}` }), reference)).paidWith).toBe('card')
  })

  test.each([
    ['too little was paid', 400, {}, 2_388],
    ['the price is another by now', 567, { expectedPricePesewas: 540 }, 2_540],
    ['the offer is gone', 567, { offer: '999GB' }, 2_550],
  ])('is money in the wallet where %s', async (_name, amount, change, balance) => {
    await expect(takeFrom(gatewayOf(amount), reference, change)).rejects.toMatchObject({
      status: 402,
      message: expect.stringMatching(/^GHS .* was put into your wallet, because .* No order was placed\.$/),
    })
    expect([await balanceOf(shop, payer._id), await booked()]).toEqual([balance, { payments: 1, entries: 1 }])
    expect(await checkLedger(shop.database.db)).toEqual([])
  })

  test.each<[string, Verification | ((of: SignedInUser) => Verification)]>([
    ['somebody else paid', paid(567, { payerEmail: 'other@example.com' })],
    ['nobody says who paid', paid(567)],
    ['it was paid in another currency', (of) => paid(567, { payerEmail: of.email, currency: 'NGN' })],
    ['it was paid in live money while we test', (of) => paid(567, { payerEmail: of.email, isTest: false })],
    ['nothing was paid', (of) => paid(0, { payerEmail: of.email })],
    ['it is not paid', { outcome: 'not-paid', final: false, reason: 'abandoned' }],
    ['it was reversed', { outcome: 'reversed', reason: 'reversed' }],
  ])('cannot be claimed when %s: 402, and nothing is charged or stored', async (_name, says) => {
    const gateway = gatewayThat(typeof says === 'function' ? says(payer) : says)
    await expect(takeFrom(gateway, reference)).rejects.toMatchObject({ status: 402, code: 'UNPAID' })
    expect([gateway.asked, await balanceOf(shop, payer._id), await booked()]).toEqual([[reference], 2_000, NOTHING])
  })

  test.each([
    [
      'is disputed',
      402,
      `insert into disputes (provider_id, reference, amount_pesewas, currency, category, status, outcome, heard_at) values ($1, $1, 567, 'GHS', 'chargeback', 'pending', 'open', now())`,
    ],
    [
      'is being refunded',
      402,
      `insert into card_refunds (provider_id, reference, amount_pesewas, currency, status, heard_at, updated_at) values ($1, $1, 567, 'GHS', 'pending', now(), now())`,
    ],
    [
      'could not be refunded',
      null,
      `insert into card_refunds (provider_id, reference, amount_pesewas, currency, status, heard_at, updated_at) values ($1, $1, 567, 'GHS', 'failed', now(), now())`,
    ],
  ])('and that %s buys nothing and fills no wallet while it may go back', async (_name, status, sql) => {
    await shop.database.db.query(sql, [reference])
    for (const expectedPricePesewas of [550, 540]) {
      const asked = takeFrom(gatewayOf(567), reference, { expectedPricePesewas })
      if (status === null) expect((await asked).paymentReference).toBe(reference)
      else await expect(asked).rejects.toMatchObject({ status, code: 'UNPAID' })
      shop.clock.advance(10_000)
    }
    expect(await balanceOf(shop, payer._id)).toBe(2_000)
    expect(await booked()).toEqual(status === null ? { payments: 1, entries: 1 } : NOTHING)
  })

  test('waits for a dispute that is being recorded', async () => {
    const { db } = shop.database
    const noting = await db.connect()
    try {
      await noting.query('begin')
      await lockReturnsOf(noting as unknown as Tx, reference)
      await noting.query(
        `insert into disputes (provider_id, reference, amount_pesewas, currency, category, status, outcome, heard_at)
         values ($1, $1, 567, 'GHS', 'chargeback', 'pending', 'open', now())`,
        [reference],
      )
      const asked = takeFrom(gatewayOf(567), reference).catch((error: unknown) => error)
      await until(
        async () =>
          (await db.query(`select from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`)).rowCount,
      )
      await noting.query('commit')
      expect(await asked).toMatchObject({ status: 402 })
    } finally {
      noting.release()
    }
    expect(await booked()).toEqual(NOTHING)
  })

  test('of so few pesewas that the surcharge is none is money in the wallet where one is missing', async () => {
    await expect(takeFrom(gatewayOf(9), reference, { expectedPricePesewas: 10 })).rejects.toMatchObject({ status: 402 })
    expect([await balanceOf(shop, payer._id), await booked()]).toEqual([2_009, { payments: 1, entries: 1 }])
  })

  test('and is disputed is released by an admin, whatever its reference looks like', async () => {
    const own = `1763812345.6-${count}=`
    await takeFrom(gatewayOf(567), own)
    await shop.database.db.query(`update payments set hold_reason = 'the payer disputes the card payment' where reference = $1`, [own])
    const admin = await makeUser(shop, { level: 'Admin' })
    const url = `/payment/${encodeURIComponent(own)}/release`
    expect((await call(shop, 'POST', url, { as: admin, body: { reason: 'They called us' } })).status).toBe(200)
  })

  test('cannot be claimed by someone who only knows the reference, before or after its payer', async () => {
    const thief = await makeUser(shop, { balance: 20 })
    await confirmEmailOf(shop, thief)
    await expect(takeFrom(gatewayOf(567), reference, {}, thief)).rejects.toMatchObject({ status: 402 })
    shop.clock.advance(10_000)
    expect((await takeFrom(gatewayOf(567), reference)).userId).toBe(payer._id)
    await expect(takeFrom(gatewayOf(567), reference, {}, thief)).rejects.toThrow(new NotFound('payment'))
    expect(await balanceOf(shop, thief._id)).toBe(2_000)
  })

  test.each([
    ['signs out', 'delete from sessions where user_id = $1'],
    ['is banned', `update users set status = 'Banned' where id = $1`],
  ])('is not taken in for who %s while the provider is asked', async (_what, change) => {
    const gateway = gatewayOf(567)
    const verify = async (asked: string) => {
      await shop.database.db.query(change, [payer._id])
      return gateway.card.verify(asked)
    }
    await expect(takeFrom({ ...gateway, card: { ...gateway.card, verify } }, reference)).rejects.toMatchObject({ status: 401 })
    expect([await balanceOf(shop, payer._id), await booked()]).toEqual([2_000, NOTHING])
  })

  const three = ['one', 'two', 'three']
  /** What is left of the payment, in pesewas. */
  const unspent = async () =>
    (await shop.database.db.query<{ left: number }>('select unspent_pesewas as left from payments where reference = $1', [reference]))
      .rows[0]?.left

  test('pays for each order of a cart, also when they are asked for at once, and never for one more', async () => {
    const gateway = gatewayOf(1_133)
    const asked = await Promise.allSettled(three.map((clientId) => takeFrom(gateway, reference, { clientId })))
    expect(asked.map(({ status }) => status).sort()).toEqual(['fulfilled', 'fulfilled', 'rejected'])
    const orders = asked.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    expect(orders.map(({ paidWith, paymentReference }) => [paidWith, paymentReference])).toEqual(orders.map(() => ['card', reference]))
    expect(orders.map(({ surchargePesewas }) => surchargePesewas).sort()).toEqual([16, 17])
    expect([await unspent(), await balanceOf(shop, payer._id), await booked()]).toEqual([0, 2_000, { payments: 1, entries: 1 }])
    for (const { id, clientId } of orders) expect((await takeFrom(gateway, reference, { clientId: clientId as string })).id).toBe(id)
    expect(await checkLedger(shop.database.db)).toEqual([])
  })

  test.each([
    [1_699, 0],
    [1_700, 0],
    [1_704, 4],
  ])('of %i pesewas pays for three orders, one after the other, and leaves %i', async (amount, left) => {
    for (const clientId of three) await takeFrom(gatewayOf(amount), reference, { clientId })
    expect([await unspent(), await balanceOf(shop, payer._id)]).toEqual([left, 2_000])
    await expect(takeFrom(gatewayOf(amount), reference, { clientId: 'four' })).rejects.toMatchObject({ status: left > 0 ? 402 : 409 })
    expect(await checkLedger(shop.database.db)).toEqual([])
  })

  test('waits ten minutes after each order with what it has left, and then is money in the wallet', async () => {
    const { ctx } = makeCtx(shop)
    const release = () => Promise.all(Array.from({ length: 5 }, () => releaseRests({ ...ctx, now: shop.clock.now })))
    for (const clientId of ['one', 'two']) {
      await takeFrom(gatewayOf(1_504), reference, { clientId })
      shop.clock.advance(UNSPENT_FOR_MS - 1)
      await release()
    }
    expect([await unspent(), await balanceOf(shop, payer._id)]).toEqual([371, 2_000])
    shop.clock.advance(1)
    await release()
    expect([await unspent(), await balanceOf(shop, payer._id)]).toEqual([0, 2_360])
    await expect(takeFrom(gatewayOf(1_504), reference, { clientId: 'three' })).rejects.toMatchObject({ status: 409 })
    expect(await checkLedger(shop.database.db)).toEqual([])
  })

  test('leaves no more in the wallet at once than a top-up would: what is beyond the limits waits for staff, and a new payer waits as well', async () => {
    const { ctx } = makeCtx(shop)
    const { db } = shop.database
    const release = async () => {
      await releaseRests({ ...ctx, now: shop.clock.now })
      await releaseTopUps({ ...ctx, now: shop.clock.now })
    }
    await db.query('update operations_settings set top_up_maximum_pesewas = 20000, top_up_daily_pesewas = 30000, top_up_hold_hours = 48')
    // The limit is of a day.
    while (shop.clock.now.getUTCHours() === 23) shop.clock.advance(UNSPENT_FOR_MS)
    await takeFrom(gatewayOf(300_000), reference, { clientId: 'one' })
    shop.clock.advance(UNSPENT_FOR_MS)
    await release()
    // 299,433 without its 3 %.
    expect([await unspent(), await balanceOf(shop, payer._id)]).toEqual([0, 2_000])
    const { rows } = await db.query('select left_pesewas, on_hold_pesewas, waits_for_staff from payments where reference = $1', [reference])
    expect(rows).toEqual([{ left_pesewas: 290_712, on_hold_pesewas: 290_712, waits_for_staff: true }])
    const topUp = { purpose: 'top-up', amount: 60 }
    expect((await call(shop, 'POST', '/payment', { as: payer, body: topUp })).status).toBe(429)
    const asked = takeFrom(gatewayOf(300_000), reference, { clientId: 'two' })
    await expect(asked).rejects.toMatchObject({ message: expect.stringContaining('contact us') })
    shop.clock.advance(49 * 3_600_000)
    await release()
    expect(await balanceOf(shop, payer._id)).toBe(2_000)
    const admin = await makeUser(shop, { level: 'Admin' })
    const held = async () => {
      const { body } = await call<{ reference: string; reason: string; waits: number | null }[]>(shop, 'GET', '/payment?status=held', {
        as: admin,
      })
      return body.find((row) => row.reference === reference)
    }
    // With what is released, which the list's button asks about.
    expect(await held()).toMatchObject({ reason: expect.stringContaining('beyond the limits'), waits: 2_907.12 })
    expect((await call(shop, 'POST', `/payment/${reference}/release`, { as: admin, body: { reason: 'They called' } })).status).toBe(200)
    expect(await held()).toBeUndefined()
    await release()
    expect(await balanceOf(shop, payer._id)).toBe(292_712)
    expect(await checkLedger(db)).toEqual([])
    await db.query('update operations_settings set top_up_maximum_pesewas = 200000, top_up_daily_pesewas = 500000, top_up_hold_hours = 0')
  })

  test('whose first order is named with another price is no way round those limits', async () => {
    const { db } = shop.database
    await db.query('update operations_settings set top_up_maximum_pesewas = 20000')
    const asked = takeFrom(gatewayOf(103_000), reference, { expectedPricePesewas: 100_000 })
    await expect(asked).rejects.toMatchObject({ status: 402, message: expect.stringContaining('GHS 800.00 of it is more than') })
    expect(await balanceOf(shop, payer._id)).toBe(22_000)
    expect(await checkLedger(db)).toEqual([])
    await db.query('update operations_settings set top_up_maximum_pesewas = 200000')
  })

  test('pays for the other items of a cart whose first is gone, and that one is money in the wallet', async () => {
    const gateway = gatewayOf(1_700)
    const gone = () => takeFrom(gateway, reference, { clientId: 'one', offer: '999GB' })
    for (let time = 0; time < 2; time++) await expect(gone()).rejects.toMatchObject({ status: 402 })
    expect([await unspent(), await balanceOf(shop, payer._id)]).toEqual([1_133, 2_550])
    await expect(takeFrom(gateway, reference, { clientId: 'two', expectedPricePesewas: 549 })).rejects.toMatchObject({ status: 409 })
    for (const clientId of ['two', 'three']) expect((await takeFrom(gateway, reference, { clientId })).clientId).toBe(clientId)
    expect([await unspent(), await balanceOf(shop, payer._id)]).toEqual([0, 2_550])
    expect(await checkLedger(shop.database.db)).toEqual([])
  })

  test('is given back whole although a part of it has bought, and waits while it is disputed', async () => {
    await takeFrom(gatewayOf(1_133), reference, { clientId: 'one' })
    const { db } = shop.database
    await db.query(`update payments set hold_reason = 'the payer disputes the card payment' where reference = $1`, [reference])
    await expect(takeFrom(gatewayOf(1_133), reference, { clientId: 'two' })).rejects.toMatchObject({ status: 402 })
    const refund = { id: reference, reference, amountPesewas: 1_133, currency: 'GHS', status: 'processed' as const }
    await recordRefund(makeCtx(shop).ctx, gatewayOf(1_133), refund)
    // Both the rest and what the first order took came back; the order itself is a loss until it is rejected.
    expect([await unspent(), await balanceOf(shop, payer._id)]).toEqual([0, 2_000])
    expect(await checkLedger(db)).toEqual([])
  })

  test.each([
    ['not confirmed', `email_confirmed_at = null`],
    ['confirmed and then changed, there and back', `email = 'changed-' || email`],
  ])('waits for a person while the payer’s address is %s', async (_, change) => {
    const { db } = shop.database
    await db.query(`update users set ${change} where id = $1`, [payer._id])
    await db.query('update users set email = $2 where id = $1', [payer._id, payer.email])
    await expect(takeFrom(gatewayOf(567), reference)).rejects.toMatchObject({
      status: 402,
      message: expect.stringMatching(/^Please confirm your e-mail/),
    })
    expect((await db.query('select from payments where reference = $1', [reference])).rowCount).toBe(0)
    await confirmEmailOf(shop, payer)
    expect((await takeFrom(gatewayOf(567), reference)).userId).toBe(payer._id)
  })

  test.each([
    ['since before it began', 0, 1_000, 'fulfilled'],
    ['only since it began', 0, -1_000, 'rejected'],
    ['since before it began, an hour ago and more', 3_600_001, 2_000, 'rejected'],
  ])('paid with an address that is not confirmed and that the account has %s', async (_, agoMs, laterMs, outcome) => {
    await shop.database.db.query('update users set email_confirmed_at = null, login_changed_at = created_at where id = $1', [payer._id])
    const begunAt = new Date(shop.clock.now.getTime() - agoMs)
    await shop.database.db.query('update users set login_changed_at = $2 where id = $1', [payer._id, new Date(begunAt.getTime() - laterMs)])
    await shop.database.db.query('update users set created_at = $2 where id = $1', [payer._id, new Date(begunAt.getTime() - 86_400_000)])
    const [asked] = await Promise.allSettled([takeFrom(gatewayOf(567, { begunAt }), reference)])
    expect(asked.status).toBe(outcome)
  })

  test('is its payer’s although somebody else asked about it a moment ago, or asks at the same time', async () => {
    const thief = await makeUser(shop, { balance: 20 })
    await confirmEmailOf(shop, thief)
    const gateway = gatewayOf(567)
    await expect(takeFrom(gateway, reference, {}, thief)).rejects.toMatchObject({ status: 402 })
    const [stolen, own] = await Promise.allSettled([takeFrom(gateway, reference, {}, thief), takeFrom(gateway, reference)])
    expect([stolen.status, own.status]).toEqual(['rejected', 'fulfilled'])
  })

  test('and of which the provider says nothing is 502, and nothing is taken or stored', async () => {
    await expect(takeFrom(gatewayThat(SILENCE), reference)).rejects.toMatchObject({ status: 502 })
    expect([await balanceOf(shop, payer._id), await booked()]).toEqual([2_000, NOTHING])
  })

  test.each([
    ['digits', '17638123456789', null],
    ['a word', 'my-order-1', 402],
  ])('that nobody knows is the client’s own when it is %s', async (_what, own, status) => {
    const line = { ...wanted, product: null, expectedPricePesewas: 550 }
    const asked = claimPaidOrder(asUser(payer), gatewayThat(UNKNOWN_THERE), own, line)
    if (status === null) expect(await asked).toBeNull()
    else await expect(asked).rejects.toMatchObject({ status })
  })

  test('is asked about a limited number of times for each user', async () => {
    const gateway = gatewayThat({ outcome: 'not-paid', final: false, reason: 'abandoned' })
    const statuses: number[] = []
    for (let times = 0; times < 101; times++) statuses.push(await takeFrom(gateway, reference).catch(({ status }) => status))
    expect([statuses.filter((status) => status === 402).length, statuses.at(-1), gateway.asked.length]).toEqual([100, 429, 100])
  })
})
