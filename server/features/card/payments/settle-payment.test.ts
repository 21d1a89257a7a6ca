import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SEES_ORDERS, SEES_WALLETS } from '../../../../shared/staff-rules.ts'
import type { SignedInUser } from '../../../../shared/users.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { balanceOf, cartLine, makeUser } from '../../../../test/builders.ts'
import { gatewayThat, makeCtx, paid } from '../../../../test/settling.ts'
import { until } from '../../../../test/until.ts'
import type { Verification } from '../../../integrations/payments/card-payments.ts'
import { NotFound } from '../../../platform/errors.ts'
import { hashToken } from '../../../platform/hash-token.ts'
import { makeReference } from '../../../platform/reference.ts'
import { type PurchaseLine, placeWalletOrders } from '../../orders/purchases/purchases.sql.ts'
import { changeBalance } from '../../wallet/wallet/change-balance.ts'
import { chooseCheckTime } from './choose-check-time.ts'
import { insertPayment } from './payments.sql.ts'
import { settlePayment } from './settle-payment.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

let shop: TestShop
let payer: SignedInUser
let line: PurchaseLine

beforeAll(async () => {
  shop = await openTestShop()
  const { productId, offer, phoneNumber } = await cartLine(shop)
  line = { product: productId, network: null, offer, receiver: phoneNumber, expectedPricePesewas: 550, clientId: null }
})
beforeEach(async () => {
  payer = await makeUser(shop)
})
afterAll(() => shop.close())

/** A payment of 5.67 for one bundle of 5.50, as `POST /payment` notes it, or of what is given. */
async function begin(given: { lines?: PurchaseLine[] | null; pricePesewas?: number; surchargePesewas?: number } = {}): Promise<string> {
  const reference = makeReference()
  const { lines = [line], pricePesewas = 550, surchargePesewas = 17 } = given
  const now = shop.clock.now
  const purpose = lines === null ? 'agent-upgrade' : 'order'
  // The loop of the shop must not come first.
  const checkAt = new Date(now.getTime() + 48 * HOUR_MS)
  await insertPayment(shop.database.db, { reference, userId: payer._id, purpose, lines, pricePesewas, surchargePesewas, now, checkAt })
  return reference
}

function beginUpgrade() {
  return begin({ lines: null, pricePesewas: 5_000, surchargePesewas: 0 })
}

function settle(reference: string, says: Verification, isTest = true) {
  return settlePayment(makeCtx(shop).ctx, gatewayThat(says, { isTest }), reference)
}

async function rowOf(reference: string) {
  const { rows } = await shop.database.db.query(
    `select status, reason, received_pesewas as received, in_wallet as "inWallet", check_at as "checkAt", checks, settled_at as "settledAt"
     from payments where reference = $1`,
    [reference],
  )
  return rows[0]
}

/** What was booked under a payment's reference, with the house's accounts by their numbers. */
async function entriesOf(reference: string) {
  const { rows } = await shop.database.db.query(
    `select e.key, e.kind, e.memo, e.actor_id as actor,
       json_agg(json_build_array(case when p.account_id >= 1000 then 'wallet' else p.account_id::text end, p.amount_pesewas) order by p.line) as lines
     from journal_entries e join postings p on p.entry_id = e.id where e.key like '%' || $1 group by e.id order by e.id`,
    [reference],
  )
  return rows
}

