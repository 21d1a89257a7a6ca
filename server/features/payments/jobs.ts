import type { Ctx } from '../../platform/context.ts'
import { NotFound } from '../../platform/errors.ts'
import { type CardDesk, firstCheckAt, nextCheckAt } from './card-desk.ts'
import { claimDuePayments, reopenPayment } from './payments.sql.ts'
import { isSettled, settlePayment } from './settle-payment.ts'
import { markEventHandled, selectWaitingEvents } from './webhook-events.sql.ts'

const AT_ONCE = 20

/** Acts on the card provider's notices that wait. Safe to run twice, or on two processes at once. */
export async function handleWebhookEvents(ctx: Ctx, desk: CardDesk): Promise<void> {
  for (const { id, event, reference } of await selectWaitingEvents(ctx.db, AT_ONCE)) {
    try {
      if (reference !== null && event.startsWith('charge.')) {
        const payment = await settlePayment(ctx, desk, reference)
        if (!isSettled(payment)) await reopenPayment(ctx.db, reference, firstCheckAt(ctx.now))
      }
    } catch (error) {
      // A notice about a payment that is not ours is nobody's; for anything else the payment's own checks go on.
      if (!(error instanceof NotFound)) {
        ctx.log.error({ err: error, reference }, 'a notice of the card provider could not be acted on')
        continue
      }
      ctx.log.warn({ reference }, 'the card provider sent a notice about an unknown reference')
    }
    await markEventHandled(ctx.db, id, ctx.now)
  }
}

/** Asks about open payments whose time has come: the browser may be gone and the notice lost. */
export async function checkOpenPayments(ctx: Ctx, desk: CardDesk): Promise<void> {
  const due = await claimDuePayments(ctx.db, { now: ctx.now, nextAt: nextCheckAt(ctx.now, ctx.now), limit: AT_ONCE })
  await Promise.all(
    due.map((payment) =>
      settlePayment(ctx, desk, payment.reference).catch((error: unknown) =>
        ctx.log.error({ err: error, reference: payment.reference }, 'an open payment could not be checked'),
      ),
    ),
  )
}
