import { until } from '../test/until.ts'
import type { Shops } from './shops.ts'

/** Queues of repeated jobs, which run by the clock, and that of failed jobs. */
const BY_THE_CLOCK = ['check-books', 'supplier-balance', 'supplier-alarm', 'daily-check', 'parked']
/** Jobs due later than this are not waited for. */
const SOON = "interval '5 seconds'"

/** How much of each kind is under way or due soon. */
const UNDER_WAY = `select kind, count(*) as total from (
    select 'new orders' as kind from order_outbox
    union all select 'jobs of ' || name from jobs.job
      where state < 'completed' and (state = 'active' or start_after < now() + ${SOON}) and name <> all ($1) and name not like '\\_\\_pgboss%'
    union all select 'deliveries that are ' || status from supplier_deliveries where status in ('waiting', 'sending', 'accepted', 'unknown')
    union all select 'messages that are ' || status from sms_messages where status in ('waiting', 'sending', 'for-digest')
    union all select 'notices of the card provider' from webhook_events where handled_at is null
    union all select 'password mails' from password_reset_requests where try_at is not null
  ) found group by kind order by kind`

/** Waits until the shop has nothing left to do, except for repeated jobs. */
export async function untilQuiet(shops: Shops, withinMs = 600_000): Promise<void> {
  let left: { kind: string; total: number }[] = []
  await until(async () => {
    left = (await shops.db.query<{ kind: string; total: number }>(UNDER_WAY, [BY_THE_CLOCK])).rows
    return left.length === 0
  }, withinMs).catch(() => {
    throw new Error(`the shop was never quiet: ${left.map(({ kind, total }) => `${total} ${kind}`).join(', ')}`)
  })
}

/** Tables that loops and repeated jobs change, whatever users do. */
const NOT_TABLES = [
  'invariant_checks',
  'ledger_seals',
  'supplier_calls',
  'supplier_health',
  'float_readings',
  'float_alarms',
  'lapsed_buyers',
  'insight_progress',
  'socket_io_attachments',
]
const NOT_COLUMNS: Record<string, string[]> = { payments: ['check_at', 'checks', 'reason'], sessions: ['last_used_at'] }
/** A refusal is stored under its key, so that it can be repeated. */
const ONLY_ROWS: Record<string, string> = { idempotency_keys: `outcome ->> 'outcome' = 'placed'` }

/** A digest of each table once the shop is quiet: when two differ, a request has changed the table. */
export async function digestTables(shops: Shops): Promise<Record<string, string>> {
  await untilQuiet(shops)
  await foldTotals(shops)
  const { rows } = await shops.db.query<{ name: string }>(`select tablename as name from pg_tables where schemaname = 'public' order by 1`)
  const digests: Record<string, string> = {}
  for (const { name } of rows.filter((row) => !NOT_TABLES.includes(row.name))) {
    const { rows: found } = await shops.db.query<{ digest: string }>(
      `select md5(coalesce(string_agg(line, '' order by line), '')) as digest
       from (select md5((to_jsonb(t) - $1::text[])::text) as line from ${name} t where ${ONLY_ROWS[name] ?? 'true'}) lines`,
      [NOT_COLUMNS[name] ?? []],
    )
    digests[name] = found[0]?.digest as string
  }
  return digests
}

/** Folds deltas into totals and indexes new orders, as the shop's loops do. */
async function foldTotals(shops: Shops) {
  for (let left = 1; left > 0; ) {
    await shops.db.query(
      'select fold_account_deltas(), fold_order_deltas(), fold_delivery_deltas(), fold_insight_deltas(), index_new_orders()',
    )
    const { rows } = await shops.db.query<{ left: number }>('select count(*) as left from orders_not_searchable')
    left = rows[0]?.left as number
  }
}
