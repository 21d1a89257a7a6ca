import type { CardGateway } from '../../../integrations/payments/card-gateway.ts'
import type { Ctx } from '../../../platform/context.ts'
import { NotFound, TooManyAttempts } from '../../../platform/errors.ts'
import { databaseBuckets, openRateLimiter } from '../../../platform/rate-limiter.ts'
import { markAsked, type PaymentRow, selectPayment } from './payments.sql.ts'
import { isSettled, settlePayment } from './settle-payment.ts'

/** The least time between two queries of customers about one payment, over all processes. */
export const QUERY_EVERY_MS = 3_000
const PER_PAYMENT = { size: 1, everyMs: QUERY_EVERY_MS }
/** One payer's queries about all their payments. Nobody at another address uses up those of a guest. */
const PER_PAYER = { size: 20, everyMs: 1_500 }

const running = new WeakMap<CardGateway, Map<string, Promise<unknown>>>()

/**
 * A payment's status for a customer. Queries the card provider at most once every few seconds per reference, within a rate
 * limit per payer: concurrent callers share the answer, earlier ones get the stored status, and their payment comes first once it is due. Webhook events and polling call `settlePayment` directly.
 * @throws NotFound when there is no such payment.
 */
export async function checkPayment(ctx: Ctx, gateway: CardGateway, reference: string): Promise<PaymentRow> {
  const known = await selectPayment(ctx.db, reference)
  if (!known) throw new NotFound('payment')
  if (isSettled(known)) return known
  await shareRun(gateway, reference, async () => {
    if (await takeStatusQuery(ctx, { reference, payer: known.userId ?? `guest ${known.guestPhone} at ${known.guestAddress}` }))
      await settlePayment(ctx, gateway, reference)
    else await markAsked(ctx.db, reference, ctx.now)
  })
  return (await selectPayment(ctx.db, reference)) as PaymentRow
}

/**
 * True for the one caller, over all processes, who may query the card provider about a reference now. Works for unknown
 * references too. This limit holds even with `RATE_LIMITS=off`, because it protects the provider.
 */
async function takeStatusQuery(ctx: Ctx, { reference, payer }: { reference: string; payer: string }): Promise<boolean> {
  const limiter = openRateLimiter(databaseBuckets(ctx.db), () => ctx.now)
  const buckets = [
    { name: `status query of ${reference}`, ...PER_PAYMENT },
    { name: `status queries of user ${payer}`, ...PER_PAYER },
  ]
  return limiter.take(buckets).then(
    () => true,
    (error: unknown) => {
      if (error instanceof TooManyAttempts) return false
      throw error
    },
  )
}

/** Concurrent callers for one reference share a single run and its outcome. */
export async function shareRun(gateway: CardGateway, reference: string, work: () => Promise<void>): Promise<void> {
  const runs = running.get(gateway) ?? new Map<string, Promise<unknown>>()
  running.set(gateway, runs)
  const run = runs.get(reference) ?? work().finally(() => runs.delete(reference))
  runs.set(reference, run)
  await run
}
