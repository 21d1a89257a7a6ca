import { type Ctx, requireAdmin } from '../../platform/context.ts'
import { ASKED_KEY, CHECK_QUEUE } from './check-books.ts'

/** Has all rows of every invariant looked at at once, by whichever process is free. Asked twice, it is done once. */
export async function askForCheck(ctx: Ctx): Promise<Date> {
  requireAdmin(ctx)
  await ctx.jobs.enqueue(ctx.db, CHECK_QUEUE, [{ data: { askedAt: ctx.now.toISOString() }, key: ASKED_KEY, urgent: true }])
  ctx.jobs.wake(CHECK_QUEUE)
  return ctx.now
}
