import type { CardGateway } from '../../../integrations/payments/card-gateway.ts'
import type { RefundWebhookEvent } from '../../../integrations/payments/card-payments.ts'
import { raiseAlarm } from '../../../platform/alarms.ts'
import type { Ctx } from '../../../platform/context.ts'
import { checkRefundsOf } from './check-refunds.ts'
import { upsertRefund } from './disputes.sql.ts'
import { recordReturn } from './record-return.ts'
import { hasRefunds } from './refunds-to-source.sql.ts'

/**
 * Records a refund by the card provider, as `recordDispute` does a dispute. It is booked once paid out. Where the shop itself owes the
 * guest something, the event is only a reason to ask the provider, which tells its refunds apart better than its events do.
 * @throws Error when the provider has to be asked and does not answer.
 */
export async function recordRefund(ctx: Ctx, gateway: CardGateway, refund: RefundWebhookEvent): Promise<void> {
  if (gateway.refunds.available && (await hasRefunds(ctx.db, refund.reference))) {
    if (!(await checkRefundsOf(ctx, gateway, refund.reference)))
      throw new Error(`nobody knows yet what became of a refund of ${refund.reference}`)
    return
  }
  const { isNews, isOfOther } = await recordReturn(ctx, refund.reference, (tx) => upsertRefund(tx, refund, ctx.now))
  const { reference, amountPesewas, currency, status } = refund
  if (isOfOther)
    raiseAlarm(ctx.log, 'card-refund', { reference, refund: refund.id, problem: 'the refund is known as one of another payment' })
  if (isNews) raiseAlarm(ctx.log, 'card-refund', { reference, amountPesewas, currency, status })
}
