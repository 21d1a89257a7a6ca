import type { CardGateway } from '../../../integrations/payments/card-gateway.ts'
import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import { brokenConstraint, transaction } from '../../../platform/db.ts'
import { AlreadyDecided, AppError, NotFound } from '../../../platform/errors.ts'
import { requireStaff } from '../../../platform/lock-actor.ts'
import { refuseOwnGain } from '../../people/second-factor/refuse-own-gain.ts'
import { postPaid } from './post-withdrawal.ts'
import { refuseIfSent } from './refuse-if-sent.ts'
import { lockWithdrawal, updateWithdrawal } from './withdrawals.sql.ts'

/**
 * Books that a waiting withdrawal was paid from the shop's own phone. A transaction of the network pays for one withdrawal.
 * @throws NotFound, AlreadyDecided, OwnGain; 409 CONFLICT when the transaction was named before, or the provider may have paid it.
 */
export async function recordWithdrawalPaid(ctx: Ctx, gateway: CardGateway, id: string, transactionId: string): Promise<void> {
  await refuseIfSent(ctx, gateway, id)
  await transaction(ctx.db, async (tx) => {
    const staff = await requireStaff(tx, ctx, 'finance')
    const withdrawal = await lockWithdrawal(tx, id)
    if (!withdrawal) throw new NotFound('withdrawal')
    await refuseOwnGain(tx, ctx, 'finance', { shops: [withdrawal.shopId], phones: [withdrawal.phone] })
    if (withdrawal.status !== 'approval') throw new AlreadyDecided('withdrawal', withdrawal.status)
    await postPaid(tx, withdrawal, { now: ctx.now, actorId: staff.id, byHand: true })
    await updateWithdrawal(tx, withdrawal, {
      status: 'paid',
      reason: null,
      handTransactionId: transactionId,
      decidedBy: staff.id,
      decidedAt: ctx.now,
      endedAt: ctx.now,
    })
    await recordAdminAction(tx, ctx, {
      action: 'withdrawal.pay-by-hand',
      subject: { type: 'withdrawal', id: String(withdrawal.seq) },
      before: { status: 'approval' },
      after: { status: 'paid', amountPesewas: withdrawal.amountPesewas, phone: withdrawal.phone, transactionId },
    })
  }).catch((error: unknown) => {
    if (brokenConstraint(error) !== 'withdrawals_paid_by_hand') throw error
    throw new AppError('CONFLICT', 'That transaction id was entered for another withdrawal. Check the message of the network.')
  })
}
