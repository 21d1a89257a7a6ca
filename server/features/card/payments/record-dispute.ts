import type { DisputeWebhookEvent } from '../../../integrations/payments/card-payments.ts'
import { raiseAlarm } from '../../../platform/alarms.ts'
import type { Ctx } from '../../../platform/context.ts'
import { upsertDispute } from './disputes.sql.ts'
import { recordReturn } from './record-return.ts'

/**
 * Records a dispute event, puts the payment's pending orders on hold or releases them, and books a lost one. Safe in any
 * order and repeatedly: the provider's id makes it unique. Orders released by an admin stay released until there is news.
 */
export async function recordDispute(ctx: Ctx, dispute: DisputeWebhookEvent): Promise<void> {
  const { outcome } = await recordReturn(ctx, dispute.reference, (tx) => upsertDispute(tx, dispute, ctx.now))
  const { id, reference, amountPesewas, currency, dueAt } = dispute
  if (outcome === null) {
    raiseAlarm(ctx.log, 'card-dispute', { dispute: id, reference, problem: 'the dispute is known as one of another payment' })
    return
  }
  // A reminder means that nobody has answered yet; a loss that contradicts what was decided is for a person.
  if (outcome === dispute.outcome || dispute.outcome === 'lost')
    raiseAlarm(ctx.log, 'card-dispute', { dispute: id, reference, amountPesewas, currency, outcome, dueAt })
}
