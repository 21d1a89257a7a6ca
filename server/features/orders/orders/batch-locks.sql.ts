import type { Decision } from '../../../../shared/orders.ts'
import type { Tx } from '../../../platform/db.ts'

export type BatchLock = { batchId: string; number: number; by: string }

/**
 * The batch that an order is locked in, and the last one that listed it for somebody to send, also where it was released from there; null when there is
 * none. Lock the order first.
 */
export async function selectBatchesOf(tx: Tx, orderId: string): Promise<{ lock: BatchLock | null; listedIn: number | null }> {
  const { rows } = await tx.query<BatchLock & { isLocked: boolean }>(
    `select b.id as "batchId", b.number, u.username as by, l.status = 'locked' as "isLocked"
     from batch_orders l join batches b on b.id = l.batch_id join users u on u.id = b.made_by where l.order_id = $1 order by b.number desc`,
    [orderId],
  )
  return { lock: rows.find(({ isLocked }) => isLocked) ?? null, listedIn: rows[0]?.number ?? null }
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
