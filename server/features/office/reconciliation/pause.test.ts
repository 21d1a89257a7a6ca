import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { AdminAction } from '../../../../shared/admin-actions.ts'
import type { ReconciliationReply } from '../../../../shared/reconciliation.ts'
import type { SignedInUser } from '../../../../shared/users.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { balanceOf, call, cartLine, checkout, findProduct, makeUser, registerUser } from '../../../../test/builders.ts'
import { until } from '../../../../test/until.ts'
import { createLog } from '../../../platform/log.ts'
import { reconcileLedger } from './reconcile-ledger.ts'

const WORDS = 'Purchases are paused while we check the books. Nothing was charged and your money is safe. Please try again later.'

let shop: TestShop
let admin: SignedInUser
let buyer: SignedInUser
let alarms: Record<string, unknown>[]
beforeEach(async () => {
  // Only the checks that a test makes or asks for: the shop's own would find the damage first, and tell another log.
  shop = await openTestShop({ withSandbox: true, timings: { reconcileEveryMs: 3_600_000 } })
  admin = await makeUser(shop, { level: 'Admin' })
  buyer = await makeUser(shop, { balance: 50 })
  alarms = []
})
afterEach(async () => {
  await repair()
  await shop.close()
})

describe('while the ledger violates an invariant', () => {
  test('purchases are refused with a clear message', async () => {
    const line = await cartLine(shop)
    const key = crypto.randomUUID()
    expect((await checkout(shop, buyer, [line], key)).status).toBe(200)
    await damage()
    await check()

    const refused = await checkout(shop, buyer, [line])
    expect([refused.status, refused.body, refused.headers['retry-after']]).toEqual([
      503,
      { message: WORDS, code: 'PURCHASES_PAUSED' },
      '60',
    ])
    const product = await findProduct(shop, 'MTN')
    const newOrder = {
      id: '1',
      network: 'MTN',
      offer: line.offer,
      receiver: line.phoneNumber,
      totalAmount: line.amount,
      productId: product._id,
    }
    expect(await call(shop, 'POST', '/order/create', { as: buyer, body: { newOrder } })).toMatchObject({
      status: 503,
      body: { code: 'PURCHASES_PAUSED' },
    })
    for (const body of [{ purpose: 'order', items: [line] }, { purpose: 'agent-upgrade' }]) {
      expect(await call(shop, 'POST', '/payment', { as: buyer, body })).toMatchObject({
        status: 503,
        body: { message: WORDS, code: 'PURCHASES_PAUSED' },
      })
    }
    expect(await balanceOf(shop, buyer._id)).toBe(4_450)
    const { rows } = await shop.database.db.query(
      'select (select count(*) from orders) as orders, (select count(*) from payments) as payments',
    )
    expect(rows).toEqual([{ orders: 1, payments: 0 }])

    // A purchase that was made before is told again; a refusal is not remembered, so the same key buys later.
    expect((await checkout(shop, buyer, [line], key)).headers['idempotency-replayed']).toBe('true')
  })

  test('everything else works: sign-in, lists, recharges, decisions, and card payments already made', async () => {
    const line = await cartLine(shop)
    const before = await checkout(shop, buyer, [line])
    const payment = await call<{ reference: string }>(shop, 'POST', '/payment', { as: buyer, body: { purpose: 'order', items: [line] } })
    await damage()
    await check()

    await shop.sandbox?.cardProvider.pay(payment.body.reference)
    const confirmed = await call<{ payment: { status: string }; orders: object[] }>(
      shop,
      'POST',
      `/payment/${payment.body.reference}/confirm`,
      { as: buyer, body: {} },
    )
    expect([confirmed.status, confirmed.body.payment.status, confirmed.body.orders.length]).toEqual([200, 'paid', 1])
    expect((await registerUser(shop)).token).toBeTruthy()
    expect((await call(shop, 'GET', '/order/allorders', { as: buyer })).status).toBe(200)
    const asked = await call<{ rechargeId: string }>(shop, 'POST', '/recharge', { as: buyer, body: { amount: 50 } })
    expect((await call(shop, 'PUT', `/recharge/${asked.body.rechargeId}/approve`, { as: admin })).status).toBe(200)
    const decided = await call(shop, 'PUT', `/order/update-status/${before.body.orders[0]?._id}`, {
      as: admin,
      body: { status: 'rejected' },
    })
    expect(decided.status).toBe(200)
    expect((await call(shop, 'PUT', '/user/balance', { as: admin, body: { chosenId: buyer._id, amount: 1 } })).status).toBe(200)
  })

  test('the alarm is raised once and names the row, and the pause stays until lifted', async () => {
    await damage()
    await check()
    await check()
    expect(alarms).toEqual([
      {
        alarm: 'wrong-money',
        found: [
          {
            invariant: 'I3',
            rule: "a wallet's balance is the sum of its postings",
            subject: `wallet of ${admin.username} (account ${await accountOf(admin)})`,
            detail: 'balance 7, postings 0',
          },
        ],
      },
    ])
    await repair()
    await check()
    expect((await books()).invariants.filter(({ status }) => status === 'broken')).toEqual([])
    expect((await books()).pause).not.toBeNull()
    expect((await checkout(shop, buyer, [await cartLine(shop)])).status).toBe(503)
  })
})

