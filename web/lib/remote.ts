import { useEffect, useSyncExternalStore } from 'react'
import { RefusedError } from './http.ts'

const FRESH_MS = 30_000
const TRIES = 3

type State<T> = { data: T | undefined; error: Error | null }
export type Remote<T> = ReturnType<typeof createRemote<T>>

type Options<T> = {
  ask: (signal: AbortSignal) => Promise<T>
  /** What came with the page. */
  inPage?: T | undefined
  /** Is shown every newer value, to remember it. */
  keep?: (data: T) => void
}

/**
 * One thing that the server tells everybody, such as the catalogue: asked for when a screen shows it, and again when it is
 * shown after a while, looked at again, or the connection is back. Small, since the first screens load it.
 */
export function createRemote<T>({ ask, inPage, keep }: Options<T>) {
  const listeners = new Set<() => void>()
  let state: State<T> = { data: inPage, error: null }
  let heardAt = inPage === undefined ? 0 : Date.now()
  let asking: Promise<void> | null = null
  let changes = 0

  const put = (next: State<T>) => {
    state = next
    for (const listener of listeners) listener()
  }
  const get = () => state
  const set = (data: T) => {
    changes += 1
    heardAt = Date.now()
    put({ data, error: null })
    keep?.(data)
  }

  if (inPage !== undefined) keep?.(inPage)

  const askOnce = async () => {
    const changesBefore = changes
    const data = await ask(AbortSignal.timeout(60_000))
    // What was announced meanwhile may be newer than the reply.
    if (changes !== changesBefore && state.data !== undefined) heardAt = 0
    else set(data)
  }
  const askPatiently = async () => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await askOnce()
      } catch (cause) {
        const error = cause instanceof Error ? cause : new Error(String(cause))
        const isFinal = error instanceof RefusedError && error.status < 500
        if (isFinal || attempt === TRIES) return put({ ...state, error })
        await new Promise((resolve) => setTimeout(resolve, 1000 * attempt))
      }
    }
  }
  /** Asks now; a call while an answer is awaited waits for the same one. */
  const refetch = () => {
    asking ??= askPatiently().finally(() => {
      asking = null
      if (heardAt === 0 && state.data !== undefined && listeners.size > 0) void refetch()
    })
    return asking
  }
  const refreshIfOld = () => {
    if (document.visibilityState === 'visible' && Date.now() - heardAt > FRESH_MS) void refetch()
  }
  const subscribe = (listener: () => void) => {
    if (listeners.size === 0) {
      document.addEventListener('visibilitychange', refreshIfOld)
      window.addEventListener('online', refreshIfOld)
    }
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
      if (listeners.size > 0) return
      document.removeEventListener('visibilitychange', refreshIfOld)
      window.removeEventListener('online', refreshIfOld)
    }
  }

  return {
    get: () => state.data,
    set,
    refetch,
    refreshIfOld,
    subscribe,
    getState: get,
    /** Reads it again if it is on a screen, and otherwise when it next is. */
    invalidate() {
      heardAt = 0
      if (listeners.size > 0) void refetch()
    },
  }
}

/** Follows it from a component, and sees to it that it is not old. */
export function useRemote<T>(remote: Remote<T>) {
  const { data, error } = useSyncExternalStore(remote.subscribe, remote.getState, remote.getState)
  useEffect(remote.refreshIfOld, [])
  return { data, error, refetch: remote.refetch }
}
