import type { BATCH_ORDER_STATUSES, BatchFormat } from '../../../../shared/batches.ts'
import type { Network } from '../../../../shared/networks.ts'
import type { Queryable, Tx } from '../../../platform/db.ts'
import type { Page } from '../../../platform/http/lists.ts'
import { IS_BY_HAND } from '../../orders/orders/by-hand.sql.ts'

export type BatchRow = {
  id: string
  number: number
  network: Network
  madeBy: string
  madeById: string
  madeAt: Date
  exportedAt: Date | null
  orders: number
  amountPesewas: number
  /** What it still locks. */
  locked: number
  lockedPesewas: number
}

const BATCH = `b.id, b.number, b.network, u.username as "madeBy", b.made_by as "madeById", b.made_at as "madeAt", b.exported_at as "exportedAt",
  held.orders, held."amountPesewas", held.locked, held."lockedPesewas"`
const FROM = `from batches b join users u on u.id = b.made_by cross join lateral (
    select count(*)::integer as orders, coalesce(sum(o.price_pesewas), 0)::bigint as "amountPesewas",
      (count(*) filter (where l.status = 'locked'))::integer as locked,
      coalesce(sum(o.price_pesewas) filter (where l.status = 'locked'), 0)::bigint as "lockedPesewas"
    from batch_orders l join orders o on o.id = l.order_id where l.batch_id = b.id
  ) held`

/** Batches, the newest first. */
export async function selectBatches(
  db: Queryable,
  { open, network, limit, offset }: Page & { open: boolean; network: Network | null },
): Promise<{ batches: BatchRow[]; total: number }> {
  const matching = `($1::text is null or b.network = $1)
    and (not $2 or b.id in (select batch_id from batch_orders where status = 'locked'))`
  const [page, count] = await Promise.all([
    db.query<BatchRow>(`select ${BATCH} ${FROM} where ${matching} order by b.number desc limit $3 offset $4`, [
      network,
      open,
      limit,
      offset,
    ]),
    db.query<{ total: number }>(`select count(*) as total from batches b where ${matching}`, [network, open]),
  ])
  return { batches: page.rows, total: count.rows[0]?.total ?? 0 }
}

export async function selectBatch(db: Queryable, number: number): Promise<BatchRow | null> {
  const { rows } = await db.query<BatchRow>(`select ${BATCH} ${FROM} where b.number = $1`, [number])
  return rows[0] ?? null
}

export async function selectBatchNumber(db: Queryable, madeBy: string, key: string): Promise<number | null> {
  const { rows } = await db.query<{ number: number }>('select number from batches where made_by = $1 and key = $2', [madeBy, key])
  return rows[0]?.number ?? null
}

export type BatchOrder = { orderId: string; seq: number; status: (typeof BATCH_ORDER_STATUSES)[number] }

/** The orders of a batch, the oldest first. */
export async function selectBatchOrders(db: Queryable, batchId: string): Promise<BatchOrder[]> {
  const { rows } = await db.query<BatchOrder>(
    `select l.order_id as "orderId", o.seq, l.status from batch_orders l join orders o on o.id = l.order_id where l.batch_id = $1 order by o.seq`,
    [batchId],
  )
  return rows
}

/** Locks orders in the order of their numbers, as every write does that locks several. */
export async function lockOrders(tx: Tx, ids: string[]) {
  await tx.query('select from orders where id = any ($1::uuid[]) order by seq for update', [ids])
}

/** Those of the orders, locked by now, that may go into a batch of the network. */
export async function selectBatchable(tx: Tx, ids: string[], network: Network): Promise<{ id: string; seq: number }[]> {
  const { rows } = await tx.query<{ id: string; seq: number }>(
    `select o.id, o.seq from orders o where o.id = any ($1::uuid[]) and o.network = $2 and ${IS_BY_HAND} order by o.seq`,
    [ids, network],
  )
  return rows
}

/** The batch's number; null when the same press has made one. */
export async function insertBatch(
  tx: Tx,
  { network, key, madeBy, now, ids }: { network: Network; key: string; madeBy: string; now: Date; ids: string[] },
): Promise<number | null> {
  const { rows } = await tx.query<{ id: string; number: number }>(
    `insert into batches (network, key, made_by, made_at) values ($1, $2, $3, $4) on conflict (made_by, key) do nothing returning id, number`,
    [network, key, madeBy, now],
  )
  const [made] = rows
  if (!made) return null
  await tx.query('insert into batch_orders (batch_id, order_id) select $1, id from orders where id = any ($2::uuid[]) order by seq', [
    made.id,
    ids,
  ])
  return made.number
}

export async function updateExported(tx: Tx, batchId: string, now: Date) {
  await tx.query('update batches set exported_at = $2 where id = $1', [batchId, now])
}

/** Releases those of the orders that the batch still locks. */
export async function releaseLocked(tx: Tx, batchId: string, ids: string[], { by, now }: { by: string; now: Date }): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(
    `update batch_orders set status = 'released', ended_by = $3, ended_at = $4
     where batch_id = $1 and order_id = any ($2::uuid[]) and status = 'locked' returning order_id as id`,
    [batchId, ids, by, now],
  )
  return rows.map(({ id }) => id)
}

/** A network's file as somebody last chose it; null for the usual one. */
export async function selectFormat(db: Queryable, network: Network): Promise<BatchFormat | null> {
  const { rows } = await db.query<BatchFormat>(
    `select file, columns, with_header as "withHeader", number_format as "numberFormat" from batch_formats where network = $1`,
    [network],
  )
  return rows[0] ?? null
}

export async function upsertFormat(tx: Tx, network: Network, format: BatchFormat, { by, now }: { by: string; now: Date }) {
  await tx.query(
    `insert into batch_formats (network, file, columns, with_header, number_format, updated_by, updated_at) values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (network) do update set file = excluded.file, columns = excluded.columns, with_header = excluded.with_header,
       number_format = excluded.number_format, updated_by = excluded.updated_by, updated_at = excluded.updated_at`,
    [network, format.file, format.columns, format.withHeader, format.numberFormat, by, now],
  )
}
