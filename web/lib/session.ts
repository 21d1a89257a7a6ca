import type { SignedInUser, User } from '../../shared/users.ts'
import { DRAFTS_KEY, forgetDrafts, setAside, takeBack } from './drafts.ts'
import { createStored, forgetStored, putStored, readStored, type Stored } from './stored.ts'

/** Who is signed in on this browser. The keys are those of the specification: userInfo and CurrUser. */
export const session = createStored<SignedInUser | null>('userInfo', null, isSignedInUser)
const currentUserRecord = createStored<SignedInUser | null>('CurrUser', null, isSignedInUser)

type EndReason = 'signed-out' | 'expired' | 'banned'
type EndListener = (reason: EndReason, message: string) => void

/** What must be forgotten when a session ends; every keeper of a user's own data adds itself here. */
const keepers = new Set<{ forget: () => void; reread?: () => void }>()
/** What may stay on a phone that several share: it is nobody's own, or kept apart for each. */
const NOBODYS = ['theme', 'lastStore', 'adminOrderKeys', DRAFTS_KEY, 'endedSession', 'signOuts']
/** What is read afresh from the shop, or must go when its user does. */
const NOT_SET_ASIDE = [...NOBODYS, 'userInfo', 'CurrUser', 'orderHistory']
let onEnd: EndListener = () => {}

/** Why the last session on this browser ended, where its user did not ask for it; stays until it is dismissed or somebody signs in. */
export type EndedSession = { reason: 'expired' | 'banned'; message: string }
export const endedSession = createStored<EndedSession | null>('endedSession', null, isEndedSession)

/** Replies the screen that was open when this user's last session ended by itself. */
export function startSession(user: SignedInUser): string | undefined {
  session.reread()
  const before = session.get()
  if (before?._id !== user._id) {
    if (before) setAside(before._id, readStored(NOT_SET_ASIDE), '')
    for (const { forget } of keepers) forget()
  }
  session.set(user)
  currentUserRecord.set(user)
  endedSession.set(null)
  const { stored = {}, path } = takeBack(user._id)
  putStored(stored)
  for (const { reread } of keepers) reread?.()
  return path
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

/** `token` names the session that has ended: a late word about an earlier one leaves the present one alone. */
export function endSession(reason: EndReason, message = '', token = session.get()?.token): void {
  // Another tab may have signed out, or in anew, before this one listened: then there is nothing to be told.
  session.reread()
  const ended = session.get()
  if (reason !== 'signed-out') {
    if (!ended || ended.token !== token) {
      forgetUserData()
      return
    }
    setAside(ended._id, readStored(NOT_SET_ASIDE), window.location.pathname + window.location.search)
    endedSession.set({ reason, message })
  } else if (ended) forgetDrafts(ended._id)
  session.set(null)
  currentUserRecord.set(null)
  for (const { forget } of keepers) forget()
  // A screen that was not opened since the page was loaded is not here to forget what it kept on an earlier visit.
  forgetStored(NOBODYS)
  onEnd(reason, message)
}

export function onSessionEnd(listener: EndListener): void {
  onEnd = listener
}

/** For what lives as long as the page. */
export function wipeAtSignOut(forget: () => void): void {
  keepers.add({ forget })
}

/** For what is kept in the browser's storage: forgotten at signing out, and there again after a session that ended by itself. */
export function ofUser<T>(stored: Stored<T>, nothing: T): Stored<T> {
  keepers.add({ forget: () => stored.set(nothing), reread: stored.reread })
  return stored
}

/** For a tab whose sibling signed out, or in: forgets what it has in memory, and leaves to its sibling what both share. */
export function forgetUserData(): void {
  for (const { forget, reread } of keepers) (reread ?? forget)()
}

function isEndedSession(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { reason, message } = value as Partial<EndedSession>
  return (reason === 'expired' || reason === 'banned') && typeof message === 'string'
}

function isSignedInUser(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const user = value as Partial<SignedInUser>
  return (
    typeof user._id === 'string' && typeof user.token === 'string' && typeof user.balance === 'number' && typeof user.username === 'string'
  )
}
