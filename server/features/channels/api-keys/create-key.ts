import { randomBytes } from 'node:crypto'
import { type CreateKeyRequest, MAX_API_KEYS } from '../../../../shared/api-keys.ts'
import type { Ctx } from '../../../platform/context.ts'
import { type Tx, transaction } from '../../../platform/db.ts'
import { AppError, Forbidden } from '../../../platform/errors.ts'
import { hashToken } from '../../../platform/hash-token.ts'
import { lockActor, requirePassword } from '../../../platform/lock-actor.ts'
import { ACCOUNT_CHANGED_QUEUE, accountChangedJob } from '../../../platform/queues.ts'
import { takePinProof } from '../../people/transaction-pin/take-pin-proof.ts'
import { selectPin } from '../../people/transaction-pin/transaction-pin.sql.ts'
import { countWorkingKeys, insertKey, type KeyRow } from './api-keys.sql.ts'

const DAY_MS = 86_400_000

/**
 * Makes a key for the caller, an agent or an admin, and tells them by mail. The secret is not kept.
 * @throws Forbidden for a customer; PasswordNeeded; PinRequired; AppError (CONFLICT) when the caller has as many keys as one can.
 */
export async function createKey(ctx: Ctx, wanted: CreateKeyRequest, pinProof?: string): Promise<{ key: KeyRow; secret: string }> {
  const made = await transaction(ctx.db, async (tx) => {
    const { id: userId, email, level } = await lockActor(tx, ctx)
    if (level === 'Customer') throw new Forbidden('Keys are for agents. Become an agent first.')
    await requirePassword(tx, ctx)
    // A key buys from the wallet without a PIN.
    const buys = !wanted.test && wanted.scopes.includes('orders:write')
    if (buys) await takePinProof(tx, userId, pinProof, ctx.now)
    const pinProven = buys && (await selectPin(tx, userId))?.atCheckout === true
    if ((await countWorkingKeys(tx, userId, { now: ctx.now, replaced: false })) >= MAX_API_KEYS) {
      throw new AppError('CONFLICT', `You can have at most ${MAX_API_KEYS} keys. End one that you no longer need, then make this one.`)
    }
    const { name, scopes, addresses = [], expiresInDays, test: isTest = false } = wanted
    const secret = newSecret(isTest)
    const expiresAt = expiresInDays === undefined ? null : new Date(ctx.now.getTime() + expiresInDays * DAY_MS)
    const made = {
      userId,
      hash: hashToken(secret),
      name,
      ending: secret.slice(-4),
      scopes: [...new Set(scopes)],
      addresses,
      isTest,
      expiresAt,
      pinProven,
    }
    await queueKeyMail(tx, ctx, { userId, to: email })
    return { key: await insertKey(tx, { ...made, now: ctx.now }), secret }
  })
  ctx.jobs.wake(ACCOUNT_CHANGED_QUEUE)
  return made
}

/** Wake the queue after the commit. */
export async function queueKeyMail(tx: Tx, ctx: Ctx, about: { userId: string; to: string }) {
  await ctx.jobs.enqueue(tx, ACCOUNT_CHANGED_QUEUE, [accountChangedJob({ ...about, what: 'api-key' }, ctx.now)])
}

/** 256 random bits; the beginning tells people and secret scanners what it is. */
export function newSecret(isTest: boolean): string {
  return `dw_${isTest ? 'test' : 'live'}_${randomBytes(32).toString('base64url')}`
}
