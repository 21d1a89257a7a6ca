import { type Guard, guard } from './guard.ts'
import { noKey, noLockNoCheck } from './shared-guards.ts'

/** Q. Against the model. */
export const modelGuards: Guard[] = [
  guard('Q1', 5, 'the check of the idempotency key, against the model', { fromDatabase: noKey }),
  guard('Q2', 5, 'the lock and the CHECK, against the model', { fromDatabase: noLockNoCheck }),
]
