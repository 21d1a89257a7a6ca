import type { BatchFormat } from '../../../../shared/batches.ts'
import type { Network } from '../../../../shared/networks.ts'
import type { Queryable } from '../../../platform/db.ts'
import { NotFound } from '../../../platform/errors.ts'
import { type OrderRow, selectOrders } from '../../orders/orders/orders.sql.ts'
import { type BatchOrder, type BatchRow, selectBatch, selectBatchOrders, selectFormat } from './batches.sql.ts'

/** Number and gigabytes with a heading is what most portals take. */
const USUAL_FORMAT: BatchFormat = { file: 'xlsx', columns: ['number', 'gb'], withHeader: true, numberFormat: 'local' }

export async function formatOf(db: Queryable, network: Network): Promise<BatchFormat> {
  return (await selectFormat(db, network)) ?? USUAL_FORMAT
}

export type WholeBatch = { batch: BatchRow; rows: { status: BatchOrder['status']; order: OrderRow }[]; format: BatchFormat }

/**
 * One batch with its orders, the oldest first.
 * @throws NotFound
 */
export async function readBatch(db: Queryable, number: number): Promise<WholeBatch> {
  const batch = await selectBatch(db, number)
  if (!batch) throw new NotFound('batch')
  const batched = await selectBatchOrders(db, batch.id)
  const orders = await selectOrders(
    db,
    batched.map(({ orderId }) => orderId),
  )
  const statuses = new Map(batched.map(({ orderId, status }) => [orderId, status]))
  const rows = orders.map((order) => ({ order, status: statuses.get(order.id) as BatchOrder['status'] }))
  return { batch, rows, format: await formatOf(db, batch.network) }
}
