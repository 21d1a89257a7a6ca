import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { NotFound } from '../../../platform/errors.ts'
import { requireStaff } from '../../../platform/lock-actor.ts'

/**
 * Puts a failed job back into its queue with its retries renewed.
 * @throws NotFound
 */
export async function retryJob(ctx: Ctx, jobId: string): Promise<void> {
  await transaction(ctx.db, async (tx) => {
    await requireStaff(tx, ctx, 'orders')
    if (!(await ctx.jobs.retryFailed(tx, jobId))) throw new NotFound('job')
    await recordAdminAction(tx, ctx, { action: 'job.retry', subject: { type: 'job', id: jobId } })
  })
}
