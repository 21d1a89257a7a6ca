import { useSyncExternalStore } from 'react'
import type { Store } from './store.ts'

export type Stored<T> = Store<T> & {
  /** Takes over what another tab has put there, also where its news have not come. */
  reread: () => void
}

/**
 * A value kept in localStorage under a key, the same in every tab. Storage that is full, forbidden or holds something else
 * never breaks the page: the value then lives as long as the page does.
 */
export function createStored<T>(key: string, fallback: T, isValid: (value: unknown) => boolean): Stored<T> {
  const listeners = new Set<() => void>()
  let text: string | null | undefined
  let value = fallback

  const get = () => {
    if (text === undefined) accept(readStorage(key))
    return value
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
    if (event.storageArea !== localStorage || (event.key !== key && event.key !== null)) return
    accept(event.key === null ? null : event.newValue)
    notify()
  }
  const subscribe = (listener: () => void) => {
    if (listeners.size === 0) window.addEventListener('storage', onStorage)
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0) window.removeEventListener('storage', onStorage)
    }
  }
  return {
    get,
    subscribe,
    reread() {
      const now = readStorage(key)
      if (now === text) return
      accept(now)
      notify()
    },
    set(next) {
      value = next
      text = Object.is(next, fallback) ? null : JSON.stringify(next)
      writeStorage(key, text)
      notify()
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

function writeStorage(key: string, text: string | null): void {
  try {
    if (text === null) localStorage.removeItem(key)
    else localStorage.setItem(key, text)
  } catch {
    // Full or forbidden: the page goes on with what it has in memory.
  }
}

/** Removes whatever this shop has kept in the browser's storage, but for these keys. */
export function forgetStored(except: readonly string[]): void {
  try {
    for (const key of Object.keys(localStorage)) if (!except.includes(key)) localStorage.removeItem(key)
  } catch {
    // Forbidden: then there is nothing there.
  }
}
