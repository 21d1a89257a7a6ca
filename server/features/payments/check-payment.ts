import type { CardGateway } from '../../integrations/payments/card-gateway.ts'
import type { Ctx } from '../../platform/context.ts'
import type { Queryable } from '../../platform/db.ts'
import { NotFound } from '../../platform/errors.ts'
import { type PaymentRow, selectPayment } from './payments.sql.ts'
import { isSettled, settlePayment } from './settle-payment.ts'

/** The least time between two queries of customers about one payment, over all processes. */
export const ASK_EVERY_MS = 3_000
/** One customer's queries about all their payments: burst size, then a sustained rate. */
const BURST_PER_USER = 20
const USER_EVERY_MS = 1_500

const running = new WeakMap<CardGateway, Map<string, Promise<unknown>>>()

/**
 * A payment's status for a customer. Queries the card provider at most once every few seconds per reference, within a rate
 * limit per user: concurrent callers share the answer, earlier ones get the stored status. Webhook events and polling call
 * `settlePayment` directly.
 * @throws NotFound when there is no such payment.
 */
export async function checkPayment(ctx: Ctx, gateway: CardGateway, reference: string): Promise<PaymentRow> {
  const known = await selectPayment(ctx.db, reference)
  if (!known) throw new NotFound('payment')
  if (isSettled(known)) return known
  await shareRun(gateway, reference, async () => {
    if (await claimQuestion(ctx.db, { reference, userId: known.userId, now: ctx.now })) await settlePayment(ctx, gateway, reference)
  })
  return (await selectPayment(ctx.db, reference)) as PaymentRow
}

/**
 * True for the one caller, over all processes, who may query the card provider about a reference now. Works for unknown
 * references too.
 */
export async function claimQuestion(
  db: Queryable,
  { reference, userId, now }: { reference: string; userId: string; now: Date },
): Promise<boolean> {
  const { rows } = await db.query<{ waitMs: number }>('select take_tries($1, $2, $3, $4, $5) as "waitMs"', [
    [`card question ${reference}`, `card questions of ${userId}`],
    [1, BURST_PER_USER],
    [ASK_EVERY_MS, USER_EVERY_MS],
    [1, 1],
    now,
  ])
  return rows[0]?.waitMs === 0
}

/** Concurrent callers for one reference share a single run and its outcome. */
export async function shareRun(gateway: CardGateway, reference: string, work: () => Promise<void>): Promise<void> {
  const runs = running.get(gateway) ?? new Map<string, Promise<unknown>>()
  running.set(gateway, runs)
  const run = runs.get(reference) ?? work().finally(() => runs.delete(reference))
  runs.set(reference, run)
  await run
}
