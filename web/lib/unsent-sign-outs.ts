import { createStored } from './stored.ts'

export const NO_SIGN_OUTS: readonly string[] = []

/**
 * Tokens of sessions that were left on this phone while the shop could not be reached. They are written down only when that is
 * so, since a token is as good as a password until the shop has heard of it.
 */
export const unsentSignOuts = createStored<readonly string[]>('signOuts', NO_SIGN_OUTS, (value) => Array.isArray(value))
