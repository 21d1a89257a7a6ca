import { REFUND_CODES } from '../../../ledger/accounts.ts'
import { lockWalletOf, postTransfer } from '../../../ledger/ledger.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { AppError, NotFound } from '../../../platform/errors.ts'
import { lockActor } from '../../../platform/lock-actor.ts'
import { announceUserById } from '../../people/users/events.ts'
import { updateRefund } from '../payments/refunds-to-source.sql.ts'
import { hashCode } from './create-codes.ts'
import { isReturnedOtherwise, lockRefundByCode } from './refund-codes.sql.ts'

/**
 * Puts a guest's refund into the caller's wallet by its code, once.
 * @throws NotFound for a code that does not exist; 409 CONFLICT for one that was used, whose refund was paid by hand, or whose payment
 * the bank gives back.
 */
export async function claimRefund(ctx: Ctx, code: string): Promise<{ amountPesewas: number; balancePesewas: number }> {
  const { userId, ...claimed } = await transaction(ctx.db, async (tx) => {
    const actor = await lockActor(tx, ctx)
    const hash = hashCode(code)
    const isReturned = await isReturnedOtherwise(tx, { hash })
    const refund = await lockRefundByCode(tx, hash)
    if (!refund) throw new NotFound('code')
    if (refund.status === 'claimed') throw new AppError('CONFLICT', 'That code has been used.')
    if (refund.status !== 'code' && refund.status !== 'returned')
      throw new AppError('CONFLICT', 'We paid this refund by mobile money, so its code has ended.')
    if (isReturned || refund.status === 'returned') {
      throw new AppError('CONFLICT', 'The bank or the card provider is returning this payment, or has. Please ask us if in doubt.')
    }
    const wallet = await lockWalletOf(tx, actor.id, ctx.now)
    await postTransfer(tx, {
      key: `refund-claimed:${refund.id}`,
      kind: 'refund-claimed',
      memo: `Refund of card payment ${refund.paymentReference}, by its code`,
      actorId: actor.id,
      lines: [
        { accountId: REFUND_CODES, amountPesewas: -refund.amountPesewas },
        { accountId: wallet.accountId, amountPesewas: refund.amountPesewas },
      ],
      now: ctx.now,
    })
    await updateRefund(tx, refund, { status: 'claimed', claimedBy: actor.id, endedAt: ctx.now })
    return { userId: actor.id, amountPesewas: refund.amountPesewas, balancePesewas: wallet.balancePesewas + refund.amountPesewas }
  })
  await announceUserById(ctx, userId)
  return claimed
}
