import type { CardGateway } from '../../../integrations/payments/card-gateway.ts'
import { raiseAlarm } from '../../../platform/alarms.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { CARD_EVENT_QUEUE, type CardEventJob, cardEventJob } from '../../../platform/queues.ts'
import { chooseCheckTime, chooseFirstCheckTime } from './choose-check-time.ts'
import { insertUnmatched } from './disputes.sql.ts'
import { claimDuePayments, reopenPayment, selectPayment } from './payments.sql.ts'
import { recordDispute } from './record-dispute.ts'
import { recordRefund } from './record-refund.ts'
import { isSettled, settlePayment } from './settle-payment.ts'
import { markEventHandled, markEventQueued, selectUnhandledEvent, selectWaitingEvents, type WaitingEvent } from './webhook-events.sql.ts'

const AT_ONCE = 20

/** Called with the reference of a payout that the provider tells something about. */
type OnTransfer = (ctx: Ctx, gateway: CardGateway, reference: string) => Promise<void>

/**
 * Handles new webhook events of the card provider. A failing one becomes a job with retries, and so cannot hold up later
 * ones. Safe to run twice or concurrently.
 */
export async function handleWebhookEvents(ctx: Ctx, gateway: CardGateway, onTransfer: OnTransfer): Promise<void> {
  for (;;) {
    const events = await selectWaitingEvents(ctx.db, AT_ONCE)
    await Promise.all(
      [...Map.groupBy(events, ({ id, reference }) => reference ?? id).values()].map((same) => tryInTurn(ctx, gateway, same, onTransfer)),
    )
    if (events.length < AT_ONCE) return
  }
}

/** Handles the events of one payment in order of arrival. */
async function tryInTurn(ctx: Ctx, gateway: CardGateway, events: WaitingEvent[], onTransfer: OnTransfer) {
  for (const event of events) await tryEvent(ctx, gateway, event, onTransfer)
}

async function tryEvent(ctx: Ctx, gateway: CardGateway, event: WaitingEvent, onTransfer: OnTransfer) {
  try {
    await handleEvent(ctx, gateway, event, onTransfer)
  } catch (error) {
    ctx.log.error({ err: error, reference: event.reference }, 'a card webhook event could not be handled')
    return transaction(ctx.db, async (tx) => {
      if (!(await markEventQueued(tx, event.id, ctx.now))) return
      await ctx.jobs.enqueue(tx, CARD_EVENT_QUEUE, [cardEventJob(event.id, event.event)])
    })
  }
  await markEventHandled(ctx.db, event.id, ctx.now)
}

/**
 * Handles an event that failed before.
 * @throws whatever made it fail, so that the job is retried.
 */
export async function retryWebhookEvent(ctx: Ctx, gateway: CardGateway, { eventId }: CardEventJob, onTransfer: OnTransfer): Promise<void> {
  const event = await selectUnhandledEvent(ctx.db, eventId)
  if (!event) return
  await handleEvent(ctx, gateway, event, onTransfer)
  await markEventHandled(ctx.db, eventId, ctx.now)
}

async function handleEvent(
  ctx: Ctx,
  gateway: CardGateway,
  { event, reference, body }: WaitingEvent,
  onTransfer: OnTransfer,
): Promise<void> {
  if (event.startsWith('charge.dispute.')) {
    const dispute = gateway.card.readDispute(body)
    if (!dispute) throw new Error(`a ${event} event in a form that we do not know`)
    await settleFirst(ctx, gateway, dispute.reference)
    return recordDispute(ctx, dispute)
  }
  if (event.startsWith('refund.')) {
    const refund = gateway.card.readRefund(body)
    if (!refund) throw new Error(`a ${event} event in a form that we do not know`)
    await settleFirst(ctx, gateway, refund.reference)
    return recordRefund(ctx, gateway, refund)
  }
  if (reference !== null && event.startsWith('transfer.')) return onTransfer(ctx, gateway, reference)
  if (reference === null || !event.startsWith('charge.')) return
  if (!(await selectPayment(ctx.db, reference))) return keepUnmatched(ctx, gateway, reference)
  const payment = await settlePayment(ctx, gateway, reference)
  if (!isSettled(payment)) await reopenPayment(ctx.db, reference, chooseFirstCheckTime(ctx.now))
}

/** The event about the payment itself may arrive after that of its dispute. */
async function settleFirst(ctx: Ctx, gateway: CardGateway, reference: string) {
  if (await selectPayment(ctx.db, reference)) await settlePayment(ctx, gateway, reference)
}

/** Money under a reference that we never issued: verifies it with the provider and lists it for the admin, credited to nobody. */
async function keepUnmatched(ctx: Ctx, gateway: CardGateway, reference: string) {
  const verification = await gateway.card.verify(reference)
  if (verification.outcome === 'unknown') throw new Error(`nobody knows yet whether ${reference} was paid: ${verification.reason}`)
  if (verification.outcome !== 'paid') {
    ctx.log.warn({ reference }, 'card webhook event about an unknown, unpaid reference')
    return
  }
  const { amountPesewas, currency, isTest, payerEmail } = verification
  const isNew = await insertUnmatched(ctx.db, { reference, amountPesewas, currency, isTest, payerEmail, now: ctx.now })
  if (isNew) raiseAlarm(ctx.log, 'card-payment-unmatched', { reference, amountPesewas, currency, payerEmail })
}

/** Queries open payments that are due: the browser may be gone and the webhook event lost. */
export async function checkOpenPayments(ctx: Ctx, gateway: CardGateway): Promise<void> {
  const due = await claimDuePayments(ctx.db, { now: ctx.now, nextAt: chooseCheckTime(ctx.now, ctx.now), limit: AT_ONCE })
  await Promise.all(
    due.map((payment) =>
      settlePayment(ctx, gateway, payment.reference).catch((error: unknown) =>
        ctx.log.error({ err: error, reference: payment.reference }, 'an open payment could not be checked'),
      ),
    ),
  )
}
