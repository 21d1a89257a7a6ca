import type { Db } from '../../../platform/db.ts'
import { transaction } from '../../../platform/db.ts'
import type { JobQueue } from '../../../platform/job-queue.ts'
import { QUERY_STATUS_QUEUE, queryStatusJob } from '../../../platform/queues.ts'

export type AfterRestore = { asked: number; byHand: number }

/**
 * A backup does not know what was sent after it was made. Orders that were being sent are queried first, and orders not yet
 * sent are left to a person, so that none is delivered twice. Those that may have been sent get an attempt recorded, since
 * no delivery may exist without one.
 */
export async function queryStatusAfterRestore(db: Db, jobs: JobQueue, now: Date): Promise<AfterRestore> {
  return transaction(db, async (tx) => {
    await tx.query(
      `update supplier_deliveries set status = 'unknown', attempts = greatest(attempts, 1), updated_at = $1,
         detail = 'restored from a backup, so it is asked about first'
       where status in ('waiting', 'sending')`,
      [now],
    )
    const { rows: open } = await tx.query<{ orderId: string }>(
      `select order_id as "orderId" from supplier_deliveries where status in ('accepted', 'unknown') order by created_at`,
    )
    await jobs.enqueue(
      tx,
      QUERY_STATUS_QUEUE,
      open.map(({ orderId }) => queryStatusJob(orderId, { urgent: true })),
    )
    const { rows } = await tx.query<{ left: number }>(
      `with gone as (delete from order_outbox returning order_id)
       select count(*) as left from orders where status = 'pending' and id in (select order_id from gone)`,
    )
    return { asked: open.length, byHand: rows[0]?.left ?? 0 }
  })
}
