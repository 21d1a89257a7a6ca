import { createStored } from './stored.ts'

const NONE: readonly string[] = []
const MOST_KEPT = 10

/**
 * Tokens of sessions that were left on this phone while the shop could not be reached. They are written down only when that is
 * so, since a token is as good as a password until the shop has heard of it.
 */
export const unsentSignOuts = createStored<readonly string[]>('signOuts', NONE, (value) => Array.isArray(value))

export function keepSignOut(token: string): void {
  unsentSignOuts.update((tokens) => [...tokens.filter((other) => other !== token), token].slice(-MOST_KEPT))
}

export function dropSignOut(token: string): void {
  if (!unsentSignOuts.get().includes(token)) return
  unsentSignOuts.update((tokens) => {
    const others = tokens.filter((other) => other !== token)
    return others.length === 0 ? NONE : others
  })
}
