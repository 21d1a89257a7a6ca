import type { SignedInUser, User } from '../../shared/users.ts'
import { createStored, forgetStored } from './stored.ts'

/** Who is signed in on this browser. The keys are those of the specification: userInfo and CurrUser. */
export const session = createStored<SignedInUser | null>('userInfo', null, isSignedInUser)
const currentUserRecord = createStored<SignedInUser | null>('CurrUser', null, isSignedInUser)

type EndReason = 'signed-out' | 'expired' | 'banned'
type EndListener = (reason: EndReason, message: string) => void

/** What must be forgotten when a session ends; every keeper of a user's own data adds itself here. */
const wipers = new Set<() => void>()
/** What may stay on a phone that several share, since it is nobody's own. */
const NOBODYS = ['theme', 'lastStore', 'adminOrderKeys']
let onEnd: EndListener = () => {}

export function startSession(user: SignedInUser): void {
  if (session.get()?._id !== user._id) for (const wipe of wipers) wipe()
  session.set(user)
  currentUserRecord.set(user)
}

/** Takes over a newer record of the signed-in user; never a balance that is older than the one shown. */
export function updateSessionUser(user: User): void {
  const current = session.get()
  if (!current || current._id !== user._id) return
  const next = mergeUser(current, user)
  if (JSON.stringify(next) === JSON.stringify(current)) return
  session.set(next)
  currentUserRecord.set(next)
}

export function mergeUser(current: SignedInUser, incoming: User): SignedInUser {
  const older = incoming.balanceVersion < current.balanceVersion
  const { balance, balanceVersion, totalPurchase } = older ? current : incoming
  return { ...current, ...incoming, balance, balanceVersion, totalPurchase, token: current.token }
}

export function endSession(reason: EndReason, message = ''): void {
  const ended = session.get()
  if (reason === 'expired') {
    // Another tab may have signed out, or in anew, before this one listened: then there is nothing to be told.
    session.reread()
    if (ended && ended.token !== session.get()?.token) {
      forgetUserData()
      return
    }
  }
  session.set(null)
  currentUserRecord.set(null)
  for (const wipe of wipers) wipe()
  // A screen that was not opened since the page was loaded is not here to forget what it kept on an earlier visit.
  forgetStored(NOBODYS)
  if (ended || reason === 'signed-out') onEnd(reason, message)
}

export function onSessionEnd(listener: EndListener): void {
  onEnd = listener
}

export function wipeAtSignOut(wipe: () => void): void {
  wipers.add(wipe)
}

/** For a tab whose sibling signed out: forgets without asking the server again. */
export function forgetUserData(): void {
  for (const wipe of wipers) wipe()
}

function isSignedInUser(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const user = value as Partial<SignedInUser>
  return (
    typeof user._id === 'string' && typeof user.token === 'string' && typeof user.balance === 'number' && typeof user.username === 'string'
  )
}
