import { NOT_AN_ID } from '../../../../shared/claims.ts'
import { addressKey } from '../../../platform/address-key.ts'
import { type Ctx, requireActor } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { AppError, Invalid } from '../../../platform/errors.ts'
import { lockActor } from '../../../platform/lock-actor.ts'
import type { RateLimiter } from '../../../platform/rate-limiter.ts'
import { withoutZeros } from '../../messages/message-formats/parse-message.ts'
import { type ClaimRow, countOpenClaims, hasIdsWithLetters, insertClaim } from './claims.sql.ts'

/** A payment's message usually comes in seconds; a network may keep it for days. */
const OPEN_MS = 7 * 24 * 3_600_000
const MOST_OPEN = 10
/** Guesses: a customer types one id now and then. Hundreds may share a mobile operator's address. */
const OF_USER = { size: 5, everyMs: 3 * 60_000 }
const AT_ONE_ADDRESS = { size: 40, everyMs: 60_000 }

/**
 * Notes that the caller says a payment is theirs. The reply is the same whether it has come or not, so that nobody learns which ids
 * exist; only one that somebody has is said to be taken. Said again, it stays one claim.
 * An id with letters is taken only once the owner has written down how AirtelTigo's messages of money that came in read: nobody else's ids have any.
 * @throws TooManyAttempts; Invalid; AppError (CONFLICT) at the most that one customer can have open.
 */
export async function claimPayment(ctx: Ctx, limiter: RateLimiter, typed: string): Promise<ClaimRow> {
  const { id } = requireActor(ctx)
  await limiter.take([
    { name: `claims of ${id}`, ...OF_USER },
    { name: `claims from ${addressKey(ctx.ip ?? '')}`, ...AT_ONE_ADDRESS },
  ])
  return transaction(ctx.db, async (tx) => {
    const { id: userId } = await lockActor(tx, ctx)
    if (/[A-Z]/.test(typed) && !(await hasIdsWithLetters(tx))) throw new Invalid([{ path: 'transactionId', message: NOT_AN_ID }])
    if ((await countOpenClaims(tx, userId, ctx.now)) >= MOST_OPEN) {
      throw new AppError('CONFLICT', `We are still looking for ${MOST_OPEN} payments of yours. Please write to us.`)
    }
    const expiresAt = new Date(ctx.now.getTime() + OPEN_MS)
    return insertClaim(tx, { userId, transactionId: withoutZeros(typed), now: ctx.now, expiresAt })
  })
}
