import type { ChangeCheckerKind } from '../../../../shared/checkers.ts'
import { hasRole, SEES_COSTS } from '../../../../shared/staff-rules.ts'
import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { Invalid, NotFound } from '../../../platform/errors.ts'
import { requireStaff } from '../../../platform/lock-actor.ts'
import { lockKind, updateKind } from './checkers.sql.ts'

/**
 * Only an owner changes the portal: every buyer gets its address beside serial and PIN.
 * @throws NotFound, Invalid
 */
export async function changeKind(ctx: Ctx, kind: string, wanted: ChangeCheckerKind): Promise<void> {
  await transaction(ctx.db, async (tx) => {
    const actor = await requireStaff(tx, ctx, SEES_COSTS)
    const before = await lockKind(tx, kind)
    if (!before) throw new NotFound('kind')
    if (wanted.portal !== before.portal && !hasRole(actor, 'owner'))
      throw new Invalid([{ path: 'portal', message: 'Buyers type their PIN at this address. An owner must change it.' }])
    await updateKind(tx, kind, wanted)
    await recordAdminAction(tx, ctx, { action: 'checkers.kind', subject: { type: 'checker-kind', id: kind }, before, after: wanted })
  })
}
