import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { requireStaff } from '../../../platform/lock-actor.ts'
import { CHECK_QUEUE, fullCheckJob } from '../../../platform/queues.ts'

/** Queues a full check of every invariant. Requesting it twice runs it once. */
export async function requestCheck(ctx: Ctx): Promise<Date> {
  await transaction(ctx.db, async (tx) => {
    await requireStaff(tx, ctx, 'finance')
    await ctx.jobs.enqueue(tx, CHECK_QUEUE, [{ ...fullCheckJob(ctx.now), urgent: true }])
  })
  ctx.jobs.wake(CHECK_QUEUE)
  return ctx.now
}
