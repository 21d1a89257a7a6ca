import { useSyncExternalStore } from 'react'
import { RefusedError } from './http.ts'
import { createStore } from './store.ts'

const FRESH_MS = 30_000
/** Before each further attempt. */
const RETRY_AFTER_MS = [1000, 2000]

const refreshers = new Set<() => void>()

/** Reads all of it again that is on a screen, and the rest when it next is. */
export function refreshPublicData(): void {
  for (const refresh of refreshers) refresh()
}

/**
 * What is the same for everybody, for the first screens, which therefore load without TanStack Query. It comes with the page or is
 * asked for, is read again once it is half a minute old, and takes over what is announced.
 */
export function createPublicData<T>(ask: () => Promise<T>, inPage?: T) {
  const rendered: Known<T> = { data: inPage, error: null }
  const store = createStore(rendered)
  let readAt = inPage === undefined ? Number.NEGATIVE_INFINITY : Date.now()
  let version = 0
  let users = 0
  let loading: Promise<void> | null = null

  const set = (data: T) => {
    version++
    readAt = Date.now()
    store.set({ data, error: null })
  }
  const load = () => {
    loading ??= askPatiently().finally(() => {
      loading = null
    })
    return loading
  }
  const loadIfOld = async () => {
    if (Date.now() - readAt > FRESH_MS) await load()
  }
  /** A reply on its way may be older than what has been announced since, so then it is asked for again. */
  async function askPatiently(): Promise<void> {
    if (store.get().data === undefined) store.set(rendered)
    for (let failures = 0; ; ) {
      const asked = version
      try {
        const data = await ask()
        if (asked === version) return set(data)
      } catch (error) {
        const pause = RETRY_AFTER_MS[failures++]
        if (pause === undefined || isFinal(error)) return store.set({ ...store.get(), error: error as Error })
        await new Promise((resolve) => setTimeout(resolve, pause))
      }
    }
  }
  const refresh = () => {
    version++
    readAt = Number.NEGATIVE_INFINITY
    if (users > 0) void load()
  }
  refreshers.add(refresh)

  /** Also reads it again, when it is old, on return to the page or to a connection. */
  const follow = (listener: () => void) => {
    const look = () => void (document.visibilityState === 'visible' && loadIfOld())
    const stop = store.subscribe(listener)
    users++
    void loadIfOld()
    window.addEventListener('online', look)
    document.addEventListener('visibilitychange', look)
    return () => {
      users--
      stop()
      window.removeEventListener('online', look)
      document.removeEventListener('visibilitychange', look)
    }
  }
  const atFirst = import.meta.env.SSR ? store.get : () => rendered
  return {
    ...store,
    set,
    load,
    loadIfOld,
    refresh,
    use: () => ({ ...useSyncExternalStore(follow, store.get, atFirst), refetch: load }),
  }
}

export type Known<T> = { data: T | undefined; error: Error | null }

function isFinal(error: unknown): boolean {
  return error instanceof RefusedError && error.status < 500
}
