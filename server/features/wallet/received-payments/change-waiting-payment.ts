import type { SetAsideRequest } from '../../../../shared/received-payments.ts'
import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { AppError, Invalid, NotFound } from '../../../platform/errors.ts'
import { requireStaff } from '../../../platform/lock-actor.ts'
import { addNotFor, lockPayment, QUESTIONS, removeDoubt, updateStanding } from './received-payments.sql.ts'

/**
 * Says that a payment is not for a request, keeps it for later, dismisses it, or brings it back. A credited payment that a later
 * message calls into question can only be kept as it is. No money moves.
 * @throws NotFound, AlreadyDecided when it was credited.
 */
export async function changeWaitingPayment(ctx: Ctx, id: string, { how, rechargeId }: SetAsideRequest): Promise<string> {
  return transaction(ctx.db, async (tx) => {
    await requireStaff(tx, ctx, 'finance')
    const payment = await lockPayment(tx, id)
    if (!payment) throw new NotFound('payment')
    const questions = payment.doubts.filter((doubt) => QUESTIONS.includes(doubt))
    const isQuestioned = payment.status === 'credited' && questions.length > 0
    if (payment.status === 'credited' && !(isQuestioned && how === 'keep')) {
      throw new AppError('ALREADY_DECIDED', 'This payment was credited already.')
    }
    if (isQuestioned) for (const doubt of questions) await removeDoubt(tx, id, doubt)
    else if (how === 'not-this-request') {
      if (!rechargeId) throw new Invalid([{ path: 'rechargeId', message: 'Say which request it is not for.' }])
      await addNotFor(tx, id, rechargeId)
    } else {
      const status = how === 'dismiss' ? 'dismissed' : 'waiting'
      await updateStanding(tx, id, { status, keptAt: how === 'keep' ? ctx.now : null })
    }
    await recordAdminAction(tx, ctx, {
      action: `payment.${how}`,
      subject: { type: 'payment', id: payment.transactionId },
      after: { amountPesewas: payment.amountPesewas },
    })
    return isQuestioned ? 'Left as it is.' : SAID[how]
  })
}

const SAID: Record<SetAsideRequest['how'], string> = {
  'not-this-request': 'Noted: it is not for this request.',
  keep: 'Kept for later.',
  dismiss: 'Dismissed.',
  'bring-back': 'Brought back.',
}
