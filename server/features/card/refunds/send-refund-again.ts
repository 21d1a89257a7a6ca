import type { CardGateway } from '../../../integrations/payments/card-gateway.ts'
import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { AppError, NotFound } from '../../../platform/errors.ts'
import { requireStaff } from '../../../platform/lock-actor.ts'
import { refuseOwnGain } from '../../people/second-factor/refuse-own-gain.ts'
import { lockRefund, type RefundRow, updateRefund } from '../payments/refunds-to-source.sql.ts'
import { beforeCall, requestRefund } from '../payments/send-refunds.ts'
import { isDisputed } from './refunds.sql.ts'
import { refuseIfUnderWay } from './refuse-if-under-way.ts'

/**
 * Sends a refund again that the provider has said twice it does not have, after asking it once more.
 * @throws NotFound, OwnGain; 409 CONFLICT when it does not wait for a person, the payer disputes the payment, or the provider has it after all.
 */
export async function sendRefundAgain(ctx: Ctx, gateway: CardGateway, id: string): Promise<void> {
  await refuseIfUnderWay(ctx, gateway, id)
  const sending = await transaction(ctx.db, async (tx) => {
    await requireStaff(tx, ctx, 'finance')
    const refund = await lockRefund(tx, id)
    if (!refund) throw new NotFound('refund')
    await refuseOwnGain(tx, ctx, 'finance', { users: [refund.userId], phones: [refund.phone] })
    if (refund.status !== 'review') throw new AppError('CONFLICT', 'Only a refund that waits for you can be sent again.')
    if (await isDisputed(tx, refund.paymentReference)) {
      throw new AppError('CONFLICT', 'The payer disputes this payment, and the bank may return it. Wait until that has ended.')
    }
    await recordAdminAction(tx, ctx, {
      action: 'refund.send-again',
      subject: { type: 'refund', id },
      before: { status: refund.status },
      after: { status: 'sending', amountPesewas: refund.amountPesewas, payment: refund.paymentReference },
    })
    return (await updateRefund(tx, refund, { status: 'sending', ...beforeCall(ctx) })) as RefundRow
  })
  await requestRefund(ctx, gateway, sending, { wasSent: true })
}
