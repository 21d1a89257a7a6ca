import { SEES_COSTS } from '../../../../shared/staff-rules.ts'
import { CHECKER_LOSSES, CHECKER_STOCK } from '../../../ledger/accounts.ts'
import { postTransfer } from '../../../ledger/ledger.ts'
import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { AlreadyDecided, AppError, NotFound } from '../../../platform/errors.ts'
import { requireStaff } from '../../../platform/lock-actor.ts'
import { lockCode, markVoided } from './checkers.sql.ts'
import { announceCheckers } from './events.ts'

/**
 * Takes one code that nobody has bought out of the stock for good, and books what it cost as a loss. A purchase of the same moment has the code,
 * and it is sold, or takes another.
 * @throws NotFound, AlreadyDecided; 409 CONFLICT when it is sold or was taken back with its import
 */
export async function voidCode(ctx: Ctx, { codeId, reason }: { codeId: number; reason: string }): Promise<void> {
  await transaction(ctx.db, async (tx) => {
    const admin = await requireStaff(tx, ctx, SEES_COSTS, { movesMoney: true })
    const code = await lockCode(tx, codeId)
    if (!code) throw new NotFound('code')
    if (code.isSold) throw new AppError('CONFLICT', 'That code is sold. If it is faulty, replace it on its order.')
    if (code.voidedAt) throw new AlreadyDecided('code', 'voided')
    if (code.takenBackAt) throw new AppError('CONFLICT', 'That code was taken back with its import.')
    await markVoided(tx, codeId, { reason, by: admin.id, now: ctx.now })
    await postTransfer(tx, {
      key: `checker-void:${codeId}`,
      kind: 'checker-loss',
      memo: `Voided a ${code.name} checker of import ${code.importSeq}`,
      actorId: admin.id,
      lines: [
        { accountId: CHECKER_LOSSES, amountPesewas: -code.costPesewas },
        { accountId: CHECKER_STOCK, amountPesewas: code.costPesewas },
      ],
      now: ctx.now,
    })
    await recordAdminAction(tx, ctx, {
      action: 'checkers.voided',
      subject: { type: 'checker-code', id: String(codeId) },
      before: { number: code.importSeq, kind: code.kind, serialEnd: code.tail, costPesewas: code.costPesewas },
      note: reason,
    })
  })
  await announceCheckers(ctx, { onlySoldOut: true })
}
