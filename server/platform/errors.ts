import { formatShortTime } from '../../shared/dates.ts'
import { ERROR_STATUS, type ErrorCode, type Issue } from '../../shared/errors.ts'

/** An error that is reported to the caller; its message is a sentence for a customer. */
export class AppError extends Error {
  override name = 'AppError'
  readonly status: number
  readonly code: ErrorCode
  readonly issues: Issue[] | undefined

  constructor(code: ErrorCode, message: string, issues?: Issue[]) {
    super(message)
    this.status = ERROR_STATUS[code]
    this.code = code
    this.issues = issues
  }
}

export class Invalid extends AppError {
  constructor(issues: Issue[]) {
    super('INVALID', issues[0]?.message ?? 'That request is not valid.', issues)
  }
}

export class Unauthenticated extends AppError {
  constructor(message = 'Please sign in to go on.') {
    super('UNAUTHENTICATED', message)
  }
}

/** Phone number and password are right, but the user signs in with a code as well. */
export class CodeNeeded extends AppError {
  constructor(message = 'Enter the 6-digit code from your authenticator app, or a recovery code.') {
    super('CODE_NEEDED', message)
  }
}

/** The password was given too long ago for what is asked. */
export class PasswordNeeded extends AppError {
  constructor() {
    super('PASSWORD_NEEDED', 'Please enter your password again to go on.')
  }
}

/** The buyer wants to be asked for their PIN before their wallet is spent; nothing was charged. */
export class PinRequired extends AppError {
  constructor() {
    super('PIN_REQUIRED', 'Please enter your PIN. Nothing was charged.')
  }
}

/** `until`: when the PIN can be tried again. */
export class PinLocked extends AppError {
  readonly waitSeconds: number
  constructor(until: Date, now: Date) {
    const times = `from ${formatShortTime(until, now)}`
    super(
      'PIN_LOCKED',
      `That was wrong too often, so your PIN is locked. You can try again ${times}, or choose a new one under My account.`,
    )
    this.waitSeconds = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000))
  }
}

export class SecondFactorNeeded extends AppError {
  constructor() {
    super('SECOND_FACTOR_NEEDED', 'Whoever moves money here signs in with a code. Set yours up under More, My code, then try again.')
  }
}

export class Forbidden extends AppError {
  constructor(message = 'You are not allowed to do that.') {
    super('FORBIDDEN', message)
  }
}

export class Banned extends AppError {
  constructor() {
    super('BANNED', 'This account has been banned. Please contact us if you think that is a mistake.')
  }
}

export class NotFound extends AppError {
  constructor(what: string) {
    super('NOT_FOUND', `That ${what} does not exist.`)
  }
}

export class AlreadyDecided extends AppError {
  constructor(what: string, status: string) {
    super('ALREADY_DECIDED', `That ${what} is already ${status}.`)
  }
}

export class Taken extends AppError {
  constructor(path: string, message: string) {
    super('TAKEN', message, [{ path, message }])
  }
}

export class KeyReused extends AppError {
  constructor() {
    super('KEY_REUSED', 'That was sent before with other contents. Please reload the page and try again.')
  }
}

export class InsufficientBalance extends AppError {
  constructor(message: string) {
    super('INSUFFICIENT_BALANCE', message)
  }
}

export class TooManyAttempts extends AppError {
  readonly waitSeconds: number
  constructor(waitMs: number) {
    const seconds = Math.ceil(waitMs / 1000)
    const minutes = Math.ceil(seconds / 60)
    const wait = seconds <= 90 ? `${seconds} second${seconds === 1 ? '' : 's'}` : `${minutes} minutes`
    super('TOO_MANY_REQUESTS', `Too many attempts. Please wait ${wait} and try again.`)
    this.waitSeconds = seconds
  }
}

/** Nothing was changed, so the request can be repeated after a moment. */
export class TooManyAtOnce extends AppError {
  readonly waitSeconds = 1
  constructor() {
    super('TOO_MANY_REQUESTS', 'Your other purchases are still going through. Please wait a few seconds and try again.')
  }
}

export class ServiceUnavailable extends AppError {
  constructor() {
    super('UNAVAILABLE', 'The shop is catching its breath. Please try again in a moment.')
  }
}

/** Reconciliation found wrong balances; purchases stop until an admin has looked. */
export class PurchasesPaused extends AppError {
  constructor() {
    super(
      'PURCHASES_PAUSED',
      'Purchases are paused while we check the books. Nothing was charged and your money is safe. Please try again later.',
    )
  }
}

export class OutsideService extends AppError {
  constructor(message: string) {
    super('OUTSIDE_SERVICE', message)
  }
}
