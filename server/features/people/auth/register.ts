import type * as z from 'zod/mini'
import { SEES_WALLETS } from '../../../../shared/staff-rules.ts'
import type { registerRequest } from '../../../../shared/users.ts'
import { openWallet } from '../../../ledger/ledger.ts'
import { addressKey, networkKey } from '../../../platform/address-key.ts'
import type { Ctx } from '../../../platform/context.ts'
import { brokenConstraint, type Tx, transaction } from '../../../platform/db.ts'
import { Invalid, Taken, TooManyAttempts } from '../../../platform/errors.ts'
import { hashToken } from '../../../platform/hash-token.ts'
import { NUMBER_TAKEN_QUEUE } from '../../../platform/queues.ts'
import type { RateLimiter } from '../../../platform/rate-limiter.ts'
import { insertReferral } from '../referrals/referrals.sql.ts'
import { startSession } from '../sessions/start-session.ts'
import { announceUserById } from '../users/events.ts'
import { foldUsername } from '../users/fold-username.ts'
import { presentUser } from '../users/present.ts'
import { refuseReservedName } from '../users/refuse-reserved-name.ts'
import { insertUser, selectUser, type UserRow } from '../users/users.sql.ts'
import { hashPassword } from './hash-password.ts'
import { type PasswordRules, refuseCommonPassword, refuseOwnDetails } from './refuse-common-password.ts'

/** Of one agent, each day: a family or a few friends on one Wi-Fi. */
const INVITED_AT_ONE_ADDRESS = { size: 3, everyMs: 8 * 3_600_000 }

/** What frees a number for a new account by a code, and confirms it for that account (`server/features/people/numbers/take-over-number.ts`). */
export type NumberClaims = {
  takeOver(tx: Tx, ctx: Ctx, claimed: Claimed): Promise<{ holderId: string | null } | Invalid>
  confirm(tx: Tx, ctx: Ctx, claimed: Claimed, userId: string): Promise<void>
}
type Claimed = { phone: string; claim: string; code: string }

/**
 * Creates an active customer with an empty wallet and signs them in. `device`: the browser's own id, where it has one from an earlier sign-in. With
 * `number`, an account that has the phone number without having confirmed it gives it up.
 * @throws Taken, Invalid; 409 CONFLICT where the number can't be had by a code.
 */
export async function register(
  ctx: Ctx,
  { username, email, phone, password, invitation, number, device = null }: z.output<typeof registerRequest> & { device?: string | null },
  { rules, limiter, claims }: { rules: PasswordRules; limiter: RateLimiter; claims: NumberClaims },
) {
  await refuseCommonPassword(password, rules)
  refuseOwnDetails(password, { username, email, phone }, rules)
  const passwordHash = await hashPassword(password, { lane: networkKey(ctx.ip ?? '') })
  const newUser = {
    username,
    usernameSkeleton: foldUsername(username),
    email,
    phone,
    passwordHash,
    level: 'Customer' as const,
    now: ctx.now,
  }
  const counts = invitation !== undefined && (await countsAsInvited(ctx, limiter, invitation))
  const claimed = number && { phone, ...number }
  const made = await transaction(ctx.db, async (tx) => {
    const taken = claimed && (await claims.takeOver(tx, ctx, claimed))
    // Returned, so that the wrong try is kept.
    if (taken instanceof Invalid) return taken
    await refuseReservedName(tx, username, rules.shopName)
    const id = await insertUser(tx, newUser)
    await openWallet(tx, id)
    const deviceHash = device === null ? null : hashToken(device)
    if (invitation) await insertReferral(tx, { referredId: id, code: invitation, deviceHash, counts, now: ctx.now })
    if (claimed) await claims.confirm(tx, ctx, claimed, id)
    const token = await startSession(tx, { id, level: 'Customer' }, ctx.now)
    return { user: (await selectUser(tx, id)) as UserRow, token, holderId: taken?.holderId ?? null }
  }).catch((error: unknown) => {
    throw takenField(error) ?? error
  })
  if (made instanceof Invalid) throw made
  const { user, token, holderId } = made
  if (claimed) ctx.jobs.wake(NUMBER_TAKEN_QUEUE)
  await announceUserById(ctx, holderId)
  ctx.realtime.announce({ staff: SEES_WALLETS }, 'userUpdated', presentUser(user))
  return { user, token }
}

/** Whoever makes accounts for themselves makes them in one place, also with a fresh browser for each. */
async function countsAsInvited({ ip }: Ctx, limiter: RateLimiter, invitation: string): Promise<boolean> {
  try {
    await limiter.take([{ name: `invited by ${invitation} at ${addressKey(ip ?? '')}`, ...INVITED_AT_ONE_ADDRESS }])
    return true
  } catch (error) {
    if (error instanceof TooManyAttempts) return false
    throw error
  }
}

function takenField(error: unknown): Taken | null {
  switch (brokenConstraint(error)) {
    case 'users_username_skeleton_key':
      return new Taken('username', 'That username is taken, or looks too much like one that is. Please choose another.')
    case 'users_email_key':
      return new Taken('email', 'That e-mail address already has an account. Sign in, or use another.')
    case 'users_phone_key':
      return new Taken('phone', 'That phone number already has an account. Sign in, or use another.')
    default:
      return null
  }
}
