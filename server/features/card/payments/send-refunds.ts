import type { CardGateway } from '../../../integrations/payments/card-gateway.ts'
import { raiseAlarm } from '../../../platform/alarms.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { announceUserById } from '../../people/users/events.ts'
import { isOurs, nextAsk, noteOf } from './check-refunds.ts'
import { postRefundNotSent } from './post-refund-not-sent.ts'
import {
  claimDueRefunds,
  lockPaymentOfRefund,
  lockRefund,
  type RefundChange,
  type RefundRow,
  updateRefund,
} from './refunds-to-source.sql.ts'

/** Longer than the call takes. What is found sending after this died with its process, and is asked about. */
const CALL_DEAD_AFTER_MS = 60_000
const AT_ONCE = 5

/** Sends back what is owed to guests, and what customers want back the way it came. Safe to run twice or in several processes: each refund is claimed, and noted before the call. */
export async function sendRefunds(ctx: Ctx, gateway: CardGateway): Promise<void> {
  if (!gateway.refunds.available) return
  const nextAt = new Date(ctx.now.getTime() + CALL_DEAD_AFTER_MS)
  const due = await claimDueRefunds(ctx.db, { now: ctx.now, nextAt, limit: AT_ONCE, toSend: true })
  await Promise.all(
    due.map((refund) =>
      sendRefund(ctx, gateway, refund).catch((error: unknown) =>
        ctx.log.error({ err: error, refund: refund.id }, 'a refund could not be sent'),
      ),
    ),
  )
}

async function sendRefund(ctx: Ctx, gateway: CardGateway, refund: RefundRow): Promise<void> {
  const sending = await updateRefund(ctx.db, refund, {
    status: 'sending',
    sentAt: refund.sentAt ?? ctx.now,
    ...beforeCall(ctx),
  })
  if (sending) await requestRefund(ctx, gateway, sending, { wasSent: refund.sentAt !== null })
}

/** What is noted with `sending`: found so after a while, the call is over, and the refund is asked about. */
export function beforeCall(ctx: Pick<Ctx, 'now'>): RefundChange {
  return { notFound: 0, notFoundAt: null, askAt: new Date(ctx.now.getTime() + CALL_DEAD_AFTER_MS) }
}

/** Makes the call of a refund that is noted as `sending`, and notes what became of it. `wasSent`: it was sent before. */
export async function requestRefund(ctx: Ctx, gateway: CardGateway, sending: RefundRow, { wasSent }: { wasSent: boolean }): Promise<void> {
  const { id, paymentReference, amountPesewas } = sending
  const said = await gateway.refunds.request({ reference: paymentReference, amountPesewas, note: noteOf(id) })
  switch (said.outcome) {
    case 'accepted':
      await updateRefund(ctx.db, sending, {
        status: 'accepted',
        ...(said.id !== null && { providerId: said.id }),
        ...nextAsk(ctx, { asks: 0 }),
      })
      return
    case 'rejected':
      raiseAlarm(ctx.log, 'refund-rejected', { reference: paymentReference, reason: said.reason })
      if (!wasSent && (await isOutOfTheQuestion(gateway, sending, said.reason))) return giveUp(ctx, id, said.reason)
      await updateRefund(ctx.db, sending, { status: 'unknown', providerNote: said.reason, ...nextAsk(ctx, { asks: 0 }) })
      return
    case 'unknown':
      await updateRefund(ctx.db, sending, { status: 'unknown', providerNote: said.reason, ...nextAsk(ctx, { asks: 0 }) })
  }
}

/**
 * Whether the provider will never pay it and nobody has paid it there. A refusal for lack of money passes, and one of a refund that was
 * sent before, or of a payment that has other refunds, may mean that the guest has the money already.
 */
async function isOutOfTheQuestion(gateway: CardGateway, { paymentReference }: RefundRow, reason: string): Promise<boolean> {
  if (/balance|insufficient/i.test(reason)) return false
  const listed = await gateway.refunds.list(paymentReference)
  return listed?.every(({ status, note }) => status === 'failed' || isOurs(note)) ?? false
}

async function giveUp(ctx: Ctx, id: string, note: string): Promise<void> {
  const userId = await transaction(ctx.db, async (tx) => {
    await lockPaymentOfRefund(tx, id)
    const refund = await lockRefund(tx, id)
    if (refund?.status === 'sending' || refund?.status === 'unknown')
      await postRefundNotSent(tx, refund, { now: ctx.now, actorId: null, note })
    return refund?.userId ?? null
  })
  await announceUserById(ctx, userId)
}
