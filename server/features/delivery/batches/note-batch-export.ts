import { recordAdminAction } from '../../../platform/audit.ts'
import { type Ctx, requireActor } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { NotFound } from '../../../platform/errors.ts'
import { requireStaff } from '../../../platform/lock-actor.ts'
import { selectBatch, updateExported } from './batches.sql.ts'

/**
 * Notes that somebody has the list of a batch and may be sending it. Harmless if repeated.
 * @throws NotFound
 */
export async function noteBatchExport(ctx: Ctx, number: number): Promise<void> {
  requireActor(ctx)
  await transaction(ctx.db, async (tx) => {
    await requireStaff(tx, ctx, 'orders')
    const batch = await selectBatch(tx, number)
    if (!batch) throw new NotFound('batch')
    await updateExported(tx, batch.id, ctx.now)
    await recordAdminAction(tx, ctx, {
      action: 'batch.export',
      subject: { type: 'batch', id: String(number) },
      after: { orders: batch.locked },
    })
  })
}
