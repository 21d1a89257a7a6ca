import { execFileSync } from 'node:child_process'
import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { takeUnprovenCall, updateEndpointHealth } from '../server/features/channels/webhooks/webhooks.sql.ts'
import { clearOldLists } from '../server/features/orders/bulk/bulk.sql.ts'
import { deleteOldLogos, insertImage, insertLogo } from '../server/features/shop/images/images.sql.ts'
import { SHARES, type ShareName } from '../server/platform/shares.ts'
import { openTestDatabase, type TestDatabase } from './database.ts'

/**
 * What keeps a client from filling a table. `share`: a trigger holds so many for each; `newest`: a trigger ends the oldest beyond so many;
 * `onePer`: a unique index; `calls`: as often as this share allows, and `deleted` or `kept` says what becomes of them; `paid`: each costs money.
 */
type Bound =
  | { share: ShareName }
  | { newest: number; deleted: true }
  | { onePer: string }
  | { calls: ShareName; deleted: true }
  | { calls: ShareName; kept: string }
  | { paid: true }
  /** Goes with the rows of another table. */
  | { with: string }

const CLIENTS: Record<string, Bound> = {
  afa_forms: { share: 'forms to be used' },
  afa_registrations: { paid: true },
  agent_shops: { onePer: 'owner_id' },
  api_events: { with: 'orders' },
  api_keys: { share: 'keys' },
  bulk_groups: { share: 'groups' },
  bulk_jobs: { paid: true },
  bulk_lines: { with: 'bulk_jobs' },
  bulk_schedules: { share: 'schedules' },
  commissions: { with: 'orders' },
  confirmed_numbers: { share: 'confirmed numbers' },
  contacts: { share: 'contacts' },
  idempotency_keys: { paid: true },
  images: { calls: 'shop logo', deleted: true },
  known_devices: { calls: 'sign-in', deleted: true },
  news_preferences: { onePer: 'user_id' },
  orders: { paid: true },
  password_reset_requests: { calls: 'forgotten password', deleted: true },
  password_resets: { calls: 'forgotten password', deleted: true },
  payment_claims: { calls: 'changes', kept: 'ten are open at most; whoever claimed a payment is asked about for long' },
  payment_lists: { share: 'lists to be paid' },
  payments: { calls: 'guest payment', deleted: true },
  payout_codes: { calls: 'payout code', kept: 'how often a number was tried counts for its next one' },
  payout_number_removals: { calls: 'payout code typed', kept: 'a number that was removed is new for good' },
  payout_numbers: { calls: 'payout code typed', kept: 'money goes there' },
  pin_proofs: { newest: 20, deleted: true },
  profit_shares: { with: 'orders' },
  recharges: { share: 'recharges that wait' },
  referral_links: { onePer: 'user_id' },
  referrals: { onePer: 'referred_id' },
  refund_codes: { calls: 'refund code shown', deleted: true },
  refunds: { with: 'orders' },
  report_messages: { share: 'lines of a report' },
  reports: { onePer: 'order_id' },
  sessions: { newest: 50, deleted: true },
  shop_prices: { onePer: 'shop_id,product_id,offer' },
  sub_agent_invitations: { calls: 'invitation', kept: 'a sub-agent came by it' },
  sub_agent_prices: { onePer: 'shop_id,product_id,offer' },
  sub_agents: { with: 'sub_agent_invitations' },
  test_movements: { with: 'test_orders' },
  test_orders: { share: 'test orders' },
  test_purchases: { with: 'test_orders' },
  test_wallets: { onePer: 'user_id' },
  transaction_pins: { onePer: 'user_id' },
  users: { calls: 'register', kept: 'an account stays' },
  ussd_phones: { onePer: 'user_id' },
  wallet_movements: { with: 'orders' },
  wallets: { with: 'users' },
  webhook_deliveries: { with: 'api_events' },
  webhook_endpoints: { share: 'webhooks' },
  whatsapp_links: { onePer: 'user_id' },
  withdrawals: { share: 'withdrawals on their way' },
}

