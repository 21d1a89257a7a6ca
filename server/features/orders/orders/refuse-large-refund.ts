import { isoDay } from '../../../../shared/dates.ts'
import { formatPesewas } from '../../../../shared/money.ts'
import type { Ctx } from '../../../platform/context.ts'
import type { Tx } from '../../../platform/db.ts'
import { AppError } from '../../../platform/errors.ts'
import { takeLimitTurn } from '../../people/second-factor/staff-rules.sql.ts'
import { selectRefundedAlone } from './refunds.sql.ts'

/**
 * Of what was or may have been delivered, somebody who is not an owner refunds, replaces and has sent once more as much a day as they may move alone: ten
 * refunds just below the limit are one large one. The buyer may be a friend who has the data, and whose order a list for the network's portal had was
 * perhaps sent. `amountPesewas`: what this refund gives back, what is delivered again is worth, or the buyer paid for a code.
 * @throws AppError (SECOND_PERSON_NEEDED) above it
 */
export async function refuseLargeRefund(tx: Tx, ctx: Ctx, amountPesewas: number): Promise<void> {
  if (!ctx.actor) return
  const { id: actorId } = ctx.actor
  await takeLimitTurn(tx, 'refunded', actorId)
  const { isOwner, limitPesewas, pesewas } = await selectRefundedAlone(tx, { actorId, since: new Date(isoDay(ctx.now)) })
  if (isOwner || limitPesewas === null || pesewas + amountPesewas <= limitPesewas) return
  throw new AppError(
    'SECOND_PERSON_NEEDED',
    `The buyer may have what they paid for. You refund, replace or resend up to GHS ${formatPesewas(limitPesewas)} a day of such orders alone. Please ask an owner.`,
  )
}
