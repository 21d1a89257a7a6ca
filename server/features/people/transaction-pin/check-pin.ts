import type { Ctx } from '../../../platform/context.ts'
import { AppError, Invalid, PinLocked } from '../../../platform/errors.ts'
import { openSecret, SecretClosed, type SecretsKey } from '../../../platform/seal-secret.ts'
import { chooseLane } from '../auth/choose-lane.ts'
import { isPassword } from '../auth/hash-password.ts'
import { forgiveTries, giveBackTry, selectPin, takePinTry } from './transaction-pin.sql.ts'

const MOST_TRIES = 5

/**
 * Checks a user's PIN, outside of any transaction, since it takes long on purpose. Whoever calls this knows who asks: five wrong ones lock it.
 * Returns what is stored of it, so that a write can make sure that it is still the same. `path`: the field, for errors.
 * @throws Invalid with the tries that are left, PinLocked, CONFLICT when the user has none, TooManyAttempts when too many are being checked.
 */
export async function checkPin(
  ctx: Pick<Ctx, 'db' | 'now' | 'ip'>,
  secretsKey: SecretsKey | null,
  { userId, pin, path = 'pin' }: { userId: string; pin: string; path?: string },
): Promise<Buffer> {
  const taken = await takePinTry(ctx.db, userId, ctx.now)
  if (!taken) {
    const { lockedUntil } = (await selectPin(ctx.db, userId)) ?? {}
    throw lockedUntil ? new PinLocked(lockedUntil, ctx.now) : new NoPin()
  }
  const lane = await chooseLane(ctx, userId)
  let isRight: boolean
  try {
    isRight = await isPassword(openSecret(taken.pin, secretsKey), pin, lane)
  } catch (error) {
    await giveBackTry(ctx.db, userId, taken, ctx.now)
    throw error instanceof SecretClosed ? new PinClosed() : error
  }
  if (isRight) {
    await forgiveTries(ctx.db, userId, taken, ctx.now)
    return taken.pin
  }
  if (taken.lockedUntil) throw new PinLocked(taken.lockedUntil, ctx.now)
  const left = MOST_TRIES - taken.tries
  throw new Invalid([{ path, message: `That is not your PIN. You have ${left} ${left === 1 ? 'try' : 'tries'} left.` }])
}

export class NoPin extends AppError {
  constructor() {
    super('CONFLICT', 'You have no PIN. You can choose one under My account.')
  }
}

/** The shop's SECRETS_KEY is another one than when it was chosen. */
class PinClosed extends AppError {
  constructor() {
    super('CONFLICT', 'We can’t check your PIN any more. Please choose a new one under My account. Nothing was charged.')
  }
}

/** Between the check and the write. */
export class PinChangedMeanwhile extends AppError {
  constructor() {
    super('CONFLICT', 'Your PIN was changed somewhere else. Please try again.')
  }
}
