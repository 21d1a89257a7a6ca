import type * as z from 'zod/mini'
import { toPesewas } from '../../../../shared/money.ts'
import type { changeBalanceRequest } from '../../../../shared/wallet.ts'
import { reserveMoney } from '../../../ledger/ledger.ts'
import { type Ctx, requireActor } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { PurchasesPaused, TooManyAttempts } from '../../../platform/errors.ts'
import { lockActor } from '../../../platform/lock-actor.ts'
import { countShareRefused } from '../../../platform/metrics.ts'
import { databaseBuckets, openRateLimiter } from '../../../platform/rate-limiter.ts'
import { bucketOf } from '../../../platform/shares.ts'
import { announceUserById } from '../../people/users/events.ts'

/** How long money stays set aside at most. */
export const RESERVED_FOR_MS = 120_000
/** How often one user sets money aside in a moment; over a day their share of money to and fro counts. */
const PER_USER = { size: 60, everyMs: 2_000 }
const NAME = 'money to and fro'

type Request = z.output<typeof changeBalanceRequest>

/**
 * Whether a change of a balance is what a client does before it orders: a debit of one's own wallet. An admin's own screens send a key,
 * and whoever writes a note means a debit.
 */
export function isReservation(actorId: string, { chosenId, amount, note = '' }: Request, key: string | null): boolean {
  return chosenId === actorId && amount < 0 && key === null && note === ''
}

/**
 * Sets `-amount` cedis of the actor's own wallet aside, until their next purchase, or until anything else needs it. Returns the balance in
 * pesewas.
 * @throws InsufficientBalance, PurchasesPaused, TooManyAttempts
 */
export async function reserveBalance(ctx: Ctx, amount: number): Promise<number> {
  const userId = requireActor(ctx).id
  const limiter = openRateLimiter(databaseBuckets(ctx.db), () => ctx.now)
  await limiter.take([{ name: `reservations of user ${userId}`, ...PER_USER }, bucketOf(NAME, userId)]).catch((error: unknown) => {
    if (error instanceof TooManyAttempts) countShareRefused(NAME)
    throw error
  })
  const balancePesewas = await transaction(ctx.db, async (tx) => {
    await lockActor(tx, ctx)
    const paused = await tx.query('select from purchase_pauses where lifted_at is null')
    if (paused.rowCount !== 0) throw new PurchasesPaused()
    const until = new Date(ctx.now.getTime() + RESERVED_FOR_MS)
    return reserveMoney(tx, { userId, amountPesewas: -toPesewas(amount), until, now: ctx.now })
  })
  await announceUserById(ctx, userId)
  return balancePesewas
}
