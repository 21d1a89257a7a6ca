import { NETWORKS, type Network } from '../../../../shared/networks.ts'
import type { OrderSegment } from '../../../../shared/orders.ts'
import type { Queryable } from '../../../platform/db.ts'

/** True of a delivery `d` that goes on without a person. Unclear ones are asked about twice before a person looks. */
export const GOES_ON = `d.status in ('waiting', 'sending', 'accepted', 'unknown') and (d.status <> 'unknown' or (d.not_found < 2 and d.asked < 2))`
const IS_LOCKED = `exists (select from batch_orders l where l.order_id = o.id and l.status = 'locked')`
const WAITS_FOR_SUPPLIER = `exists (select from supplier_deliveries d where d.order_id = o.id and ${GOES_ON})`

export type PendingCount = {
  network: Network
  pending: number
  waiting: number
  batched: number
  pendingPesewas: number
  waitingPesewas: number
}

/** By network: the pending orders, those of them that wait for a supplier or in a batch, and those in a batch. All others are to be decided. */
export async function countPending(db: Queryable): Promise<PendingCount[]> {
  const { rows } = await db.query<PendingCount>(
    `with waiting as (
       select o.network, count(*) as waiting, count(*) filter (where w.batched) as batched, sum(o.price_pesewas) as pesewas
       from (
         select d.order_id, false as batched from supplier_deliveries d where ${GOES_ON}
         union all select l.order_id, true from batch_orders l where l.status = 'locked'
       ) w join orders o on o.id = w.order_id where o.status = 'pending' group by o.network
     )
     select c.network, sum(c.orders) as pending, coalesce(max(w.waiting), 0) as waiting, coalesce(max(w.batched), 0) as batched,
       sum(c.pesewas)::bigint as "pendingPesewas", coalesce(max(w.pesewas), 0)::bigint as "waitingPesewas"
     from order_counts c left join waiting w on w.network = c.network
     where c.day = 'infinity' and c.status = 'pending' group by c.network having sum(c.orders) > 0
     order by array_position($1::text[], c.network)`,
    [NETWORKS],
  )
  return rows
}

export type PendingSum = { orders: number; pesewas: number }

/** The same of all networks. The counts follow a moment later than the batches. */
export async function sumPending(db: Queryable): Promise<{ pending: PendingSum; waiting: number; toDecide: PendingSum }> {
  const counts = await countPending(db)
  const sum = (name: Exclude<keyof PendingCount, 'network'>) => counts.reduce((total, count) => total + count[name], 0)
  const pending = { orders: sum('pending'), pesewas: sum('pendingPesewas') }
  const waiting = sum('waiting')
  return {
    pending,
    waiting,
    toDecide: { orders: Math.max(pending.orders - waiting, 0), pesewas: Math.max(pending.pesewas - sum('waitingPesewas'), 0) },
  }
}

/** When the oldest order was bought that is to be decided. */
export async function selectOldestToDecide(db: Queryable): Promise<Date | null> {
  const { rows } = await db.query<{ oldest: Date }>({
    name: 'oldest-to-decide',
    text: `select first.created_at as oldest from unnest($1::text[]) network,
        lateral (select seq, created_at from orders o where o.network = network.network and o.status = 'pending'
            and not ${WAITS_FOR_SUPPLIER} and not ${IS_LOCKED} order by seq limit 1) first
      order by first.seq limit 1`,
    values: [NETWORKS],
  })
  return rows[0]?.oldest ?? null
}

export async function countDecided(db: Queryable): Promise<{ completed: number; rejected: number }> {
  const { rows } = await db.query<{ completed: number; rejected: number }>(
    `select coalesce(sum(orders) filter (where status = 'completed'), 0) as completed,
       coalesce(sum(orders) filter (where status = 'rejected'), 0) as rejected
     from order_counts where day = 'infinity' and status <> 'pending'`,
  )
  return rows[0] as { completed: number; rejected: number }
}

/** The numbers of one page of a segment, newest first. What is in a batch is in neither: it is listed with its batch. */
export async function selectSegment(
  db: Queryable,
  segment: OrderSegment,
  network: Network | null,
  { limit, offset }: { limit: number; offset: number },
): Promise<number[]> {
  const networks = network === null ? NETWORKS : [network]
  const { rows } =
    segment === 'to-decide'
      ? await db.query<{ seq: number }>(
          `select found.seq from unnest($1::text[]) n (network) cross join lateral (
             select o.seq from orders o where o.network = n.network and o.status = 'pending' and not ${WAITS_FOR_SUPPLIER} and not ${IS_LOCKED}
             order by o.seq desc limit $2::integer + $3::integer
           ) found order by found.seq desc limit $2 offset $3`,
          [networks, limit, offset],
        )
      : await db.query<{ seq: number }>(
          `select o.seq from supplier_deliveries d join orders o on o.id = d.order_id
           where ${GOES_ON} and o.status = 'pending' and o.network = any ($1::text[]) and not ${IS_LOCKED}
           order by o.seq desc limit $2 offset $3`,
          [networks, limit, offset],
        )
  return rows.map(({ seq }) => seq)
}

/** Those of the orders that are in the segment, newest first. */
export async function keepInSegment(db: Queryable, seqs: number[], segment: OrderSegment): Promise<number[]> {
  const waits = segment === 'waiting' ? WAITS_FOR_SUPPLIER : `not ${WAITS_FOR_SUPPLIER}`
  const { rows } = await db.query<{ seq: number }>(
    `select o.seq from orders o where o.seq = any ($1::bigint[]) and o.status = 'pending' and ${waits} and not ${IS_LOCKED} order by o.seq desc`,
    [seqs],
  )
  return rows.map(({ seq }) => seq)
}
