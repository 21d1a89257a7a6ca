import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { AppError } from '../../../platform/errors.ts'
import { requireStaff } from '../../../platform/lock-actor.ts'
import { lockPause, markLifted } from './reconciliation.sql.ts'

/**
 * Resumes purchases, whether or not the violations are fixed: an admin has looked and gives a reason.
 * @throws 409 when purchases are not paused.
 */
export async function liftPause(ctx: Ctx, { reason }: { reason: string }): Promise<void> {
  await transaction(ctx.db, async (tx) => {
    const admin = await requireStaff(tx, ctx, 'owner')
    const pause = await lockPause(tx)
    if (!pause) throw new AppError('CONFLICT', 'Purchases are not paused.')
    await markLifted(tx, pause.id, { by: admin.id, reason, now: ctx.now })
    await recordAdminAction(tx, ctx, {
      action: 'purchases.resume',
      subject: { type: 'purchases', id: 'paused' },
      before: { pausedAt: pause.pausedAt.toISOString(), found: pause.found },
      after: {},
      note: reason,
    })
  })
}
