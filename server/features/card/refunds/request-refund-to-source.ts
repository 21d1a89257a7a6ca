import { REFUNDS_PENDING } from '../../../ledger/accounts.ts'
import { lockWalletOf, postTransfer } from '../../../ledger/ledger.ts'
import { type Ctx, requireActor } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { AppError, InsufficientBalance, NotFound } from '../../../platform/errors.ts'
import { lockActor } from '../../../platform/lock-actor.ts'
import { takePinProof } from '../../people/transaction-pin/take-pin-proof.ts'
import { announceUserById } from '../../people/users/events.ts'
import { findReasonToKeep, NOT_ENOUGH } from './find-reason-to-keep.ts'
import { insertCustomerRefund, lockPaymentOf, selectCustomerRefund } from './refunds-of-customers.sql.ts'

/**
 * Takes the refund of one's own order from the wallet and notes it to be sent back the way it was paid, once for each order. Asking again
 * changes nothing. `available`: whether the provider takes refunds.
 * @throws NotFound for an order that is another's, was not paid by card or is not refunded; InsufficientBalance when it is spent; PinRequired; 409
 * CONFLICT when the shop or the state of the payment does not allow it.
 */
export async function requestRefundToSource(
  ctx: Ctx,
  { available }: { available: boolean },
  orderId: string,
  pinProof?: string,
): Promise<void> {
  const userId = requireActor(ctx).id
  const isNew = await transaction(ctx.db, async (tx) => {
    await lockActor(tx, ctx)
    await lockPaymentOf(tx, orderId)
    const { accountId } = await lockWalletOf(tx, userId, ctx.now)
    const refund = await selectCustomerRefund(tx, { orderId, userId })
    if (!refund) throw new NotFound('refund')
    if (refund.status !== null) return false
    const reason = findReasonToKeep(refund, { available })
    if (reason === NOT_ENOUGH) throw new InsufficientBalance(reason)
    if (reason !== null) throw new AppError('CONFLICT', reason)
    await takePinProof(tx, userId, pinProof, ctx.now)
    const { paymentReference, inWalletPesewas: amountPesewas } = refund
    const id = await insertCustomerRefund(tx, { paymentReference, orderId, userId, amountPesewas, now: ctx.now })
    await postTransfer(tx, {
      key: `refund-to-source:${id}`,
      kind: 'refund-to-source',
      memo: `Refund of card payment ${paymentReference}, sent back to your card or phone`,
      actorId: userId,
      lines: [
        { accountId, amountPesewas: -amountPesewas },
        { accountId: REFUNDS_PENDING, amountPesewas },
      ],
      now: ctx.now,
    })
    return true
  })
  if (isNew) await announceUserById(ctx, userId)
}
