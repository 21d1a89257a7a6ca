import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { NotFound } from '../../../platform/errors.ts'
import { requireStaff } from '../../../platform/lock-actor.ts'
import { lockForwarder, updateEnded } from './forwarders.sql.ts'

/**
 * Takes nothing from a phone any more, from this moment on. What it has brought and nobody credited waits for a person.
 * @throws NotFound
 */
export async function endForwarder(ctx: Ctx, id: string): Promise<void> {
  await transaction(ctx.db, async (tx) => {
    await requireStaff(tx, ctx, 'owner')
    const forwarder = await lockForwarder(tx, id)
    if (!forwarder) throw new NotFound('phone')
    await updateEnded(tx, id, ctx.now)
    await recordAdminAction(tx, ctx, { action: 'forwarder.end', subject: { type: 'forwarder', id: forwarder.name } })
  })
}
