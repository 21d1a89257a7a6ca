import type * as z from 'zod/mini'
import type { loginRequest } from '../../../../shared/users.ts'
import { networkKey } from '../../../platform/address-key.ts'
import type { Ctx } from '../../../platform/context.ts'
import { AppError, Banned, CodeNeeded, TooManyAttempts } from '../../../platform/errors.ts'
import { hashToken } from '../../../platform/hash-token.ts'
import type { Bucket, RateLimiter } from '../../../platform/rate-limiter.ts'
import { type CodeChecks, checkCode } from '../second-factor/check-code.ts'
import { startSessionWithPassword } from '../sessions/start-session.ts'
import { selectUserByPhone } from '../users/users.sql.ts'
import { isPassword } from './hash-password.ts'
import { selectKnown } from './known-devices.sql.ts'
import { limitGuesses } from './limit-guesses.ts'
import { hashPlace } from './open-device-cookies.ts'

type Login = z.output<typeof loginRequest> & { device: string | null }

/**
 * Signs a user in. An unknown phone number and a wrong password look the same, also in timing.
 * @throws TooManyAttempts after too many wrong guesses (limits in `limit-guesses.ts`) or too many sign-ins at once.
 * @throws WrongPassword, Banned, CodeNeeded without the code of somebody who has one, or with a wrong or used one.
 */
export async function login(ctx: Ctx, checks: CodeChecks, { userPhone, password, code, device }: Login) {
  const { limiter } = checks
  const deviceHash = device === null ? null : hashToken(device)
  const placeHash = hashPlace(ctx.ip)
  const known = await selectKnown(ctx.db, deviceHash ? [deviceHash, placeHash] : [placeHash], userPhone)
  const isKnown = (hash: Buffer | null) => hash !== null && known.some((one) => one.hash.equals(hash))
  const isKnownPlace = isKnown(placeHash)
  const guess = limitGuesses({ phone: userPhone, ip: ctx.ip, deviceHash: isKnown(deviceHash) ? deviceHash : null, isKnownPlace })
  const taken = await take(limiter, guess)

  const user = await selectUserByPhone(ctx.db, userPhone)
  // Users with known devices don't queue behind strangers at the same address.
  const hasOwnLane = user !== null && known.some((one) => one.isKnownUser)
  const lane = { lane: hasOwnLane ? `user ${user.id}` : networkKey(ctx.ip ?? ''), account: userPhone }
  const matches = await isPassword(user?.passwordHash ?? null, password, lane).catch(async (error: unknown) => {
    // The password was not checked, so it was no attempt.
    for (const bucket of taken) await limiter.giveBack(bucket)
    throw error
  })
  for (const bucket of matches ? taken : []) await limiter.giveBack(bucket)
  for (const bucket of matches ? [] : guess.wrong) await limiter.count(bucket)
  if (!user || !matches) throw new WrongPassword()
  if (user.status === 'Banned') throw new Banned()
  if (user.hasCode) {
    if (!code) throw new CodeNeeded()
    const place = deviceHash !== null && isKnown(deviceHash) ? { device: deviceHash } : 'elsewhere'
    if (!(await checkCode(ctx, checks, user.id, code, place))) throw new CodeNeeded(WRONG_CODE)
  }
  const token = await startSessionWithPassword(ctx.db, user, ctx.now)
  // The password, level or status changed during the check.
  if (token === null) throw new WrongPassword()
  return { user, token }
}

const WRONG_CODE = 'That code is not right, or was used already. Wait for the next one in the app and try again.'

class WrongPassword extends AppError {
  constructor() {
    super('UNAUTHENTICATED', 'Wrong phone number or password.')
  }
}

async function take(limiter: RateLimiter, { first, otherwise }: ReturnType<typeof limitGuesses>): Promise<Bucket[]> {
  const refusals: TooManyAttempts[] = []
  for (const { own, shared } of [first, ...otherwise]) {
    try {
      await limiter.take(own, shared)
      return own
    } catch (error) {
      if (!(error instanceof TooManyAttempts)) throw error
      refusals.push(error)
    }
  }
  throw new TooManyGuesses(Math.min(...refusals.map(({ waitSeconds }) => waitSeconds)))
}

/** Whoever guesses from many addresses can use up an account's attempts at new places. The link in our mail is the owner's way in. */
class TooManyGuesses extends TooManyAttempts {
  constructor(waitSeconds: number) {
    super(waitSeconds * 1_000)
    this.message += ' Or press “Forgot your password?”: the link in our mail lets you in at once, also with the password that you have.'
  }
}
