import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { NotFound } from '../../../platform/errors.ts'
import { lockActor } from '../../../platform/lock-actor.ts'
import { removeContact } from './contacts.sql.ts'

/** @throws NotFound, also for someone else's contact. */
export async function deleteContact(ctx: Ctx, id: string): Promise<void> {
  await transaction(ctx.db, async (tx) => {
    const actor = await lockActor(tx, ctx)
    if (!(await removeContact(tx, actor.id, id))) throw new NotFound('contact')
  })
}
