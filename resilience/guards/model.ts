import type { Guard } from './guard.ts'
import { noKey, noLockNoCheck } from './shared-guards.ts'

/** Q. Against the model. */
export const modelGuards: Guard[] = [
  { experiment: 'Q1', runs: 5, removed: 'the check of the idempotency key, against the model', fromDatabase: noKey },
  { experiment: 'Q2', runs: 5, removed: 'the lock and the CHECK, against the model', fromDatabase: noLockNoCheck },
]
