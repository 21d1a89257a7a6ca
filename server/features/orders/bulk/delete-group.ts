import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { NotFound } from '../../../platform/errors.ts'
import { lockActor } from '../../../platform/lock-actor.ts'
import { removeGroup } from './groups.sql.ts'

/**
 * Deletes a group and its schedules.
 * @throws NotFound, also for someone else's group.
 */
export async function deleteGroup(ctx: Ctx, id: string): Promise<void> {
  await transaction(ctx.db, async (tx) => {
    const actor = await lockActor(tx, ctx)
    if (!(await removeGroup(tx, actor.id, id))) throw new NotFound('group')
  })
}