describe('a payment in full', () => {
  test('goes through the wallet and becomes its orders', async () => {
    const reference = await begin()
    expect(await settle(reference, paid(567))).toMatchObject({ status: 'paid', reason: null, receivedPesewas: 567, inWallet: true })
    expect(await rowOf(reference)).toEqual({
      status: 'paid',
      reason: null,
      received: 567,
      inWallet: true,
      checkAt: null,
      checks: 0,
      settledAt: shop.clock.now,
    })
    expect(await entriesOf(reference)).toEqual([
      {
        key: `card-payment:${reference}`,
        kind: 'card-payment',
        memo: `Card payment ${reference}`,
        actor: payer._id,
        lines: [
          ['5', -567],
          ['wallet', 567],
        ],
      },
      expect.objectContaining({ key: `card-surcharge:${reference}` }),
    ])
    expect(await balanceOf(shop, payer._id)).toBe(0)
  })

  test("leaves the provider's fee as a cost, once, and what was received before it", async () => {
    const reference = await begin()
    const gateway = gatewayThat(paid(567, { feePesewas: 11 }))
    const { ctx } = makeCtx(shop)
    await Promise.all([settlePayment(ctx, gateway, reference), settlePayment(ctx, gateway, reference)])
    expect((await entriesOf(reference)).filter(({ kind }) => kind === 'provider-fee')).toEqual([
      {
        key: `provider-fee:${reference}`,
        kind: 'provider-fee',
        memo: `Card provider's fee for ${reference}`,
        actor: null,
        lines: [
          ['11', -11],
          ['5', 11],
        ],
      },
    ])
    expect((await rowOf(reference)).received).toBe(567)
  })

  test('is announced to the buyer and the admins, once', async () => {
    const reference = await begin()
    const { ctx, announced } = makeCtx(shop)
    const gateway = gatewayThat(paid(567))
    await settlePayment(ctx, gateway, reference)
    await settlePayment(ctx, gateway, reference)
    expect(announced.map(({ to, event }) => [to, event])).toEqual([
      [{ user: payer._id }, 'ordersUpdated'],
      [{ staff: SEES_ORDERS }, 'ordersUpdated'],
      [{ user: payer._id }, 'CurrUserUpdated'],
      [{ staff: SEES_WALLETS }, 'userUpdated'],
      [{ user: payer._id }, 'paymentUpdated'],
    ])
    expect(announced[4]?.payload).toMatchObject({ reference, status: 'paid', total: 5.67 })
    expect(announced[0]?.payload).toMatchObject({ user: payer.username, paidWith: 'card', paymentReference: reference })
    expect(gateway.asked).toEqual([reference])
  })

  test('settled twice at once is fulfilled and announced once', async () => {
    const reference = await begin()
    const { ctx, announced } = makeCtx(shop)
    // All have asked before the first is answered.
    const everybody = Promise.withResolvers<void>()
    let asked = 0
    const verify = async () => {
      asked += 1
      if (asked === 8) everybody.resolve()
      await everybody.promise
      return paid(567)
    }
    await Promise.all(Array.from({ length: 8 }, () => settlePayment(ctx, gatewayThat(paid(567), { verify }), reference)))
    expect(announced).toHaveLength(5)
    expect(await entriesOf(reference)).toHaveLength(2)
  })
})

test('one payment settles, fails or is scheduled alone', async () => {
  const [open, bought, failed, held] = [await begin(), await begin(), await begin(), await begin()]
  const before = await rowOf(open)
  await settle(bought, paid(567))
  await settle(failed, { outcome: 'reversed', reason: 'charged back' })
  await settle(held, paid(566))
  expect(await rowOf(open)).toEqual(before)
  await settle(open, { outcome: 'unknown', reason: 'silence' })
  expect([await rowOf(bought), await rowOf(failed), await rowOf(held)]).toMatchObject([
    { status: 'paid', checkAt: null, checks: 0 },
    { status: 'failed', checkAt: null, checks: 0 },
    { status: 'held', checkAt: null, checks: 0, received: 566 },
  ])
})

test('a settled payment is not queried again', async () => {
  const [bought, held] = [await begin(), await begin()]
  await settle(bought, paid(567))
  await settle(held, paid(566))
  const gateway = gatewayThat(new Error('nobody should ask'))
  expect((await settlePayment(makeCtx(shop).ctx, gateway, bought)).status).toBe('paid')
  expect((await settlePayment(makeCtx(shop).ctx, gateway, held)).status).toBe('held')
  expect(gateway.asked).toEqual([])
})

test('an unknown reference is not found', async () => {
  const error = await settle('N'.repeat(20), paid(1)).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(NotFound)
  expect((error as NotFound).message).toBe('That payment does not exist.')
})

