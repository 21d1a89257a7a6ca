import type { AfaDetails } from '../../../../shared/afa-rules.ts'
import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { AppError, NotFound } from '../../../platform/errors.ts'
import { requirePassword, requireStaff } from '../../../platform/lock-actor.ts'
import type { SecretsKey } from '../../../platform/seal-secret.ts'
import { shareRegistration } from './afa.sql.ts'
import { openDetails } from './present.ts'

/**
 * The details of one person, for the staff. Who looked, at which order and why is recorded; what they saw is not.
 * @throws Forbidden, PasswordNeeded, NotFound; 409 CONFLICT before they were given and once they are erased.
 */
export async function openAfa(
  ctx: Ctx,
  secretsKey: SecretsKey | null,
  { orderId, reason }: { orderId: string; reason: string },
): Promise<AfaDetails> {
  return transaction(ctx.db, async (tx) => {
    await requireStaff(tx, ctx, 'orders')
    await requirePassword(tx, ctx)
    const row = await shareRegistration(tx, orderId)
    if (!row) throw new NotFound('order')
    const details = openDetails(row, secretsKey)
    if (!details) throw new AppError('CONFLICT', row.erasedAt ? 'The details were erased.' : 'The details were not given yet.')
    await recordAdminAction(tx, ctx, { action: 'afa.open', subject: { type: 'order', id: orderId }, note: reason })
    return details
  })
}
