import { Secret, TOTP } from 'otpauth'
import { recordAdminAction } from '../../platform/audit.ts'
import type { Ctx } from '../../platform/context.ts'
import { transaction } from '../../platform/db.ts'
import { hashToken } from '../../platform/hash-token.ts'
import type { Bucket, RateLimiter } from '../../platform/rate-limiter.ts'
import { openSecret } from '../../platform/seal-secret.ts'
import { selectSecondFactor, takeRecoveryCode, takeStep } from './second-factor.sql.ts'

/** Authenticator apps know no other values (RFC 6238, as Google Authenticator reads it). */
const PERIOD_SECONDS = 30
const DIGITS = 6
/** A phone's clock may be one step early or late. */
const SKEW_STEPS = 1

/** Whoever has the password may try five codes, then one every three minutes. */
const GUESSES = { size: 5, everyMs: 180_000 }

/** What the checks of codes need: the key of what is encrypted, and the limit of guesses. */
export type CodeChecks = { limiter: RateLimiter; secretsKey: string | null }

/**
 * Whether this is a code of the user's app, or one of their recovery codes. Either works once.
 * @throws TooManyAttempts after too many wrong ones; nothing was checked then.
 */
export async function checkCode(ctx: Ctx, { limiter, secretsKey }: CodeChecks, userId: string, code: string): Promise<boolean> {
  const guesses: Bucket = { name: `code of ${userId}`, ...GUESSES }
  await limiter.take([guesses])
  const typed = code.replaceAll(/[\s-]/g, '').toUpperCase()
  const isRight = /^\d{6}$/.test(typed) ? await takeAppCode(ctx, secretsKey, userId, typed) : await takeRecovery(ctx, userId, typed)
  if (isRight) await limiter.giveBack(guesses)
  return isRight
}

async function takeAppCode(ctx: Ctx, secretsKey: string | null, userId: string, code: string): Promise<boolean> {
  const factor = await selectSecondFactor(ctx.db, userId)
  if (!factor) return false
  const step = stepOf(openSecret(factor.secret, secretsKey), code, ctx.now)
  return step !== null && takeStep(ctx.db, { userId, step })
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

async function takeRecovery(ctx: Ctx, userId: string, typed: string): Promise<boolean> {
  return transaction(ctx.db, async (tx) => {
    if (!(await takeRecoveryCode(tx, { userId, hash: hashRecoveryCode(typed), now: ctx.now }))) return false
    await recordAdminAction(
      tx,
      { actor: null, ip: ctx.ip, now: ctx.now },
      { action: 'staff.recovery-code', subject: { type: 'user', id: userId }, note: 'a recovery code was used' },
    )
    return true
  })
}

/** `code` without spaces and hyphens, in capitals. */
export function hashRecoveryCode(code: string): Buffer {
  return hashToken(`recovery code ${code}`)
}