/** Written by the shop itself, its staff, or services outside, whatever clients do. */
const OTHERS =
  `account_days account_deltas account_totals accounts admin_actions agreed_prices agent_lists agent_months agent_shop_rules agent_weeks approvals
  batch_formats batch_orders batches card_refunds channel_settings checker_codes checker_imports checker_kinds checker_packages checker_vault conversations
  credit_rules customer_notes day_closes delivery_days delivery_deltas delivery_events delivery_restarts delivery_totals dismissed_debits disputed_money disputed_orders disputes
  float_alarms float_readings float_settings forwarded_messages forwarders insight_day_minutes insight_days insight_deltas insight_hour_minutes
  insight_hours insight_minutes insight_package_weeks insight_packages insight_progress insight_running_totals invariant_checks journal_entries
  lapsed_buyers ledger_seals list_counts mail_days message_formats momo_wallets operations_settings order_deltas order_outbox order_search
  order_stretches order_totals package_costs packages payment_credits postings price_publications price_schedules products purchase_pauses
  read_reversals received_payments receiver_corrections recovery_codes referral_rules restore_rehearsals second_factors shop_settings sms_days
  sms_messages staff_roles staff_rules stale_days supplier_calls supplier_deliveries supplier_gaps supplier_health supplier_webhook
  undone_effects unmatched_payments user_blocks user_notes ussd_settings webhook_events whatsapp_chats whatsapp_claims whatsapp_days whatsapp_messages
  whatsapp_received whatsapp_settings whatsapp_statuses withdrawal_rules rate_limit_buckets schema_functions schema_migrations socket_io_attachments tries`
    .trim()
    .split(/\s+/)

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

async function triggersOf(table: string, procedure: string): Promise<string[][]> {
  const { rows } = await database.db.query<{ args: Buffer }>(
    `select tgargs as args from pg_trigger join pg_proc p on p.oid = tgfoid where tgrelid = $1::regclass and p.proname = $2`,
    [table, procedure],
  )
  return rows.map(({ args }) => args.toString().split('\0'))
}

test('every table is known: what clients fill has a maximum, and an end or a reason to stay', async () => {
  const { rows } = await database.db.query<{ name: string }>(
    `select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`,
  )
  const known = new Set([...Object.keys(CLIENTS), ...OTHERS])
  expect(rows.map(({ name }) => name).filter((name) => !known.has(name))).toEqual([])
  const names = new Set(rows.map(({ name }) => name))
  expect(Object.keys(CLIENTS).filter((name) => !names.has(name))).toEqual([])
})

describe('what keeps a client from filling', () => {
  test.each(Object.entries(CLIENTS))('%s', async (table, bound) => {
    if ('share' in bound) {
      expect(SHARES[bound.share]).toMatchObject({ table })
      expect((await triggersOf(table, 'hold_share')).map(([name]) => name)).toContain(bound.share)
    }
    if ('newest' in bound) expect((await triggersOf(table, 'keep_newest')).map(([, most]) => most)).toEqual([String(bound.newest)])
    if ('calls' in bound) expect(SHARES[bound.calls].of).toBe('calls')
    if ('with' in bound) expect(Object.keys(CLIENTS)).toContain(bound.with)
    if ('deleted' in bound) expect(isDeletedSomewhere(table)).toBe(true)
    if ('onePer' in bound) {
      const { rows } = await database.db.query<{ columns: string }>(
        `select string_agg(a.attname, ',' order by k.place) as columns from pg_index i
           cross join unnest(i.indkey::smallint[]) with ordinality as k (attnum, place)
           join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum
         where i.indrelid = $1::regclass and i.indisunique group by i.indexrelid`,
        [table],
      )
      expect(rows.map(({ columns }) => columns)).toContain(bound.onePer)
    }
  })
})

function isDeletedSomewhere(table: string): boolean {
  const root = resolve(import.meta.dirname, '..')
  try {
    return execFileSync('grep', ['-rlE', `delete from ${table}\\b`, 'server', '--include=*.ts'], { cwd: root }).length > 0
  } catch {
    return false
  }
}

