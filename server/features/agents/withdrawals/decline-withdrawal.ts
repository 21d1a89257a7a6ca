import type { CardGateway } from '../../../integrations/payments/card-gateway.ts'
import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { AlreadyDecided, NotFound } from '../../../platform/errors.ts'
import { requireStaff } from '../../../platform/lock-actor.ts'
import { refuseOwnGain } from '../../people/second-factor/refuse-own-gain.ts'
import { findAccount } from './earnings.sql.ts'
import { postReturned } from './post-withdrawal.ts'
import { refuseIfSent } from './refuse-if-sent.ts'
import { lockWithdrawal, updateWithdrawal } from './withdrawals.sql.ts'

/**
 * Declines a waiting withdrawal, with a reason for the agent; its money goes back to the earnings.
 * @throws NotFound, AlreadyDecided, OwnGain; 409 CONFLICT when the provider may have paid it.
 */
export async function declineWithdrawal(ctx: Ctx, gateway: CardGateway, id: string, reason: string): Promise<void> {
  await refuseIfSent(ctx, gateway, id)
  await transaction(ctx.db, async (tx) => {
    const staff = await requireStaff(tx, ctx, 'finance')
    const withdrawal = await lockWithdrawal(tx, id)
    if (!withdrawal) throw new NotFound('withdrawal')
    await refuseOwnGain(tx, ctx, 'finance', { shops: [withdrawal.shopId], phones: [withdrawal.phone] })
    if (withdrawal.status !== 'approval') throw new AlreadyDecided('withdrawal', withdrawal.status)
    await postReturned(tx, withdrawal, await findAccount(tx, withdrawal.shopId), { now: ctx.now, actorId: staff.id })
    await updateWithdrawal(tx, withdrawal, { status: 'declined', reason, decidedBy: staff.id, decidedAt: ctx.now, endedAt: ctx.now })
    await recordAdminAction(tx, ctx, {
      action: 'withdrawal.decline',
      subject: { type: 'withdrawal', id: String(withdrawal.seq) },
      before: { status: 'approval' },
      after: { status: 'declined', amountPesewas: withdrawal.amountPesewas },
      note: reason,
    })
  })
}
