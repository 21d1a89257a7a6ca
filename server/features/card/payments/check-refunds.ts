import type { CardGateway } from '../../../integrations/payments/card-gateway.ts'
import type { RefundWebhookEvent } from '../../../integrations/payments/card-payments.ts'
import { REFUND_STATUSES } from '../../../integrations/payments/card-payments.ts'
import type { ListedRefund } from '../../../integrations/payments/payouts.ts'
import { raiseAlarm } from '../../../platform/alarms.ts'
import type { Ctx } from '../../../platform/context.ts'
import type { Tx } from '../../../platform/db.ts'
import { upsertRefund } from './disputes.sql.ts'
import { postRefundNotSent } from './post-refund-not-sent.ts'
import { recordReturn } from './record-return.ts'
import { claimDueRefunds, lockSentRefunds, type RefundChange, type RefundRow, updateRefund } from './refunds-to-source.sql.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const SOON_MS = 20 * SECOND_MS
const MOST_INTERVAL_MS = 30 * MINUTE_MS
/** The least time between two answers that the provider does not have a refund, before a person may decide about it. */
const NOT_FOUND_APART_MS = 10 * MINUTE_MS
const NOT_FOUND_TIMES = 2
const CLAIMED_FOR_MS = 60_000
const AT_ONCE = 20

/** Asks the provider about refunds that are under way or unclear. */
export async function checkRefunds(ctx: Ctx, gateway: CardGateway): Promise<void> {
  if (!gateway.refunds.available) return
  const nextAt = new Date(ctx.now.getTime() + CLAIMED_FOR_MS)
  const due = await claimDueRefunds(ctx.db, { now: ctx.now, nextAt, limit: AT_ONCE, toSend: false })
  const references = new Set(due.map(({ paymentReference }) => paymentReference))
  await Promise.all(
    [...references].map((reference) =>
      checkRefundsOf(ctx, gateway, reference).catch((error: unknown) =>
        ctx.log.error({ err: error, reference }, 'refunds could not be asked about'),
      ),
    ),
  )
}

/**
 * Asks the provider which refunds a guest's payment has, ours and those made at the provider, and books what was paid out, once. An answer
 * that says nothing certain moves no money.
 * @returns false when the provider gave no answer.
 */
export async function checkRefundsOf(ctx: Ctx, gateway: CardGateway, reference: string): Promise<boolean> {
  const listed = await gateway.refunds.list(reference)
  await recordReturn(ctx, reference, async (tx) => {
    for (const refund of await lockSentRefunds(tx, reference)) await settleSent(tx, ctx, refund, listed)
    let isNews = false
    for (const one of listed ?? []) isNews = (await upsertRefund(tx, toEvent(reference, one), ctx.now)).isNews || isNews
    return { isNews }
  })
  return listed !== null
}

async function settleSent(tx: Tx, ctx: Ctx, refund: RefundRow, listed: ListedRefund[] | null): Promise<void> {
  if (!['sending', 'accepted', 'unknown', 'review'].includes(refund.status)) return
  if (listed === null) {
    // A call that may still be under way is left alone.
    const status = refund.status === 'sending' ? { status: 'unknown' as const } : {}
    if (refund.status !== 'review') await updateRefund(tx, refund, { ...status, ...nextAsk(ctx, refund) })
    return
  }
  const found = listed.find(({ id, note }) => id === refund.providerId || note === noteOf(refund.id))
  if (!found) {
    await updateRefund(tx, refund, notFound(ctx, refund))
    return
  }
  const known = { providerId: found.id, providerNote: found.status, notFound: 0, notFoundAt: null }
  if (found.status === 'failed') {
    raiseAlarm(ctx.log, 'refund-rejected', { reference: refund.paymentReference, reason: 'the provider could not pay it' })
    const noted = await updateRefund(tx, refund, known)
    if (noted) await postRefundNotSent(tx, noted, { now: ctx.now, actorId: null, note: 'the provider could not pay it' })
    return
  }
  if (found.status === 'needs-attention') raiseAlarm(ctx.log, 'refund-needs-attention', { reference: refund.paymentReference })
  // A refund that was paid out is booked with the payment's returns, which ends it.
  await updateRefund(tx, refund, { ...known, ...(refund.status === 'accepted' ? {} : { status: 'accepted' }), ...nextAsk(ctx, refund) })
}

/** Not there once may only be early. Not there twice, a person decides: nothing is sent again by itself. */
function notFound(ctx: Ctx, refund: RefundRow): RefundChange {
  const { status, notFoundAt } = refund
  const isAgain = notFoundAt !== null && ctx.now.getTime() - notFoundAt.getTime() >= NOT_FOUND_APART_MS
  const times = notFoundAt === null ? 1 : isAgain ? refund.notFound + 1 : refund.notFound
  const counted = { notFound: times, notFoundAt: notFoundAt ?? ctx.now }
  if (status === 'review') return counted
  if (status === 'unknown' && times >= NOT_FOUND_TIMES) {
    raiseAlarm(ctx.log, 'refund-unclear', { reference: refund.paymentReference })
    return { ...counted, status: 'review', providerNote: notHaving(refund.providerNote), askAt: null }
  }
  return { ...counted, ...(status === 'unknown' ? {} : { status: 'unknown' }), ...nextAsk(ctx, refund) }
}

/** Why it refused the refund, if it did, is what a person needs to know. */
function notHaving(note: string | null): string {
  return note === null ? 'the provider does not have it' : `the provider does not have it. Before: ${note}`
}

/** How the provider tells our refunds of one payment apart. */
export function noteOf(refundId: string): string {
  return `Refund ${refundId}`
}

export function isOurs(note: string | null): boolean {
  return /^Refund [0-9a-f-]{36}$/.test(note ?? '')
}

/** Asked soon, then ever more rarely. */
export function nextAsk(ctx: Pick<Ctx, 'now'>, { asks }: Pick<RefundRow, 'asks'>): { asks: number; askAt: Date } {
  const intervalMs = Math.min(SOON_MS * 2 ** Math.min(asks, 10), MOST_INTERVAL_MS)
  return { asks: asks + 1, askAt: new Date(ctx.now.getTime() + intervalMs) }
}

function toEvent(reference: string, { id, amountPesewas, currency, status }: ListedRefund): RefundWebhookEvent {
  const known = REFUND_STATUSES.find((one) => one === status) ?? 'pending'
  return { id, reference, amountPesewas, currency, status: known }
}
