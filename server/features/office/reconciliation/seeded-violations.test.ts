import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ReconciliationReply } from '../../../../shared/reconciliation.ts'
import type { SignedInUser } from '../../../../shared/users.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { call, cartLine, checkout, makeUser } from '../../../../test/builders.ts'
import { INVARIANTS } from '../../../ledger/invariants/invariants.ts'
import { createLog } from '../../../platform/log.ts'
import { reconcileLedger, SETTLED_AFTER_MS } from './reconcile-ledger.ts'

/** One damage for each invariant that breaks it and no other, done as the owner of the database past every guard. */
const DAMAGES: Record<string, string> = {
  I1: `update postings set amount_pesewas = amount_pesewas + 1 where line = 2 and entry_id = (select min(id) from journal_entries where kind = 'order');
    update postings set amount_pesewas = amount_pesewas - 1 where line = 2 and entry_id = (select max(id) from journal_entries where kind = 'order')`,
  I2: `insert into postings (entry_id, line, account_id, amount_pesewas) values (999999, 1, 6, 500);
    insert into account_deltas (account_id, pesewas, day) values (6, 500, '-infinity')`,
  I3: 'update wallets set balance_pesewas = balance_pesewas + 100 where balance_pesewas > 0',
  I4: `alter table wallets drop constraint wallet_not_below_zero;
    alter table postings drop constraint postings_balance_after_pesewas_check;
    insert into journal_entries (key, kind, created_at) values ('admin-debit:seeded', 'admin-debit', now());
    insert into postings (entry_id, line, account_id, amount_pesewas, balance_after_pesewas)
      select e.id, 1, w.account_id, -w.balance_pesewas - 1, -1 from journal_entries e, wallets w where e.key = 'admin-debit:seeded' and w.balance_pesewas > 0;
    insert into postings (entry_id, line, account_id, amount_pesewas)
      select e.id, 2, 6, w.balance_pesewas + 1 from journal_entries e, wallets w where e.key = 'admin-debit:seeded' and w.balance_pesewas > 0;
    insert into account_deltas (account_id, pesewas, kind) select 6, balance_pesewas + 1, 'admin-debit' from wallets where balance_pesewas > 0;
    update wallets set balance_pesewas = -1 where balance_pesewas > 0;
    alter table wallets add constraint wallet_not_below_zero check (true)`,
  I5: `select post_entry('order:' || gen_random_uuid(), 'order', '', null, array[account_id, 1], array[-40, 40], now()) from wallets where balance_pesewas > 0`,
  I6: `insert into payments (reference, user_id, purpose, price_pesewas, surcharge_pesewas, status, received_pesewas, created_at, settled_at)
    select repeat('p', 20), id, 'agent-upgrade', 5000, 0, 'paid', 5000, now(), now() from users limit 1`,
  I7: `update recharges set status = 'approved', decided_at = now() where status = 'pending';
    update list_counts set rows = rows - 1 where (list, status) = ('recharges', 'pending');
    update list_counts set rows = rows + 1 where (list, status) = ('recharges', 'approved')`,
  I8: `delete from admin_actions where action = 'order.completed'; update list_counts set rows = rows - 1 where list = 'admin_actions'`,
  I9: `insert into supplier_deliveries (order_id, reference, supplier, volume_mb, created_at, updated_at)
    select id, repeat('z', 20), 'hubnet', 1000, now(), now() from orders where status = 'completed'`,
  I10: `update idempotency_keys set outcome = jsonb_set(outcome, '{orders,0,price_pesewas}', '1') where outcome ->> 'outcome' = 'placed'`,
  I11: `update orders set paid_with = 'card', payment_reference = repeat('p', 20) where status = 'completed';
    insert into payments (reference, user_id, purpose, lines, price_pesewas, surcharge_pesewas, status, received_pesewas, created_at, settled_at)
      select payment_reference, user_id, 'order', '[]', price_pesewas, 0, 'paid', price_pesewas, now(), now() from orders where status = 'completed';
    select post_entry('card-payment:' || o.payment_reference, 'card-payment', '', null, array[5, w.account_id],
      array[-o.price_pesewas, o.price_pesewas], now()) from orders o join wallets w using (user_id) where o.status = 'completed';
    insert into idempotency_keys (user_id, key, request_hash, outcome, created_at)
      select user_id, 'payment:' || payment_reference, '', '{"outcome": "refused", "code": "NOT_AVAILABLE"}', created_at
      from orders where status = 'completed'`,
  I12: 'alter table postings disable trigger postings_append_only',
  I13: 'insert into order_outbox (order_id) select (select min(id::text) from orders)::uuid from generate_series(1, 2)',
  I14: `update order_deltas set orders = orders + 1 where status = 'completed' and orders > 0`,
  I17: `update orders set shop_id = gen_random_uuid() where status = 'completed'`,
  I18: `update wallets set debt_pesewas = 40 where balance_pesewas > 0`,
  I19: `select post_entry('withdrawal:seeded', 'withdrawal', '', null, array[13, 6], array[40, -40], now())`,
  I21: `select post_entry('guest-refund:seeded', 'guest-refund', '', null, array[15, 6], array[40, -40], now())`,
  I22: `select post_entry('admin-debit:seeded', 'admin-debit', '', null, array[21, 6], array[-40, 40], now())`,
  I25: `insert into bulk_jobs (user_id, key, request_hash, name, placed_by, lines, left_out, total_pesewas, first_seq, last_seq, created_at)
    select id, 'k', sha256('list'), 'Staff', 'hand', 1, 0, 500, 1, 1, now() from users limit 1`,
  I24: `select post_entry('admin-debit:seeded', 'admin-debit', '', null, array[20, 6], array[-40, 40], now())`,
  I20: `select post_entry('momo:MTN:51234567890', 'admin-credit', '', null, array[account_id, 4], array[40, -40], now())
    from wallets where balance_pesewas > 0`,
  I15: `select post_entry('admin-debit:seeded', 'admin-debit', '', null, array[7, 6], array[40, -40], now())`,
  I16: `select post_entry('admin-debit:seeded', 'admin-debit', '', null, array[8, 6], array[40, -40], now())`,
}

