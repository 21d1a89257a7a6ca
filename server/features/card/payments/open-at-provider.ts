import type { PaymentPurpose, PaymentReply } from '../../../../shared/payments.ts'
import type { CardGateway } from '../../../integrations/payments/card-gateway.ts'
import type { Ctx } from '../../../platform/context.ts'
import { OutsideService } from '../../../platform/errors.ts'
import { markUnpaid, updateAccessCode } from './payments.sql.ts'

/**
 * Initializes a stored payment at the card provider, outside of any transaction.
 * @throws OutsideService when the provider refuses or does not answer.
 */
export async function openAtProvider(
  ctx: Ctx,
  gateway: CardGateway,
  payment: { reference: string; amountPesewas: number; purpose: PaymentPurpose; payer: { email: string; username: string } },
): Promise<PaymentReply> {
  const { reference, amountPesewas, purpose, payer } = payment
  const { email, username } = payer
  const asked = await gateway.card.initialize({ reference, amountPesewas, email, metadata: { purpose, username } })
  if (asked.outcome !== 'accepted') {
    ctx.log.warn({ reference, ...asked }, 'the card provider did not initialize a payment')
    // An unknown outcome stays open and is polled, in case the payer can pay all the same.
    if (asked.outcome === 'rejected') await markUnpaid(ctx.db, reference, { status: 'failed', reason: asked.reason })
    throw new OutsideService('Card payment is not available at the moment. Nothing was charged. Please try again, or pay from your wallet.')
  }
  await updateAccessCode(ctx.db, reference, asked.accessCode)
  const { publicKey } = gateway.card
  return { reference, amount: amountPesewas, currency: 'GHS', email, publicKey, accessCode: asked.accessCode }
}
