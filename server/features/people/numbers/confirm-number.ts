import { type Ctx, requireActor } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { lockActor } from '../../../platform/lock-actor.ts'
import { NUMBER_TAKEN_QUEUE, numberTakenJob } from '../../../platform/queues.ts'
import { lockUser } from '../users/users.sql.ts'
import { replaceOwner, selectIsConfirmed } from './confirmed-numbers.sql.ts'
import { INSTEAD } from './request-number-code.ts'
import { takeNumberCode, WrongCode } from './take-number-code.ts'

/**
 * Confirms a number for the caller by the code that was sent to it: payments from it are the caller's from then on. An account that had
 * confirmed it before loses it and gets a mail.
 * @throws Invalid for a wrong code, which is counted; 409 CONFLICT when no code works any more.
 */
export async function confirmNumber(ctx: Ctx, { phone, code }: { phone: string; code: string }): Promise<void> {
  const place = { userId: requireActor(ctx).id, shopId: null, phone }
  const taken = await transaction(ctx.db, async (tx) => {
    // Another try of this account waits here, and so does a change of its phone.
    await lockUser(tx, place.userId)
    await lockActor(tx, ctx)
    if (await selectIsConfirmed(tx, place)) return null
    const taken = await takeNumberCode(tx, ctx, place, { code, instead: INSTEAD })
    if (taken instanceof WrongCode) return taken
    const former = await replaceOwner(tx, { phone, userId: place.userId, codeId: taken.codeId, now: ctx.now })
    if (former) {
      await ctx.jobs.enqueue(tx, NUMBER_TAKEN_QUEUE, [numberTakenJob({ userId: former.userId, to: former.email, phone }, ctx.now)])
    }
    return null
  })
  if (taken instanceof WrongCode) throw taken
  ctx.jobs.wake(NUMBER_TAKEN_QUEUE)
}
