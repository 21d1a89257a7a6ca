import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { AppError, NotFound } from '../../../platform/errors.ts'
import { requireStaff } from '../../../platform/lock-actor.ts'
import { factsOf } from './present.ts'
import { endSchedule, isSchedule, lockWaitingSchedule } from './prices.sql.ts'

/**
 * Cancels scheduled prices.
 * @throws NotFound; 409 when they are live or cancelled already.
 */
export async function cancelSchedule(ctx: Ctx, id: string): Promise<void> {
  await transaction(ctx.db, async (tx) => {
    await requireStaff(tx, ctx, 'products')
    const schedule = await lockWaitingSchedule(tx, id)
    if (!schedule && !(await isSchedule(tx, id))) throw new NotFound('schedule')
    if (!schedule) throw new AppError('CONFLICT', 'These prices are live or cancelled already.')
    await endSchedule(tx, id, { outcome: 'cancelled', leftOut: [], now: ctx.now })
    await recordAdminAction(tx, ctx, {
      action: 'prices.cancel',
      subject: { type: 'prices', id: [...new Set(schedule.changes.map(({ network }) => network))].join(', ') },
      before: { ...factsOf(schedule.changes, 'to'), liveAt: schedule.liveAt.toISOString() },
      after: null,
    })
  })
}
