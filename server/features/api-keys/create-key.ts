import { randomBytes } from 'node:crypto'
import { type CreateKeyRequest, MAX_API_KEYS } from '../../../shared/api-keys.ts'
import type { Ctx } from '../../platform/context.ts'
import { transaction } from '../../platform/db.ts'
import { AppError, Forbidden } from '../../platform/errors.ts'
import { hashToken } from '../../platform/hash-token.ts'
import { lockActor } from '../../platform/lock-actor.ts'
import { takePinProof } from '../transaction-pin/take-pin-proof.ts'
import { countWorkingKeys, insertKey, type KeyRow } from './api-keys.sql.ts'

const DAY_MS = 86_400_000

/**
 * Makes a key for the caller, an agent or an admin. The secret is not kept.
 * @throws Forbidden for a customer; PinRequired; AppError (CONFLICT) when the caller has as many keys as one can.
 */
export function createKey(ctx: Ctx, wanted: CreateKeyRequest, pinProof?: string): Promise<{ key: KeyRow; secret: string }> {
  return transaction(ctx.db, async (tx) => {
    const { id: userId, level } = await lockActor(tx, ctx)
    if (level === 'Customer') throw new Forbidden('Keys are for agents. Become an agent first.')
    // A key buys from the wallet without a PIN.
    if (!wanted.test && wanted.scopes.includes('orders:write')) await takePinProof(tx, userId, pinProof, ctx.now)
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
    }
    return { key: await insertKey(tx, { ...made, now: ctx.now }), secret }
  })
}

/** 256 random bits; the beginning tells people and secret scanners what it is. */
export function newSecret(isTest: boolean): string {
  return `dw_${isTest ? 'test' : 'live'}_${randomBytes(32).toString('base64url')}`
}