describe('the amount decides', () => {
  test.each([
    [566, 'held', 566, 'GHS 5.66 was paid of GHS 5.67', true],
    [1, 'held', 1, 'GHS 0.01 was paid of GHS 5.67', true],
    [0, 'held', 0, 'GHS 0.00 was paid of GHS 5.67', false],
    [567, 'paid', 0, null, true],
    [568, 'paid', 1, null, true],
  ] as const)('%d of 567 pesewas: %s, and %d are in the wallet', async (amount, status, balance, reason, inWallet) => {
    const reference = await begin()
    expect(await settle(reference, paid(amount))).toMatchObject({ status, reason, inWallet, receivedPesewas: amount })
    expect(await balanceOf(shop, payer._id)).toBe(balance)
    if (amount === 0) expect(await entriesOf(reference)).toEqual([])
  })
})

describe('money in the wrong currency or mode is held, and nothing is booked', () => {
  test.each([
    ['a test payment in a live shop', paid(567), false],
    ['a live payment in a sandbox', paid(567, { isTest: false }), true],
    ['paid in NGN, not in GHS', paid(567, { currency: 'NGN' }), true],
  ])('%s', async (reason, says, isTest) => {
    const reference = await begin()
    expect(await settle(reference, says, isTest)).toMatchObject({ status: 'held', reason, receivedPesewas: 0, inWallet: false })
    expect(await entriesOf(reference)).toEqual([])
  })

  test('a live payment settles in a live shop', async () => {
    expect((await settle(await begin(), paid(567, { isTest: false }), false)).status).toBe('paid')
  })
})

describe('a cart that cannot be bought leaves the money in the wallet and says why:', () => {
  test('the payer is banned', async () => {
    const reference = await begin()
    await shop.database.db.query(`update users set status = 'Banned' where id = $1`, [payer._id])
    expect(await settle(reference, paid(567))).toMatchObject({ status: 'held', reason: 'the account is banned', inWallet: true })
  })

  test.each([
    ['a product is gone', { offer: '999GB' }, 'a product of the cart is not available any more'],
    ['a price has changed', { expectedPricePesewas: 551 }, 'a price of the cart has changed since'],
  ])('%s', async (_name, change, reason) => {
    const reference = await begin({ lines: [{ ...line, ...change }] })
    expect(await settle(reference, paid(567))).toMatchObject({ status: 'held', reason, inWallet: true, receivedPesewas: 567 })
    expect(await balanceOf(shop, payer._id)).toBe(567)
  })

  test('it costs more than was stored', async () => {
    const reference = await begin({ lines: [line, line] })
    expect(await settle(reference, paid(567))).toMatchObject({ status: 'held', reason: 'the wallet could not cover the cart' })
    expect(await balanceOf(shop, payer._id)).toBe(567)
  })

  test('its key was used for something else', async () => {
    const reference = await begin()
    await shop.database.db.query(
      `insert into idempotency_keys (user_id, key, request_hash, outcome, created_at) values ($1, $2, 'other', '{}', $3)`,
      [payer._id, `payment:${reference}`, shop.clock.now],
    )
    expect(await settle(reference, paid(567))).toMatchObject({ status: 'held', reason: 'the cart was used already', inWallet: true })
  })
})

