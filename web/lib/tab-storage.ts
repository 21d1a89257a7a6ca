/**
 * For a browser whose storage is forbidden or full, or a screen inside another app that has none. In place of `localStorage` stands one that
 * keeps for this tab what the browser does not take, and in place of a forbidden `sessionStorage` another. It is loaded before the first
 * screen where it is needed, or once something could not be stored.
 *
 * What is kept is in `sessionStorage`. Where that is forbidden too it is in this page's memory, and while the page is loaded again in
 * its entry of the tab's history, which no other site and no other tab can read.
 */
type Kept = { local: Record<string, string>; session: Record<string, string> }
type EntryState = { tabOnly?: string } | null

const NAME = 'tabOnly'
const shared = permitted(() => localStorage)
const ofTab = permitted(() => sessionStorage)
const kept: Kept = { local: {}, session: {}, ...parse((ofTab ? ofTab.getItem(NAME) : (history.state as EntryState)?.tabOnly) ?? null) }

Object.defineProperty(window, 'localStorage', { configurable: true, value: storageOf(kept.local, shared) })
if (!ofTab) {
  Object.defineProperty(window, 'sessionStorage', { configurable: true, value: storageOf(kept.session, null) })
  takeFromHistory()
  for (const name of ['beforeunload', 'pagehide']) addEventListener(name, leaveInHistory)
  addEventListener('pageshow', takeFromHistory)
  // A phone may end a page that is out of sight without a word.
  document.addEventListener('visibilitychange', () => (document.visibilityState === 'hidden' ? leaveInHistory() : takeFromHistory()))
}
// Another tab stored something newer. One in which somebody signed out or in did so for all tabs.
window.addEventListener('storage', ({ key, newValue }) => {
  const isOther = key === 'userInfo' && userOf(newValue) !== userOf(kept.local.userInfo ?? null)
  for (const name of Object.keys(kept.local)) if (isOther || name === key || key === null) delete kept.local[name]
  save()
})

/** As in a browser, the names of the entries are what is enumerable. */
function storageOf(own: Record<string, string>, under: Storage | null): Storage {
  const methods: Record<string | symbol, unknown> = {
    getItem: (key: string) => own[key] ?? under?.getItem(key) ?? null,
    setItem(key: string, text: string) {
      delete own[key]
      try {
        if (!under) throw new Error('forbidden')
        under.setItem(key, text)
      } catch {
        own[key] = text
      }
      save()
    },
    removeItem(key: string) {
      delete own[key]
      under?.removeItem(key)
      save()
    },
  }
  const names = () => [...new Set([...Object.keys(own), ...Object.keys(under ?? {})])]
  return new Proxy({} as Storage, {
    get: (_target, name) => methods[name],
    ownKeys: names,
    getOwnPropertyDescriptor: (_target, name) =>
      names().includes(String(name))
        ? { value: own[String(name)] ?? under?.getItem(String(name)), enumerable: true, configurable: true, writable: true }
        : undefined,
  })
}

function save(): void {
  try {
    if (Object.keys(kept.local).length > 0) ofTab?.setItem(NAME, JSON.stringify(kept))
    else ofTab?.removeItem(NAME)
  } catch {
    // It is full as well: then it lives as long as the page does.
  }
}

function leaveInHistory(): void {
  if (Object.keys({ ...kept.local, ...kept.session }).length > 0)
    history.replaceState({ ...history.state, [NAME]: JSON.stringify(kept) }, '')
}

/** Where a later Back would find it. */
function takeFromHistory(): void {
  if ((history.state as EntryState)?.tabOnly) history.replaceState({ ...history.state, [NAME]: undefined }, '')
}

/** Null where it is forbidden, or the app around this screen has none. */
function permitted(storage: () => Storage | null): Storage | null {
  try {
    const found = storage()
    found?.getItem(NAME)
    return found
  } catch {
    return null
  }
}

function userOf(record: string | null): string | undefined {
  return (parse(record) as { _id?: string } | null)?._id
}

function parse(json: string | null): object | null {
  try {
    return JSON.parse(json ?? 'null')
  } catch {
    return null
  }
}

export {}
