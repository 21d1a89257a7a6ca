import type { Ctx } from '../../platform/context.ts'
import { selectOwnPayment } from './payments.sql.ts'
import { presentOwnPayment } from './present.ts'

/** Announces a card payment's state to its payer. */
export async function announcePayment(ctx: Ctx, reference: string) {
  const payment = await selectOwnPayment(ctx.db, reference)
  if (payment && payment.userId !== null) ctx.realtime.announce({ user: payment.userId }, 'paymentUpdated', presentOwnPayment(payment))
}