describe('the agent upgrade', () => {
  const levelOf = async () => (await shop.database.db.query('select level from users where id = $1', [payer._id])).rows[0].level

  test.each([
    ['paid exactly', 5_000, []],
    ['overpaid by a pesewa, which is put into the wallet', 5_001, [['wallet', 1]]],
  ])('%s', async (_name, amount, rest) => {
    const reference = await beginUpgrade()
    const inWallet = amount > 5_000
    expect(await settle(reference, paid(amount))).toMatchObject({ status: 'paid', reason: null, receivedPesewas: amount, inWallet })
    expect([await levelOf(), await balanceOf(shop, payer._id)]).toEqual(['Agent', amount - 5_000])
    expect(await entriesOf(reference)).toEqual([
      {
        key: `agent-upgrade:${reference}`,
        kind: 'agent-upgrade',
        memo: 'Agent upgrade by card',
        actor: payer._id,
        lines: [['5', -amount], ['3', 5_000], ...rest],
      },
    ])
    const { rows } = await shop.database.db.query(
      'select action, subject_type, before, after, note from admin_actions where subject_id = $1',
      [payer._id],
    )
    expect(rows).toEqual([
      {
        action: 'user.level',
        subject_type: 'user',
        before: { level: 'Customer' },
        after: { level: 'Agent' },
        note: `Paid by card, reference ${reference}`,
      },
    ])
  })

  test.each<[name: string, amount: number, user: { level?: string; status?: string }, reason: string]>([
    ['underpaid', 4_999, {}, 'GHS 49.99 was paid of GHS 50.00'],
    ['by an agent', 5_000, { level: 'Agent' }, 'the account was an agent already'],
    ['by an admin', 5_000, { level: 'Admin' }, 'the account was an agent already'],
    ['by somebody banned', 5_000, { status: 'Banned' }, 'the account is banned'],
    ['by an agent who is banned', 5_000, { level: 'Agent', status: 'Banned' }, 'the account is banned'],
  ])('%s changes nothing, and the money is in the wallet', async (_name, amount, { level = 'Customer', status = 'Active' }, reason) => {
    const reference = await beginUpgrade()
    await shop.database.db.query('update users set level = $2, status = $3 where id = $1', [payer._id, level, status])
    expect(await settle(reference, paid(amount))).toMatchObject({ status: 'held', reason, receivedPesewas: amount, inWallet: true })
    expect([await levelOf(), await balanceOf(shop, payer._id)]).toEqual([level, amount])
  })
})

