import { useSyncExternalStore } from 'react'
import { loadPersistently } from './load-persistently.ts'
import type { Store } from './store.ts'

export type Stored<T> = Store<T> & {
  /** Reads the value that another tab stored, even if its storage event has not arrived. */
  reread: () => void
  /** Changes what is there now, which another tab may have changed a moment ago. */
  update: (change: (value: T) => T) => void
}

/**
 * A value kept in localStorage under a key, the same in every tab. Storage that is full, forbidden or holds something else
 * never breaks the page: the value then lives as long as the tab does.
 */
export function createStored<T>(key: string, fallback: T, isValid: (value: unknown) => boolean): Stored<T> {
  const listeners = new Set<() => void>()
  let text: string | null | undefined
  let value = fallback
  /** False where storage is full or forbidden: then this tab's own value is all there is. */
  let isShared = true

  const get = () => {
    // Without a listener the changes of other tabs are not heard.
    if (text === undefined || (listeners.size === 0 && isShared)) takeOver()
    return value
  }
  const takeOver = () => {
    const now = readStorage(key)
    if (now === text) return false
    accept(now)
    return true
  }
  const reread = () => {
    if (isShared && takeOver()) notify()
  }
  const accept = (next: string | null) => {
    text = next
    value = parse(next)
  }
  const parse = (json: string | null): T => {
    if (json === null) return fallback
    try {
      const parsed: unknown = JSON.parse(json)
      return isValid(parsed) ? (parsed as T) : fallback
    } catch {
      return fallback
    }
  }
  const notify = () => {
    for (const listener of listeners) listener()
  }
  const onStorage = (event: StorageEvent) => {
    if (event.key !== key && event.key !== null) return
    accept(event.key === null ? null : event.newValue)
    notify()
  }
  const subscribe = (listener: () => void) => {
    if (listeners.size === 0) {
      window.addEventListener('storage', onStorage)
      // A page restored from the back/forward cache has missed other tabs' changes.
      window.addEventListener('pageshow', reread)
    }
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
      if (listeners.size > 0) return
      window.removeEventListener('storage', onStorage)
      window.removeEventListener('pageshow', reread)
    }
  }
  const set = (next: T) => {
    value = next
    text = Object.is(next, fallback) ? null : JSON.stringify(next)
    isShared = writeStorage(key, text)
    notify()
  }
  return {
    get,
    subscribe,
    reread,
    set,
    update(change) {
      reread()
      set(change(get()))
    },
    use: () => useSyncExternalStore(subscribe, get, () => fallback),
  }
}

function readStorage(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

function writeStorage(key: string, text: string | null): boolean {
  try {
    if (text === null) localStorage.removeItem(key)
    else localStorage.setItem(key, text)
    return true
  } catch {
    // Full: the page goes on with what it has in memory, until storage that never refuses is there.
    if (!import.meta.env.SSR) void loadPersistently(() => import('./tab-storage.ts')).then(() => writeStorage(key, text))
    return false
  }
}
