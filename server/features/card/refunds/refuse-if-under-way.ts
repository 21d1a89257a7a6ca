import type { CardGateway } from '../../../integrations/payments/card-gateway.ts'
import type { Ctx } from '../../../platform/context.ts'
import { AppError, NotFound } from '../../../platform/errors.ts'
import { checkRefundsOf, isOurs, noteOf } from '../payments/check-refunds.ts'
import { type RefundRow, selectProviderIds, selectRefund } from '../payments/refunds-to-source.sql.ts'

/**
 * Before a refund goes another way, or a second time: the provider must not have it, nor one of the same amount that somebody made there.
 * Call it before the transaction, since it asks outside.
 * @throws NotFound; 409 CONFLICT when the provider has one or gives no clear answer about one that
 * was sent.
 */
export async function refuseIfUnderWay(ctx: Ctx, gateway: CardGateway, id: string): Promise<void> {
  const refund = await selectRefund(ctx.db, id)
  if (!refund) throw new NotFound('refund')
  if (refund.status !== 'due' && refund.status !== 'review') return
  const listed = gateway.refunds.available ? await gateway.refunds.list(refund.paymentReference) : null
  if (listed === null) {
    if (refund.sentAt === null) return
    throw new AppError('CONFLICT', 'The card provider gives no clear answer now. Nothing was changed; please try again in a few minutes.')
  }
  const known = await selectProviderIds(ctx.db, refund.paymentReference)
  const isUnderWay = listed.some((one) => one.status !== 'failed' && (isOf(refund, one) || isByHand(refund, one, known)))
  if (!isUnderWay) return
  await checkRefundsOf(ctx, gateway, refund.paymentReference)
  throw new AppError('CONFLICT', 'The card provider has a refund of this payment after all. Please look at it again in a minute.')
}

type Listed = { id: string; amountPesewas: number; note: string | null }

function isOf({ id, providerId }: RefundRow, listed: Listed): boolean {
  return listed.id === providerId || listed.note === noteOf(id)
}

function isByHand({ amountPesewas }: RefundRow, listed: Listed, known: readonly string[]): boolean {
  return !isOurs(listed.note) && listed.amountPesewas === amountPesewas && !known.includes(listed.id)
}
