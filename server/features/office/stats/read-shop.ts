import type { Queryable } from '../../../platform/db.ts'
import type { Reading } from '../../../platform/metrics.ts'
import { selectKnown, selectPause } from '../reconciliation/reconciliation.sql.ts'

/** Metrics about the shop's data. Each is read from running totals or a partial index, so it is cheap at any size. */
export async function readShop(db: Queryable): Promise<Reading[]> {
  const [orders, waiting, jobs, books] = await Promise.all([readOrders(db), readWaiting(db), readJobs(db), readReconciliation(db)])
  return [...orders, ...waiting, ...jobs, ...books]
}

async function readOrders(db: Queryable): Promise<Reading[]> {
  const { rows } = await db.query<{ network: string; status: string; orders: number }>(
    `select network, status, sum(orders) as orders from order_counts where day = 'infinity' group by network, status`,
  )
  return rows.map(({ network, status, orders }) => ({
    name: 'dwadi_orders',
    help: 'Orders that the shop holds, by network and status.',
    labels: { network, status },
    value: orders,
  }))
}

async function readWaiting(db: Queryable): Promise<Reading[]> {
  const { rows } = await db.query<{ what: string; count: number }>(
    `select 'held payments' as what, count(*) from payments where status = 'held' and not in_wallet
     union all select 'notices of the card provider', count(*) from webhook_events where handled_at is null
     union all select 'password mails', count(*) from password_reset_requests where try_at is not null
     union all select 'recharges', count(*) from recharges where status = 'pending'`,
  )
  return rows.map(({ what, count }) => ({ name: 'dwadi_waiting', help: 'What waits to be dealt with.', labels: { what }, value: count }))
}

async function readReconciliation(db: Queryable): Promise<Reading[]> {
  const [known, pause] = await Promise.all([selectKnown(db), selectPause(db)])
  const ofEach = known.map(({ invariant, found, problem, checkedAt }) => ({ labels: { invariant }, found, problem, checkedAt }))
  return [
    ...ofEach.map(({ labels, found }) => ({
      name: 'dwadi_ledger_violations',
      help: 'Violations that the last check of a ledger invariant found. Anything but 0 is an emergency.',
      labels,
      value: found.length,
    })),
    ...ofEach.map(({ labels, problem, checkedAt }) => ({
      name: 'dwadi_ledger_checked_timestamp_seconds',
      help: 'When a ledger invariant was last checked; 0 when the last check did not finish.',
      labels,
      value: problem === null ? checkedAt.getTime() / 1000 : 0,
    })),
    { name: 'dwadi_purchases_paused', help: 'Whether purchases are paused because of the ledger.', labels: {}, value: pause ? 1 : 0 },
  ]
}

/** The queue creates its own tables, so a new database has none yet. */
async function readJobs(db: Queryable): Promise<Reading[]> {
  const { rows: found } = await db.query<{ there: boolean }>(`select to_regclass('jobs.job') is not null as there`)
  if (!found[0]?.there) return []
  const { rows } = await db.query<{ queue: string; count: number }>(
    `select name as queue, count(*) from jobs.job where state < 'active' group by name`,
  )
  return rows.map(({ queue, count }) => ({
    name: 'dwadi_jobs_waiting',
    help: 'Jobs that wait, by queue.',
    labels: { queue },
    value: count,
  }))
}
