import type { ChangeCheckerKind } from '../../../shared/checkers.ts'
import { SEES_COSTS } from '../../../shared/staff-rules.ts'
import { recordAdminAction } from '../../platform/audit.ts'
import type { Ctx } from '../../platform/context.ts'
import { transaction } from '../../platform/db.ts'
import { NotFound } from '../../platform/errors.ts'
import { requireStaff } from '../../platform/lock-actor.ts'
import { lockKind, updateKind } from './checkers.sql.ts'

/** @throws NotFound */
export async function changeKind(ctx: Ctx, kind: string, wanted: ChangeCheckerKind): Promise<void> {
  await transaction(ctx.db, async (tx) => {
    await requireStaff(tx, ctx, SEES_COSTS)
    const before = await lockKind(tx, kind)
    if (!before) throw new NotFound('kind')
    await updateKind(tx, kind, wanted)
    await recordAdminAction(tx, ctx, { action: 'checkers.kind', subject: { type: 'checker-kind', id: kind }, before, after: wanted })
  })
}
