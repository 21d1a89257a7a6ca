import type { BatchFormat } from '../../../../shared/batches.ts'
import { recordAdminAction } from '../../../platform/audit.ts'
import { type Ctx, requireActor } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { Invalid, NotFound } from '../../../platform/errors.ts'
import { requireStaff } from '../../../platform/lock-actor.ts'
import { selectBatch, upsertFormat } from './batches.sql.ts'
import { formatOf } from './queries.ts'

/**
 * Remembers the file that the portal of this batch's network accepts, for all its batches from now on.
 * @throws NotFound, and Invalid for a column named twice.
 */
export async function changeBatchFormat(ctx: Ctx, number: number, format: BatchFormat): Promise<void> {
  requireActor(ctx)
  if (new Set(format.columns).size !== format.columns.length) throw new Invalid([{ path: 'columns', message: 'Choose each column once.' }])
  await transaction(ctx.db, async (tx) => {
    const admin = await requireStaff(tx, ctx, 'orders')
    const batch = await selectBatch(tx, number)
    if (!batch) throw new NotFound('batch')
    const before = await formatOf(tx, batch.network)
    await upsertFormat(tx, batch.network, format, { by: admin.id, now: ctx.now })
    await recordAdminAction(tx, ctx, {
      action: 'batch.format',
      subject: { type: 'batch', id: String(number) },
      before: { network: batch.network, ...before },
      after: { network: batch.network, ...format },
    })
  })
}
