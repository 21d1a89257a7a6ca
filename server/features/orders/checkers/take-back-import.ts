import { SEES_COSTS } from '../../../../shared/staff-rules.ts'
import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { AlreadyDecided, AppError, NotFound } from '../../../platform/errors.ts'
import { requireStaff } from '../../../platform/lock-actor.ts'
import { lockImport, markTakenBack } from './checkers.sql.ts'
import { announceCheckers } from './events.ts'
import { postReturn } from './post-return.ts'

/**
 * Takes an import out of the stock, and out of the books, as long as nothing of it is sold or voided. Its codes may be imported again.
 * @throws NotFound, AlreadyDecided; 409 CONFLICT when some are sold or voided
 */
export async function takeBackImport(ctx: Ctx, id: string): Promise<void> {
  await transaction(ctx.db, async (tx) => {
    const admin = await requireStaff(tx, ctx, SEES_COSTS, { movesMoney: true })
    const found = await lockImport(tx, id)
    if (!found) throw new NotFound('import')
    if (found.takenBackAt) throw new AlreadyDecided('import', 'taken back')
    if (found.sold > 0) throw new AppError('CONFLICT', `${found.sold} of its codes are sold, so it cannot be taken back.`)
    if (found.voided > 0)
      throw new AppError('CONFLICT', `${found.voided} of its codes are voided, so it cannot be taken back. Void the others one by one.`)
    await markTakenBack(tx, id, admin.id, ctx.now)
    await postReturn(tx, id, found, { actorId: admin.id, now: ctx.now })
    await recordAdminAction(tx, ctx, {
      action: 'checkers.taken-back',
      subject: { type: 'checker-import', id },
      before: { number: found.seq, kind: found.kind, codes: found.codes, distributor: found.distributor },
    })
  })
  await announceCheckers(ctx)
}
