import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { requireStaff } from '../../../platform/lock-actor.ts'
import { updateSetupHidden } from './setup.sql.ts'

/** Puts the list of first steps away, or brings it back. */
export async function changeSetup(ctx: Ctx, { hidden }: { hidden: boolean }): Promise<void> {
  await transaction(ctx.db, async (tx) => {
    await requireStaff(tx, ctx, 'owner')
    await updateSetupHidden(tx, hidden ? ctx.now : null)
    await recordAdminAction(tx, ctx, { action: 'shop.setup', subject: { type: 'shop', id: 'shop' }, after: { hidden } })
  })
}
