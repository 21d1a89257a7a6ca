import { wipeAtSignOut } from '../lib/session.ts'
import { signedInTexts } from '../texts/signed-in.ts'

/** Tabs of a customer who sells under an agent, before those of every customer. */
export const SUB_AGENT_TABS = [
  { href: '/agent/shop', label: signedInTexts.myShop },
  { href: '/agent/earnings', label: signedInTexts.earnings },
]

const KEY = 'sells-under-agent'
wipeAtSignOut(() => rememberSelling(null))

/** Remembers in this browser, until the sign-out, that a user sells under an agent; null forgets it. */
export function rememberSelling(userId: string | null): void {
  try {
    if (userId === null) localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, userId)
  } catch {
    // Storage is full or forbidden, so the tabs are missing.
  }
}

export function isKnownToSell(userId: string): boolean {
  try {
    return localStorage.getItem(KEY) === userId
  } catch {
    return false
  }
}
