import type { SignedInUser } from '../../shared/users.ts'
import { createStored, type Stored } from './stored.ts'

/** Who is signed in on this browser, stored under `userInfo` and `CurrUser`. */
export const session = createStored<SignedInUser | null>('userInfo', null, isSignedInUser)
export const currentUserRecord = createStored<SignedInUser | null>('CurrUser', null, isSignedInUser)

/** Clean-up for the end of a session; every module that holds a user's data registers here. */
export const keepers = new Set<{ forget: () => void; reread?: () => void }>()
/** Why the last session on this browser ended, where its user did not ask for it; stays until it is dismissed or somebody signs in. */
export type EndedSession = { reason: 'expired' | 'banned'; message: string }
export const endedSession = createStored<EndedSession | null>('endedSession', null, (value) => typeof value === 'object')

/** For what lives as long as the page. */
export function wipeAtSignOut(forget: () => void): void {
  keepers.add({ forget })
}

/** For what is kept in the browser's storage: forgotten at signing out, and there again after a session that ended by itself. */
export function ofUser<T>(stored: Stored<T>, nothing: T): Stored<T> {
  keepers.add({ forget: () => stored.set(nothing), reread: stored.reread })
  return stored
}

function isSignedInUser(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const user = value as Partial<SignedInUser>
  return (
    typeof user._id === 'string' && typeof user.token === 'string' && typeof user.balance === 'number' && typeof user.username === 'string'
  )
}
