import type { RefundWebhookEvent } from '../../integrations/payments/card-payments.ts'
import { raiseAlarm } from '../../platform/alarms.ts'
import type { Ctx } from '../../platform/context.ts'
import { upsertRefund } from './disputes.sql.ts'
import { recordReturn } from './record-return.ts'

/** Records a refund by the card provider, as `recordDispute` does a dispute. It is booked once paid out. */
export async function recordRefund(ctx: Ctx, refund: RefundWebhookEvent): Promise<void> {
  const { isNews } = await recordReturn(ctx, refund.reference, (tx) => upsertRefund(tx, refund, ctx.now))
  const { reference, amountPesewas, currency, status } = refund
  if (isNews) raiseAlarm(ctx.log, 'card-refund', { reference, amountPesewas, currency, status })
}
