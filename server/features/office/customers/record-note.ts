import { SEES_ORDERS } from '../../../../shared/staff-rules.ts'
import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { NotFound } from '../../../platform/errors.ts'
import { requireStaff } from '../../../platform/lock-actor.ts'
import { selectUser } from '../../people/users/users.sql.ts'
import { insertNote } from './notes.sql.ts'

/** @throws NotFound */
export async function recordNote(ctx: Ctx, { userId, text }: { userId: string; text: string }): Promise<void> {
  await transaction(ctx.db, async (tx) => {
    const actor = await requireStaff(tx, ctx, SEES_ORDERS)
    if (!(await selectUser(tx, userId))) throw new NotFound('customer')
    await insertNote(tx, { userId, authorId: actor.id, body: text, now: ctx.now })
    await recordAdminAction(tx, ctx, { action: 'customer.note', subject: { type: 'user', id: userId }, note: text })
  })
}
