import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { lockActor } from '../../../platform/lock-actor.ts'
import { upsertNewsPreference } from './news.sql.ts'

/** Chooses whether the caller gets text messages about their own orders. */
export async function changeNews(ctx: Ctx, { sms }: { sms: boolean }): Promise<void> {
  await transaction(ctx.db, async (tx) => {
    const actor = await lockActor(tx, ctx)
    await upsertNewsPreference(tx, actor.id, sms, ctx.now)
  })
}