describe('an agent upgrade that is settled while', () => {
  /** Holds the lock, begins each of the works once the one before waits, and lets the lock go. Tells who waited for whom. */
  async function whileHeld(lock: string, works: Record<string, () => Promise<unknown>>) {
    const holder = await shop.database.db.connect()
    const begun: Promise<unknown>[] = []
    const waited: Record<string, string[]> = {}
    try {
      await holder.query('begin')
      await holder.query(lock, [payer._id])
      const { rows } = await holder.query<{ pid: number }>('select pg_backend_pid() as pid')
      const names = new Map([[rows[0]!.pid, 'the holder']])
      for (const [name, work] of Object.entries(works)) {
        begun.push(work())
        const { pid, blockers } = await until(() => findWaiting(names))
        waited[name] = blockers.map((blocker) => names.get(blocker) ?? 'somebody else')
        names.set(pid, name)
      }
      await holder.query('commit')
      return { waited, ended: await Promise.allSettled(begun) }
    } finally {
      await holder.query('rollback')
      await Promise.allSettled(begun)
      holder.release()
    }
  }

  /** A connection without a name yet that waits for one that has a name. */
  async function findWaiting(names: Map<number, string>) {
    const { rows } = await shop.database.db.query<{ pid: number; blockers: number[] }>(
      `select pid, pg_blocking_pids(pid) as blockers from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return rows.find(({ pid, blockers }) => !names.has(pid) && blockers.some((blocker) => names.has(blocker)))
  }

  test('its payer, an admin by now, takes from their own wallet: neither stops the other', async () => {
    payer = await makeUser(shop, { level: 'Admin' })
    const reference = await beginUpgrade()
    const actor = { id: payer._id, level: 'Admin' as const, sessionHash: hashToken(payer.token) }
    const { waited, ended } = await whileHeld('select from wallets where user_id = $1 for update', {
      settling: () => settle(reference, paid(5_000)),
      debiting: () => changeBalance(makeCtx(shop, actor).ctx, { chosenId: payer._id, amount: -1 }, null),
    })
    expect(waited).toEqual({ settling: ['the holder'], debiting: ['settling'] })
    expect(ended).toMatchObject([{ value: { status: 'held', inWallet: true } }, { status: 'fulfilled' }])
    expect(await balanceOf(shop, payer._id)).toBe(4_900)
  })

  test('its payer buys from the wallet: neither stops the other', async () => {
    payer = await makeUser(shop, { balance: 5.5 })
    const reference = await beginUpgrade()
    const requestHash = Buffer.alloc(32)
    const { waited, ended } = await whileHeld('select from users where id = $1 for update', {
      settling: () => settle(reference, paid(5_000)),
      buying: () =>
        placeWalletOrders(shop.database.db, { userId: payer._id, key: reference, requestHash, lines: [line], now: shop.clock.now }),
    })
    // A purchase only needs the user's key, which a change of level leaves free, so it does not queue behind it.
    expect(waited).toEqual({ settling: ['the holder'], buying: ['the holder'] })
    expect(ended).toMatchObject([{ value: { status: 'paid' } }, { value: { outcome: 'placed' } }])
  })
})

describe('a payment that is not paid', () => {
  const notPaid = { outcome: 'not-paid', final: false, reason: 'abandoned' } as const

  test.each<[name: string, says: Verification, ageMs: number, status: string, reason: string | null]>([
    ['fails when it was reversed', { outcome: 'reversed', reason: 'charged back' }, 0, 'failed', 'charged back'],
    ['fails when no money can come any more', { ...notPaid, final: true }, 0, 'failed', 'abandoned'],
    ['stays open while it may be approved', notPaid, 30 * MINUTE_MS - 1, 'open', null],
    ['is closed after half an hour', notPaid, 30 * MINUTE_MS, 'expired', 'abandoned'],
    ['is closed then, and still asked about', notPaid, 20 * HOUR_MS, 'expired', 'abandoned'],
    ['is not asked about any more after a day', notPaid, 24 * HOUR_MS, 'expired', 'abandoned'],
    ['fails rather than expires', { ...notPaid, final: true }, 25 * HOUR_MS, 'failed', 'abandoned'],
    ['stays open, however old, while the provider does not answer', { outcome: 'unknown', reason: 'silence' }, 100 * HOUR_MS, 'open', null],
  ])('%s', async (_name, says, ageMs, status, reason) => {
    const reference = await begin()
    const now = new Date(shop.clock.now.getTime() + ageMs)
    await settlePayment({ ...makeCtx(shop).ctx, now }, gatewayThat(says), reference)
    const isLookedAfter = status === 'open' || (status === 'expired' && ageMs < 24 * HOUR_MS)
    expect(await rowOf(reference)).toEqual({
      status,
      reason,
      received: null,
      inWallet: false,
      checkAt: isLookedAfter ? chooseCheckTime(shop.clock.now, now) : null,
      checks: isLookedAfter ? 1 : 0,
      settledAt: null,
    })
  })

  test('and was given up is reopened by money only, not by a query', async () => {
    const reference = await begin()
    await settle(reference, { ...notPaid, final: true })
    await settle(reference, notPaid)
    expect(await rowOf(reference)).toMatchObject({ status: 'failed', checkAt: null, checks: 0 })
    expect((await settle(reference, paid(567))).status).toBe('paid')
  })

  test('is announced to its payer once when it is closed', async () => {
    const reference = await begin()
    const { ctx, announced } = makeCtx(shop)
    const closing = { ...ctx, now: new Date(shop.clock.now.getTime() + 30 * MINUTE_MS) }
    for (let time = 0; time < 2; time++) await settlePayment(closing, gatewayThat(notPaid), reference)
    expect(announced).toMatchObject([{ to: { user: payer._id }, event: 'paymentUpdated', payload: { reference, status: 'expired' } }])
  })

  describe('closed and paid after all', () => {
    const closed = async () => {
      const reference = await begin()
      const now = new Date(shop.clock.now.getTime() + 30 * MINUTE_MS)
      await settlePayment({ ...makeCtx(shop).ctx, now }, gatewayThat(notPaid), reference)
      return reference
    }

    test('buys what it was for', async () => {
      expect((await settle(await closed(), paid(567))).status).toBe('paid')
      expect(await balanceOf(shop, payer._id)).toBe(0)
    })

    test('stays in the wallet when the payer has bought the same again meanwhile', async () => {
      const [late, again] = [await closed(), await begin()]
      await settle(again, paid(567))
      const reason = 'it came in late, after you had bought the same again'
      expect(await settle(late, paid(567))).toMatchObject({ status: 'held', inWallet: true, reason })
      expect(await balanceOf(shop, payer._id)).toBe(567)
    })
  })
})
