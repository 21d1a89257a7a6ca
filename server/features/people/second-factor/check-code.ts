import { Secret, TOTP } from 'otpauth'
import { addressKey } from '../../../platform/address-key.ts'
import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import { type Queryable, type Tx, transaction } from '../../../platform/db.ts'
import { hashToken } from '../../../platform/hash-token.ts'
import type { Bucket, RateLimiter } from '../../../platform/rate-limiter.ts'
import { openSecret, SecretClosed, type SecretsKey } from '../../../platform/seal-secret.ts'
import { selectSecondFactor, takeRecoveryCode, takeStep } from './second-factor.sql.ts'

/** Authenticator apps know no other values (RFC 6238, as Google Authenticator reads it). */
const PERIOD_SECONDS = 30
const DIGITS = 6
/** A phone's clock may be one step early or late. */
const SKEW_STEPS = 1

/** Whoever has the password may try five codes, then one every three minutes. Each place counts for itself, so that a thief elsewhere locks nobody out. */
const GUESSES = { size: 5, everyMs: 180_000 }
/** A recovery code has 79 bits, so these only save work. They stay when an app's codes are used up. */
const RECOVERIES = { size: 10, everyMs: 60_000 }

/** Where a code is typed: at a sign-in, in a browser that the user has signed in with before or any other, or in a session. */
export type CodePlace = 'signed in' | 'elsewhere' | { device: Buffer }

/** What the checks of codes need: the key of what is encrypted, and the limit of guesses. */
export type CodeChecks = { limiter: RateLimiter; secretsKey: SecretsKey | null }

/**
 * Whether this is a code of the user's app, or one of their recovery codes. Either works once; `inside` a transaction, once that commits.
 * @throws TooManyAttempts after too many wrong ones of this kind at this place; nothing was checked then.
 */
export async function checkCode(
  ctx: Ctx,
  { limiter, secretsKey }: CodeChecks,
  userId: string,
  code: string,
  place: CodePlace,
  inside?: Tx,
): Promise<boolean> {
  const typed = code.replaceAll(/[\s-]/g, '').toUpperCase()
  const isOfApp = /^\d{6}$/.test(typed)
  const where = typeof place === 'string' ? place : `on ${place.device.toString('base64url')}`
  const guesses: Bucket = isOfApp
    ? { name: `code of ${userId} ${where}`, ...GUESSES }
    : { name: `recovery code of ${userId} at ${addressKey(ctx.ip ?? '')}`, ...RECOVERIES }
  await limiter.take([guesses])
  const isRight = isOfApp
    ? await takeAppCode(inside ?? ctx.db, ctx.now, { secretsKey, userId, code: typed })
    : await takeRecovery(ctx, userId, typed, inside)
  if (isRight) await limiter.giveBack(guesses)
  return isRight
}

type AppCode = { secretsKey: SecretsKey | null; userId: string; code: string }

async function takeAppCode(db: Queryable, now: Date, { secretsKey, userId, code }: AppCode): Promise<boolean> {
  const factor = await selectSecondFactor(db, userId)
  if (!factor) return false
  const secret = openIfPossible(factor.secret, secretsKey)
  if (secret === null) return false
  const step = stepOf(secret, code, now)
  return step !== null && takeStep(db, { userId, step })
}

/** Null when SECRETS_KEY is another one than it was: a recovery code still signs in then. */
function openIfPossible(sealed: Buffer, key: SecretsKey | null): string | null {
  try {
    return openSecret(sealed, key)
  } catch (error) {
    if (error instanceof SecretClosed) return null
    throw error
  }
}

/** The time step of a code, or null when it belongs to none near `now`. */
function stepOf(secret: string, code: string, now: Date): number | null {
  const delta = appOf(secret).validate({ token: code, timestamp: now.getTime(), window: SKEW_STEPS })
  return delta === null ? null : Math.floor(now.getTime() / 1000 / PERIOD_SECONDS) + delta
}

/** What an authenticator app is given. `label` names the account in the app. */
export function appOf(secret: string, { shop = '', label = '' } = {}): TOTP {
  return new TOTP({ issuer: shop, label, secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: DIGITS, period: PERIOD_SECONDS })
}

async function takeRecovery(ctx: Ctx, userId: string, typed: string, inside?: Tx): Promise<boolean> {
  const take = async (tx: Tx) => {
    if (!(await takeRecoveryCode(tx, { userId, hash: hashRecoveryCode(typed), now: ctx.now }))) return false
    await recordAdminAction(
      tx,
      { actor: null, ip: ctx.ip, now: ctx.now },
      { action: 'staff.recovery-code', subject: { type: 'user', id: userId }, note: 'a recovery code was used' },
    )
    return true
  }
  return inside ? take(inside) : transaction(ctx.db, take)
}

/** `code` without spaces and hyphens, in capitals. */
export function hashRecoveryCode(code: string): Buffer {
  return hashToken(`recovery code ${code}`)
}
