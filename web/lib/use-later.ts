import { type ComponentType, useEffect, useState } from 'react'

const LONGEST_PAUSE_MS = 15_000

/** A component without which the page can begin: its code is fetched once it is wanted, however often that takes. */
export function useLater(wanted: boolean, load: () => Promise<{ default: ComponentType }>): ComponentType | null {
  const [loaded, setLoaded] = useState<ComponentType | null>(null)
  const missing = wanted && !loaded
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is loaded never changes.
  useEffect(() => {
    if (!missing) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let gone = false
    const fetchCode = (pauseMs: number) => {
      load().then(
        (code) => {
          if (!gone) setLoaded(() => code.default)
        },
        () => {
          if (!gone) timer = setTimeout(() => fetchCode(Math.min(2 * pauseMs, LONGEST_PAUSE_MS)), pauseMs)
        },
      )
    }
    fetchCode(1000)
    return () => {
      gone = true
      clearTimeout(timer)
    }
  }, [missing])
  return loaded
}
