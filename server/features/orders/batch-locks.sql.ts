import type { Decision } from '../../../shared/orders.ts'
import type { Tx } from '../../platform/db.ts'

export type BatchLock = { batchId: string; number: number; by: string }

/** The batch that an order is locked in; null when it is in none. Lock the order first. */
export async function selectBatchLock(tx: Tx, orderId: string): Promise<BatchLock | null> {
  const { rows } = await tx.query<BatchLock>(
    `select b.id as "batchId", b.number, u.username as by from batch_orders l join batches b on b.id = l.batch_id join users u on u.id = b.made_by
     where l.order_id = $1 and l.status = 'locked'`,
    [orderId],
  )
  return rows[0] ?? null
}

/** Ends the lock of an order in its batch, before the order itself is decided. */
export async function endBatchLock(
  tx: Tx,
  orderId: string,
  { outcome, endedBy, now }: { outcome: Decision | 'released'; endedBy: string | null; now: Date },
) {
  await tx.query(`update batch_orders set status = $2, ended_by = $3, ended_at = $4 where order_id = $1 and status = 'locked'`, [
    orderId,
    outcome,
    endedBy,
    now,
  ])
}
