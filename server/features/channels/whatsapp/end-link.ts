import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { lockActor } from '../../../platform/lock-actor.ts'
import { deleteLink } from './whatsapp.sql.ts'

/** Disconnects the caller's WhatsApp. Without one it changes nothing. */
export async function endLink(ctx: Ctx): Promise<void> {
  await transaction(ctx.db, async (tx) => {
    const { id } = await lockActor(tx, ctx)
    await deleteLink(tx, id)
  })
}
