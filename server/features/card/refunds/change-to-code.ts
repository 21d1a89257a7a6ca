import type { CardGateway } from '../../../integrations/payments/card-gateway.ts'
import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { AppError, NotFound } from '../../../platform/errors.ts'
import { requireStaff } from '../../../platform/lock-actor.ts'
import { refuseOwnGain } from '../../people/second-factor/refuse-own-gain.ts'
import { announceUserById } from '../../people/users/events.ts'
import { postRefundNotSent } from '../payments/post-refund-not-sent.ts'
import { lockPaymentOfRefund, lockRefund } from '../payments/refunds-to-source.sql.ts'
import { refuseIfUnderWay } from './refuse-if-under-way.ts'

/**
 * Gives the guest a code for a wallet, or puts it into the customer's wallet again, instead of sending the money back the way it came.
 * @throws NotFound, OwnGain; 409 CONFLICT when the refund does not wait for a person, or the provider has it after all.
 */
export async function changeToCode(ctx: Ctx, gateway: CardGateway, id: string): Promise<void> {
  await refuseIfUnderWay(ctx, gateway, id)
  const userId = await transaction(ctx.db, async (tx) => {
    const staff = await requireStaff(tx, ctx, 'finance')
    await lockPaymentOfRefund(tx, id)
    const refund = await lockRefund(tx, id)
    if (!refund) throw new NotFound('refund')
    const { status, amountPesewas, paymentReference, providerNote } = refund
    await refuseOwnGain(tx, ctx, 'finance', { users: [refund.userId], phones: [refund.phone] })
    if (status !== 'due' && status !== 'review') throw new AppError('CONFLICT', 'Only a refund that waits for you can go to a wallet.')
    await postRefundNotSent(tx, refund, { now: ctx.now, actorId: staff.id, note: providerNote })
    await recordAdminAction(tx, ctx, {
      action: 'refund.code',
      subject: { type: 'refund', id },
      before: { status },
      after: { status: refund.userId === null ? 'code' : 'wallet', amountPesewas, payment: paymentReference },
    })
    return refund.userId
  })
  await announceUserById(ctx, userId)
}
