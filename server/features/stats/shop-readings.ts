import type { Queryable } from '../../platform/db.ts'
import type { Reading } from '../../platform/metrics.ts'

/** What a monitor wants to know of the shop itself. Each is read off kept totals or a partial index: cheap at any size. */
export async function readShop(db: Queryable): Promise<Reading[]> {
  const [orders, waiting, jobs] = await Promise.all([readOrders(db), readWaiting(db), readJobs(db)])
  return [...orders, ...waiting, ...jobs]
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

/** The queue makes its own tables, so a shop that has none yet has no jobs. */
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
