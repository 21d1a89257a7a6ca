import { BYTE_ORDER_MARK, csvLine } from '../../../../shared/csv.ts'
import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { AppError, NotFound } from '../../../platform/errors.ts'
import { requirePassword, requireStaff } from '../../../platform/lock-actor.ts'
import type { SecretsKey } from '../../../platform/seal-secret.ts'
import { lockBatch, takeBatch } from './afa.sql.ts'
import { AFA_HEADINGS, afaCells } from './present.ts'

const MOST = 500

/**
 * The file for the registrar: a new batch of what was not sent yet, or an earlier one again. Each time is recorded.
 * @throws Forbidden, PasswordNeeded; NotFound for a batch that does not exist or is erased; 409 CONFLICT when nothing waits.
 */
export async function sendAfa(ctx: Ctx, secretsKey: SecretsKey | null, again: number | null): Promise<{ batch: number; csv: string }> {
  return transaction(ctx.db, async (tx) => {
    await requireStaff(tx, ctx, 'orders')
    await requirePassword(tx, ctx)
    const batch = again ?? (await takeBatch(tx, { most: MOST, now: ctx.now }))
    if (batch === null) throw new AppError('CONFLICT', 'No details wait to be sent.')
    const rows = await lockBatch(tx, batch)
    if (rows.length === 0) throw new NotFound('batch')
    const after = { batch, orders: rows.map(({ seq }) => seq).join(', ') }
    await recordAdminAction(tx, ctx, {
      action: again === null ? 'afa.export' : 'afa.export-again',
      subject: { type: 'afa-batch', id: String(batch) },
      after,
    })
    const lines = rows.map((row) => csvLine(afaCells(row, secretsKey)))
    return { batch, csv: `${BYTE_ORDER_MARK}${csvLine(AFA_HEADINGS)}${lines.join('')}` }
  })
}
