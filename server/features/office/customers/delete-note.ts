import { SEES_ORDERS } from '../../../../shared/staff-rules.ts'
import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { NotFound } from '../../../platform/errors.ts'
import { requireStaff } from '../../../platform/lock-actor.ts'
import { removeNote } from './notes.sql.ts'

/** Only its writer deletes a note. @throws NotFound, also for somebody else's note. */
export async function deleteNote(ctx: Ctx, { userId, noteId }: { userId: string; noteId: string }): Promise<void> {
  await transaction(ctx.db, async (tx) => {
    const actor = await requireStaff(tx, ctx, SEES_ORDERS)
    const text = await removeNote(tx, { id: noteId, userId, authorId: actor.id })
    if (text === null) throw new NotFound('note')
    await recordAdminAction(tx, ctx, { action: 'customer.note-deleted', subject: { type: 'user', id: userId }, note: text })
  })
}
