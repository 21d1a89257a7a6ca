import { MAX_API_KEYS } from '../../../../shared/api-keys.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { AppError, Forbidden, NotFound } from '../../../platform/errors.ts'
import { hashToken } from '../../../platform/hash-token.ts'
import { lockActor, requirePassword } from '../../../platform/lock-actor.ts'
import { ACCOUNT_CHANGED_QUEUE } from '../../../platform/queues.ts'
import { takePinProof } from '../../people/transaction-pin/take-pin-proof.ts'
import { selectPin } from '../../people/transaction-pin/transaction-pin.sql.ts'
import { countWorkingKeys, insertKey, type KeyRow, lockKey, updateKeyReplaced } from './api-keys.sql.ts'
import { newSecret, queueKeyMail } from './create-key.ts'

const HOUR_MS = 3_600_000

/**
 * Makes a key with the rights of the given one, which works on for the given hours. The new key lasts as long as the old one was
 * made for, from now on.
 * @throws NotFound; Forbidden for a customer; PasswordNeeded; PinRequired; AppError (CONFLICT) when the key works no more or was replaced already, or
 *   too many that were replaced still work.
 */
export async function rotateKey(
  ctx: Ctx,
  { id, overlapHours }: { id: string; overlapHours: number },
  pinProof?: string,
): Promise<{ key: KeyRow; secret: string }> {
  const made = await transaction(ctx.db, async (tx) => {
    const { id: userId, email, level } = await lockActor(tx, ctx)
    if (level === 'Customer') throw new Forbidden('Keys are for agents. Become an agent first.')
    await requirePassword(tx, ctx)
    const old = await lockKey(tx, { id, userId })
    if (!old) throw new NotFound('key')
    const { name, scopes, addresses, isTest, createdAt, expiresAt } = old
    if (old.endedAt !== null || (expiresAt !== null && expiresAt <= ctx.now)) {
      throw new AppError('CONFLICT', 'That key works no more. Make a new one instead.')
    }
    if (old.replacedBy !== null) throw new AppError('CONFLICT', 'That key was replaced already.')
    // Each key has an allowance of its own: a chain of replaced ones that all work on would have no end.
    if (overlapHours > 0 && (await countWorkingKeys(tx, userId, { now: ctx.now, replaced: true })) >= MAX_API_KEYS) {
      throw new AppError('CONFLICT', `${MAX_API_KEYS} of your replaced keys still work. End one of them, or let this one end at once.`)
    }
    const buys = !isTest && scopes.includes('orders:write')
    if (buys) await takePinProof(tx, userId, pinProof, ctx.now)
    const pinProven = buys && (await selectPin(tx, userId))?.atCheckout === true
    const secret = newSecret(isTest)
    const lastsUntil = expiresAt && new Date(ctx.now.getTime() + expiresAt.getTime() - createdAt.getTime())
    const made = {
      userId,
      hash: hashToken(secret),
      name,
      ending: secret.slice(-4),
      scopes,
      addresses,
      isTest,
      expiresAt: lastsUntil,
      pinProven,
    }
    const key = await insertKey(tx, { ...made, now: ctx.now })
    // The table wants an expiry later than the making.
    const until = new Date(Math.max(ctx.now.getTime() + overlapHours * HOUR_MS, createdAt.getTime() + 1))
    // Without an overlap it ends now: a request that began before would still find it unexpired.
    await updateKeyReplaced(tx, { id, by: key.id, until, endedAt: overlapHours === 0 ? ctx.now : null })
    await queueKeyMail(tx, ctx, { userId, to: email })
    return { key, secret }
  })
  ctx.jobs.wake(ACCOUNT_CHANGED_QUEUE)
  return made
}