/** What of them is money, and stops purchases; of the others an admin is told, and the shop goes on selling. */
const WRONG_MONEY = new Set([
  'I1',
  'I2',
  'I3',
  'I4',
  'I5',
  'I6',
  'I7',
  'I12',
  'I15',
  'I16',
  'I17',
  'I18',
  'I19',
  'I20',
  'I21',
  'I22',
  'I24',
])

let shop: TestShop
let admin: SignedInUser
let buyer: SignedInUser
let alarms: { alarm: string; found: { invariant: string }[] }[]
beforeEach(async () => {
  alarms = []
  ;({ shop, admin, buyer } = await openBusyShop())
})
afterEach(async () => {
  // What was damaged is not what a test has to leave behind.
  await shop.close().catch((error: Error) => {
    if (!error.message.startsWith('the ledger does not add up')) throw error
  })
})

describe('a violation of one invariant', () => {
  test.each(Object.entries(DAMAGES))('%s is named by the next check, with the row, and no other is', async (id, damage) => {
    await shop.database.db.query(`begin; set local session_replication_role = replica; ${damage}; commit`)
    await check()
    // A check that took long, as on a busy machine, is not made whole again before the clock has moved on.
    await shop.database.db.query('update invariant_checks set took_ms = 1')
    await check()
    expect(await broken()).toEqual([id])
    const { rows } = await shop.database.db.query<{ found: { invariant: string; subject: string }[] }>('select found from purchase_pauses')
    const pausedFor = new Set(rows.flatMap(({ found }) => found.map(({ invariant }) => invariant)))
    expect(pausedFor).toEqual(new Set(WRONG_MONEY.has(id) ? [id] : []))
    // Raised once, however often it is found again.
    expect(alarms.map(({ alarm, found }) => [alarm, new Set(found.map(({ invariant }) => invariant))])).toEqual([
      [WRONG_MONEY.has(id) ? 'wrong-money' : 'records-disagree', new Set([id])],
    ])
    expect((await checkout(shop, buyer, [await cartLine(shop)])).status).toBe(WRONG_MONEY.has(id) ? 503 : 200)
  })

  test.each(['I1', 'I8'])('%s does not keep what was booked from being sealed', async (id) => {
    await check()
    expect(await broken()).toEqual([])
    await shop.database.db.query('update invariant_checks set took_ms = 1')
    await shop.database.db.query(`begin; set local session_replication_role = replica; ${DAMAGES[id]}; commit`)
    await check()
    expect(await broken()).toEqual([id])
    const { rows: newest } = await shop.database.db.query<{ entry: number }>('select max(id) as entry from journal_entries')
    await check()
    shop.clock.advance(SETTLED_AFTER_MS + 1)
    await check()
    expect(await chainedTo()).toBe(newest[0]?.entry)
  })

  test('is tested here for each invariant', () => {
    expect(Object.keys(DAMAGES).sort()).toEqual(INVARIANTS.map(({ id }) => id).sort())
  })
})