test('the newest sessions of an account stay, also when many are made at the same time', async () => {
  const { db } = database
  const { rows } = await db.query<{ id: string }>(
    `insert into users (username, username_skeleton, email, phone, password_hash, created_at)
     select 'kofi ' || n, 'kofi ' || n, 'kofi' || n || '@shop.example', '024400000' || n, 'x', now() from generate_series(1, 2) n returning id`,
  )
  const [user, other] = rows.map(({ id }) => id)
  const add = (owner: string | undefined, minute: number) =>
    db.query(
      `insert into sessions (token_hash, user_id, created_at, last_used_at, expires_at)
       values (decode(md5($1 || $2) || md5($2 || $1), 'hex'), $1::uuid, now(), now() + $2::integer * interval '1 minute', now() + interval '1 day')`,
      [owner, String(minute)],
    )
  await add(other, 0)
  for (let from = 0; from < 56; from += 8) await Promise.all(Array.from({ length: 8 }, (_, n) => add(user, from + n)))
  const left = await db.query<{ minute: number; owner: string }>(
    `select user_id as owner, round(extract(epoch from last_used_at - created_at) / 60)::integer as minute from sessions order by 2`,
  )
  expect(left.rows.filter(({ owner }) => owner === other)).toHaveLength(1)
  expect(left.rows.filter(({ owner }) => owner === user).map(({ minute }) => minute)).toEqual(Array.from({ length: 50 }, (_, n) => n + 6))
})

test('lists whose payment was closed a day ago are cleared, and logos that nothing shows any more are deleted', async () => {
  const { db } = database
  const at = (day: number) => new Date(Date.UTC(2026, 10, day))
  const { rows } = await db.query<{ id: string }>(
    `insert into users (username, username_skeleton, email, phone, password_hash, created_at) values ('ama', 'ama', 'ama@shop.example', '0244000009', 'x', now()) returning id`,
  )
  const userId = rows[0]?.id
  const lists: [reference: string, status: string, day: number][] = [
    ['open-and-old', 'open', 1],
    ['closed-and-old', 'failed', 1],
    ['closed-and-new', 'failed', 3],
  ]
  for (const [reference, status, day] of lists) {
    await db.query(
      `insert into payments (reference, user_id, purpose, lines, price_pesewas, surcharge_pesewas, status, created_at)
       values ($1, $2, 'order', '[]', 500, 10, $3, $4)`,
      [reference, userId, status, at(day)],
    )
    await db.query('insert into payment_lists (reference, user_id, list, created_at) values ($1, $2, $3, $4)', [
      reference,
      userId,
      {},
      at(day),
    ])
  }
  await clearOldLists(db, at(2))
  const kept = await db.query<{ reference: string }>('select reference from payment_lists where list is not null order by 1')
  expect(kept.rows.map(({ reference }) => reference)).toEqual(['closed-and-new', 'open-and-old'])

  const image = (letter: string, day: number) => ({
    hash: letter.repeat(64),
    contentType: 'image/webp',
    bytes: Buffer.from(letter),
    now: at(day),
  })
  await insertImage(db, image('a', 1))
  for (const [letter, day] of [
    ['b', 1],
    ['c', 1],
    ['d', 3],
    ['e', 1],
  ] as const)
    await insertLogo(db, image(letter, day))
  await db.query(
    `insert into agent_shops (owner_id, slug, name, colour, logo_hash, created_at) values ($1, 'ama', 'Ama', 'plum', $2, now())`,
    [userId, 'c'.repeat(64)],
  )
  // Uploaded again a moment before.
  await insertLogo(db, image('e', 3))
  await deleteOldLogos(db, at(2))
  const left = await db.query<{ hash: string }>(`select hash from images where hash ~ '^(.)\\1+$' order by 1`)
  expect(left.rows.map(({ hash }) => hash[0])).toEqual(['a', 'c', 'd', 'e'])
})

test('a webhook gets few calls until it has answered one, also at the same time', async () => {
  const { db } = database
  const { rows } = await db.query<{ id: string }>(
    `insert into webhook_endpoints (user_id, url, events, secret, created_at)
     select id, 'https://agent.example/' || username, '{order.delivered}', 'x', now() from users where username in ('ama', 'kofi 1') order by username returning id`,
  )
  const [unproven = '', proven = ''] = rows.map(({ id }) => id)
  const taken = await Promise.all(Array.from({ length: 8 }, () => takeUnprovenCall(db, unproven, 5)))
  expect(taken.toSorted()).toEqual([false, false, false, true, true, true, true, true])
  await updateEndpointHealth(db as never, proven, { works: true, isSlow: false, now: new Date(), disabledIfSince: new Date(0) })
  for (let call = 0; call < 8; call++) expect(await takeUnprovenCall(db, proven, 5)).toBe(true)
})
