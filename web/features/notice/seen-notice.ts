import { wipeAtSignOut } from '../../lib/session.ts'
import { createStore } from '../../lib/store.ts'

/** The notice that was closed since signing in or loading the page; another text is shown again. */
export const seenNotice = createStore<string | null>(null)

wipeAtSignOut(() => seenNotice.set(null))
