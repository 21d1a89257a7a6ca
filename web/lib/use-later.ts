import { type ComponentType, useEffect, useState } from 'react'
import { fetchLater } from './fetch-later.ts'

/** A component without which the page can begin: its code is fetched once it is wanted, however often that takes. */
export function useLater(wanted: boolean, load: () => Promise<{ default: ComponentType }>): ComponentType | null {
  const [loaded, setLoaded] = useState<ComponentType | null>(null)
  const missing = wanted && !loaded
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is loaded never changes.
  useEffect(() => (missing ? fetchLater(load, (code) => setLoaded(() => code.default)) : undefined), [missing])
  return loaded
}