describe('an admin', () => {
  test('lifts the pause with a reason, which is recorded, and the same key then buys', async () => {
    const line = await cartLine(shop)
    const key = crypto.randomUUID()
    await damage()
    await check()
    expect((await checkout(shop, buyer, [line], key)).status).toBe(503)
    for (const body of [{}, { reason: '' }, { reason: '  ' }, { reason: 'x'.repeat(501) }])
      expect((await call(shop, 'POST', '/admin/books/resume', { as: admin, body })).status).toBe(400)
    expect((await call(shop, 'POST', '/admin/books/resume', { as: buyer, body: { reason: 'let me buy' } })).status).toBe(403)
    expect((await call(shop, 'POST', '/admin/books/resume', { as: admin, body: { reason: ' A typo of ours ' } })).status).toBe(200)
    expect((await checkout(shop, buyer, [line], key)).status).toBe(200)
    const [action] = (await call<AdminAction[]>(shop, 'GET', '/admin/actions', { as: admin })).body
    expect(action).toMatchObject({ actor: admin.username, action: 'purchases.resume', note: 'A typo of ours' })
    expect((await call(shop, 'POST', '/admin/books/resume', { as: admin, body: { reason: 'again' } })).status).toBe(409)
  })

  test('who lifted it is not stopped again by the same violation, but by a new one', async () => {
    await damage()
    await check()
    await call(shop, 'POST', '/admin/books/resume', { as: admin, body: { reason: 'Known, mended tonight' } })
    await check()
    expect((await books()).pause).toBeNull()
    expect((await books()).invariants.filter(({ status }) => status === 'broken').map(({ id }) => id)).toEqual(['I3'])
    expect((await checkout(shop, buyer, [await cartLine(shop)])).status).toBe(200)

    await asOwner('alter table postings disable trigger postings_append_only')
    await check()
    expect((await books()).pause?.found.map(({ invariant }) => invariant)).toEqual(['I12'])
    await asOwner('alter table postings enable trigger postings_append_only')
  })

  test('requests a check, which the job runs', async () => {
    expect((await call(shop, 'POST', '/admin/books/check', { as: buyer })).status).toBe(403)
    await damage()
    const asked = await call<{ askedAt: string }>(shop, 'POST', '/admin/books/check', { as: admin, body: {} })
    await until(async () => (await books()).invariants.every(({ wholeAt }) => wholeAt !== null && wholeAt >= asked.body.askedAt))
    expect((await books()).pause?.found).toHaveLength(1)
  })
})

test('one changed posting among ten thousand stops purchases and is named, and so does a balanced change after hashing', async () => {
  await asOwner(
    `select post_entry('admin-credit:many' || n, 'admin-credit', '', null, array[account_id, 6], array[n, -n], '2026-11-21T12:00:00Z')
     from wallets, generate_series(1, 5000) n where balance_pesewas > 0`,
  )
  for (let count = 0; count < 2; count++) {
    await check()
    shop.clock.advance(150_000)
  }
  await check()
  expect((await shop.database.db.query('select sum(entries)::int as entries from ledger_seals')).rows).toEqual([{ entries: 5_001 }])
  await asOwner(`update postings set amount_pesewas = amount_pesewas + 1 where entry_id = 2500 and line = 1`)
  await check()
  expect(
    alarms
      .flatMap(({ found }) => found as { invariant: string; subject: string }[])
      .map(({ invariant, subject }) => `${invariant} ${subject}`),
  ).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^I1 entry 2500 /),
      'I2 all postings',
      `I3 wallet of ${buyer.username} (account ${await accountOf(buyer)})`,
    ]),
  )
  await asOwner(`update postings set amount_pesewas = amount_pesewas - 1 where entry_id = 2500 and line = 1`)
  await check()
  expect((await books()).invariants.filter(({ status }) => status !== 'holds')).toEqual([])

  await asOwner(`update journal_entries set memo = 'Gift' where id = 2500`)
  await check()
  expect((await books()).invariants.filter(({ status }) => status === 'broken').map(({ id }) => id)).toEqual(['I12'])
  await asOwner(`update journal_entries set memo = '' where id = 2500`)
})

/** Money in a wallet that nobody paid for. */
const damage = () => asOwner(`update wallets set balance_pesewas = balance_pesewas + 7 where user_id = '${admin._id}'`)
const repair = () => asOwner(`update wallets set balance_pesewas = 0 where user_id = '${admin._id}'`)

async function asOwner(sql: string) {
  await shop.database.db.query(`begin; set local session_replication_role = replica; ${sql}; commit`)
}

/** A run of the job, by the shop's own clock, with an ear for alarms. */
async function check() {
  const log = Object.assign(Object.create(createLog('silent')), { error: (facts: Record<string, unknown>) => alarms.push(facts) })
  // A check that took long, as on a busy machine, is not made whole again before the clock has moved on.
  await shop.database.db.query('update invariant_checks set took_ms = 1')
  await reconcileLedger({ db: shop.database.db, now: shop.clock.now, log } as never, {}, { workMs: 60_000 })
}

const books = async () => (await call<ReconciliationReply>(shop, 'GET', '/admin/books', { as: admin })).body

async function accountOf({ _id }: SignedInUser): Promise<number> {
  const { rows } = await shop.database.db.query<{ id: number }>('select account_id as id from wallets where user_id = $1', [_id])
  return rows[0]?.id ?? 0
}
