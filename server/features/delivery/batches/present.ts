import type { Batch, BatchSummary } from '../../../../shared/batches.ts'
import { toCedis } from '../../../../shared/money.ts'
import { presentOrder } from '../../orders/orders/present.ts'
import type { BatchRow } from './batches.sql.ts'
import type { WholeBatch } from './queries.ts'

export function presentBatchSummary(row: BatchRow): BatchSummary {
  const { number, network, madeBy, madeById, madeAt, exportedAt, orders, locked } = row
  return {
    number,
    network,
    madeBy,
    madeById,
    madeAt: madeAt.toISOString(),
    exportedAt: exportedAt?.toISOString() ?? null,
    orders,
    amount: toCedis(row.amountPesewas),
    locked,
    lockedAmount: toCedis(row.lockedPesewas),
  }
}

export function presentBatch({ batch, rows, format }: WholeBatch): Batch {
  return { ...presentBatchSummary(batch), format, rows: rows.map(({ status, order }) => ({ status, order: presentOrder(order, 'admin') })) }
}
