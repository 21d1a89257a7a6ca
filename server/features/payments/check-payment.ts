import type { CardGateway } from '../../integrations/payments/card-gateway.ts'
import type { Ctx } from '../../platform/context.ts'
import type { Queryable } from '../../platform/db.ts'
import { NotFound } from '../../platform/errors.ts'
import { type PaymentRow, selectPayment } from './payments.sql.ts'
import { isSettled, settlePayment } from './settle-payment.ts'

/** Between two questions of customers about one payment, in all processes together. */
export const ASK_EVERY_MS = 3_000
/** One customer's questions about all their payments: so many at once, and one more every so often. */
const BURST_PER_USER = 20
const USER_EVERY_MS = 1_500

const running = new WeakMap<CardGateway, Map<string, Promise<unknown>>>()

/**
 * How a payment stands, for a customer who wants to know. Asks the card provider at most once every few seconds for each
 * reference and within a limit for each user: whoever comes at the same time shares the answer, whoever comes sooner gets
 * what is stored. The provider's own webhook event and the loop over open payments call `settlePayment` instead.
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
 * True for the one caller, of all processes, who may ask the card provider about a reference now; also for a reference that
 * names no payment of ours.
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

/** Has the callers of one moment wait for one and the same run, which ends as theirs. */
export async function shareRun(gateway: CardGateway, reference: string, work: () => Promise<void>): Promise<void> {
  const runs = running.get(gateway) ?? new Map<string, Promise<unknown>>()
  running.set(gateway, runs)
  const run = runs.get(reference) ?? work().finally(() => runs.delete(reference))
  runs.set(reference, run)
  await run
}