/** One rule of an invariant weighs otherwise than the damage above: what it finds, and whether that stops purchases. */
const OTHERWISE: [string, string, boolean, string][] = [
  [
    'I6',
    'a paid card payment has the orders that it was for, no other has any',
    false,
    `insert into payments (reference, user_id, purpose, lines, price_pesewas, surcharge_pesewas, status, received_pesewas, created_at, settled_at)
      select repeat('q', 20), user_id, 'order', '[]', 500, 0, 'paid', 500, now(), now() from wallets where balance_pesewas > 0 limit 1;
    select post_entry('card-payment:' || repeat('q', 20), 'card-payment', '', null, array[5, w.account_id], array[-500, 500], now())
      from payments join wallets w using (user_id) where reference = repeat('q', 20)`,
  ],
  [
    'I21',
    'a refund was paid out, or went through its code into one wallet, once and in full',
    true,
    `insert into payments (reference, user_id, purpose, price_pesewas, surcharge_pesewas, status, created_at)
      select repeat('q', 20), user_id, 'top-up', 500, 0, 'open', now() from wallets where balance_pesewas > 0 limit 1;
    insert into refunds (payment_reference, phone, amount_pesewas, reason, status, hand_transaction_id, created_at, ended_at)
      values (repeat('q', 20), '0245550142', 500, '', 'paid', '51234567890', now(), now())`,
  ],
  [
    'I8',
    'a rejected order was refunded once in full, no other order was',
    true,
    `select post_entry('order-refund:' || o.id, 'order-refund', '', null, array[w.account_id, 1], array[o.price_pesewas, -o.price_pesewas], now())
      from orders o join wallets w using (user_id) where o.status = 'completed'`,
  ],
  ['I12', 'what guards the books is in place and awake', true, 'alter table postings_2 disable trigger postings_append_only'],
]

test.each(OTHERWISE)('of %s, what breaks "%s" stops purchases: %s', async (id, rule, stops, damage) => {
  await shop.database.db.query(`begin; set local session_replication_role = replica; ${damage}; commit`)
  await check()
  expect(await broken()).toEqual([id])
  const { rows } = await shop.database.db.query<{ rule: string }>(
    `select distinct violation ->> 'rule' as rule from invariant_checks, jsonb_array_elements(found) as violation`,
  )
  expect(rows).toEqual([{ rule }])
  expect(alarms.map(({ alarm }) => alarm)).toEqual([stops ? 'wrong-money' : 'records-disagree'])
  expect((await checkout(shop, buyer, [await cartLine(shop)])).status).toBe(stops ? 503 : 200)
})

describe('an entry whose transaction commits after later ones', () => {
  test('is sealed with them, however long it took', async () => {
    const late = await shop.database.db.connect()
    try {
      await late.query('begin')
      const { rows } = await late.query<{ id: number }>(
        `select post_entry('admin-credit:late', 'admin-credit', '', null, array[account_id, 6], array[500, -500], $1) as id
         from wallets where user_id = $2`,
        [shop.clock.now, buyer._id],
      )
      await makeUser(shop, { balance: 5 })
      await check()
      shop.clock.advance(SETTLED_AFTER_MS + 1)
      await check()
      expect((await chainedTo()) ?? 0).toBeLessThan(rows[0]?.id as number)
      await late.query('commit')
      await check()
      shop.clock.advance(SETTLED_AFTER_MS + 600_001)
      await check()
      expect(await broken()).toEqual([])
      expect(await chainedTo()).toBeGreaterThan(rows[0]?.id as number)
    } finally {
      late.release()
    }
  })

  test('is still checked when only newer rows are', async () => {
    await check()
    const late = await shop.database.db.connect()
    try {
      await late.query('begin; set local session_replication_role = replica')
      await late.query(`insert into journal_entries (key, kind, created_at) values ('order:${crypto.randomUUID()}', 'order', now())`)
      await makeUser(shop, { balance: 5 })
      for (let count = 0; count < 2; count++) {
        await shop.database.db.query('update invariant_checks set took_ms = 3600000')
        shop.clock.advance(SETTLED_AFTER_MS + 1)
        await check()
      }
      shop.clock.advance(SETTLED_AFTER_MS + 1)
      await late.query('commit')
      await check()
      expect(await broken()).toEqual(['I1', 'I5'])
    } finally {
      late.release()
    }
  })
})

