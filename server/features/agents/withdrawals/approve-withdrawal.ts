import type { Payouts } from '../../../integrations/payments/payouts.ts'
import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { AlreadyDecided, AppError, NotFound } from '../../../platform/errors.ts'
import { requireStaff } from '../../../platform/lock-actor.ts'
import { refuseOwnGain } from '../../people/second-factor/refuse-own-gain.ts'
import { selectRules } from './rules.sql.ts'
import { lockWithdrawal, updateWithdrawal } from './withdrawals.sql.ts'

/**
 * Lets a waiting withdrawal go out through the provider. It keeps its reference, so that one which was sent before is never paid twice.
 * @throws NotFound, AlreadyDecided, OwnGain; 409 CONFLICT where payouts are made by hand.
 */
export async function approveWithdrawal(ctx: Ctx, payouts: Payouts, id: string): Promise<void> {
  await transaction(ctx.db, async (tx) => {
    const staff = await requireStaff(tx, ctx, 'finance')
    const withdrawal = await lockWithdrawal(tx, id)
    if (!withdrawal) throw new NotFound('withdrawal')
    await refuseOwnGain(tx, ctx, 'finance', { shops: [withdrawal.shopId], phones: [withdrawal.phone] })
    if (withdrawal.status !== 'approval') throw new AlreadyDecided('withdrawal', withdrawal.status)
    if (!payouts.available || (await selectRules(tx)).byHand) {
      throw new AppError('CONFLICT', 'Payouts are made by hand here. Send the money from your phone, then enter the transaction id.')
    }
    await updateWithdrawal(tx, withdrawal, {
      status: 'ready',
      reason: null,
      askAt: ctx.now,
      asks: 0,
      decidedBy: staff.id,
      decidedAt: ctx.now,
    })
    await recordAdminAction(tx, ctx, {
      action: 'withdrawal.approve',
      subject: { type: 'withdrawal', id: String(withdrawal.seq) },
      before: { status: 'approval' },
      after: { status: 'ready', amountPesewas: withdrawal.amountPesewas, phone: withdrawal.phone },
    })
  })
}
