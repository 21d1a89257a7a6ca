import type { CardGateway } from '../../../integrations/payments/card-gateway.ts'
import { MOBILE_MONEY_RECEIVED, REFUND_CODES, REFUNDS_PENDING } from '../../../ledger/accounts.ts'
import { postTransfer } from '../../../ledger/ledger.ts'
import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import { brokenConstraint, transaction } from '../../../platform/db.ts'
import { AppError, NotFound } from '../../../platform/errors.ts'
import { requireStaff } from '../../../platform/lock-actor.ts'
import { refuseOwnGain } from '../../people/second-factor/refuse-own-gain.ts'
import { lockRefund, updateRefund } from '../payments/refunds-to-source.sql.ts'
import { isReturnedOtherwise } from './refund-codes.sql.ts'
import { refuseIfUnderWay } from './refuse-if-under-way.ts'

/**
 * Books that a refund was paid from the shop's own phone to the guest's number; codes of it end. A transaction of the network pays for
 * one refund.
 * @throws NotFound, OwnGain; 409 CONFLICT when the refund is under way or over, the provider has it after all, the bank gives the payment back, or the transaction was named before.
 */
export async function recordRefundPaid(ctx: Ctx, gateway: CardGateway, id: string, transactionId: string): Promise<void> {
  await refuseIfUnderWay(ctx, gateway, id)
  await transaction(ctx.db, async (tx) => {
    const staff = await requireStaff(tx, ctx, 'finance')
    const isReturned = await isReturnedOtherwise(tx, { id })
    const refund = await lockRefund(tx, id)
    if (!refund) throw new NotFound('refund')
    const { status, amountPesewas, paymentReference, phone, userId } = refund
    await refuseOwnGain(tx, ctx, 'finance', { users: [userId], phones: [phone] })
    if (status !== 'due' && status !== 'review' && status !== 'code') {
      throw new AppError('CONFLICT', 'This refund is on its way or over. Nothing was changed.')
    }
    if (isReturned) throw new AppError('CONFLICT', 'The bank or the card provider is returning this payment, or has. Nothing was changed.')
    await postTransfer(tx, {
      key: `refund-paid:${id}`,
      kind: 'refund-paid',
      memo: `Refund of card payment ${paymentReference} was paid to ${phone} by hand`,
      actorId: staff.id,
      lines: [
        { accountId: status === 'code' ? REFUND_CODES : REFUNDS_PENDING, amountPesewas: -amountPesewas },
        { accountId: MOBILE_MONEY_RECEIVED, amountPesewas },
      ],
      now: ctx.now,
    })
    await updateRefund(tx, refund, {
      status: 'paid',
      handTransactionId: transactionId,
      decidedBy: staff.id,
      askAt: null,
      endedAt: ctx.now,
    })
    await recordAdminAction(tx, ctx, {
      action: 'refund.pay-by-hand',
      subject: { type: 'refund', id },
      before: { status },
      after: { status: 'paid', amountPesewas, phone, transactionId },
    })
  }).catch((error: unknown) => {
    if (brokenConstraint(error) !== 'refunds_paid_by_hand') throw error
    throw new AppError('CONFLICT', 'That transaction id was entered for another refund. Check the message of the network.')
  })
}
