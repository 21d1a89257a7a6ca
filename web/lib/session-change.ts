import type { SignedInUser, User } from '../../shared/users.ts'
import { DRAFTS_KEY, forgetDrafts, setAside, takeBack } from './drafts.ts'
import { currentUserRecord, endedSession, keepers, session } from './session.ts'
import { forgetStored, putStored, readStored } from './stored-entries.ts'

type EndReason = 'signed-out' | 'expired' | 'banned'

/** Keys that may stay on a shared phone: they belong to nobody, or are kept per user. */
const NOBODYS = ['theme', 'lastStore', 'shopFigures', 'adminOrderKeys', DRAFTS_KEY, 'endedSession', 'signOuts']
/** What is read afresh from the shop, or must go when its user does. */
const NOT_SET_ASIDE = [...NOBODYS, 'userInfo', 'CurrUser', 'orderHistory']
let onEnd = () => {}

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

/** `token` names the session that has ended; a late message about an earlier one leaves the current one alone. */
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
  onEnd()
}

export function onSessionEnd(listener: () => void): void {
  onEnd = listener
}

/** For a tab when another one signed out or in: clears its memory, but not the storage that both share. */
export function forgetUserData(): void {
  for (const { forget, reread } of keepers) (reread ?? forget)()
}

/** Applies a newer record of the signed-in user, but never an older balance. */
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