test('a busy shop without errors raises no alarm', async () => {
  const buyers = await Promise.all(Array.from({ length: 4 }, () => makeUser(shop, { balance: 500 })))
  const line = await cartLine(shop)
  let selling = true
  const trade = buyers.map(async (buyer) => {
    while (selling) {
      const { body } = await checkout(shop, buyer, [line, line])
      const [first, second] = body.orders ?? []
      if (!first || !second) return
      await call(shop, 'PUT', `/order/update-status/${first._id}`, { as: admin, body: { status: 'rejected' } })
      await call(shop, 'PUT', `/order/update-status/${second._id}`, { as: admin, body: { status: 'completed' } })
      await call(shop, 'PUT', '/user/balance', { as: admin, body: { chosenId: buyer._id, amount: 5 } })
      const { body: asked } = await call<{ rechargeId: string }>(shop, 'POST', '/recharge', { as: buyer, body: { amount: 50 } })
      await call(shop, 'PUT', `/recharge/${asked.rechargeId}/approve`, { as: admin })
    }
  })
  for (let count = 0; count < 6; count++) {
    // Past the time after which the rows before count as settled, so that both kinds of check take their turn.
    shop.clock.advance(count % 3 === 2 ? 150_000 : 1_000)
    // As in a large shop, where all rows are not looked at every time.
    await shop.database.db.query('update invariant_checks set took_ms = $1', [count % 4 === 3 ? 1 : 60_000])
    await check()
    expect(await broken()).toEqual([])
  }
  selling = false
  await Promise.all(trade)
  const { rows } = await shop.database.db.query(
    `select count(*) filter (where whole) > 0 as whole, count(*) filter (where not whole) > 0 as newer, count(*) filter (where problem is not null) as problems from invariant_checks`,
  )
  expect(rows).toEqual([{ whole: true, newer: true, problems: 0 }])
  expect((await shop.database.db.query('select from ledger_seals')).rowCount).toBeGreaterThan(0)
})

/** A run of the job, by the shop's own clock. */
async function check() {
  const log = Object.assign(Object.create(createLog('silent')), { error: (facts: (typeof alarms)[number]) => alarms.push(facts) })
  expect(await reconcileLedger({ db: shop.database.db, now: shop.clock.now, log } as never, {}, { workMs: 60_000 })).toBe(true)
}

async function chainedTo(): Promise<number | null> {
  const { rows } = await shop.database.db.query<{ entry: number | null }>('select max(last_entry) as entry from ledger_seals')
  return rows[0]?.entry ?? null
}

async function broken(): Promise<string[]> {
  const { body } = await call<ReconciliationReply>(shop, 'GET', '/admin/books', { as: admin })
  expect(body.invariants.filter(({ status }) => status === 'unchecked')).toEqual([])
  return body.invariants.filter(({ status }) => status === 'broken').map(({ id }) => id)
}

/** A purchase completed, one rejected, a recharge asked for; nobody empties the outbox behind a test's back. */
async function openBusyShop() {
  const opened = await openTestShop({ timings: { reconcileEveryMs: 3_600_000 } })
  const boss = await makeUser(opened, { level: 'Admin' })
  const buyer = await makeUser(opened, { balance: 50 })
  await call(opened, 'PUT', '/user/balance', { as: boss, body: { chosenId: buyer._id, amount: 5 } })
  const { body } = await checkout(opened, buyer, [await cartLine(opened), await cartLine(opened)])
  await call(opened, 'PUT', `/order/update-status/${body.orders[0]?._id}`, { as: boss, body: { status: 'rejected' } })
  await call(opened, 'PUT', `/order/update-status/${body.orders[1]?._id}`, { as: boss, body: { status: 'completed' } })
  await call(opened, 'POST', '/recharge', { as: buyer, body: { amount: 50 } })
  await opened.app.background.relay.stop()
  return { shop: opened, admin: boss, buyer }
}
