import { type ComponentType, lazy, useState } from 'react'

const TRIES = 4
const PAUSE_MS = 700

export type Code<Props> = { default: ComponentType<Props> }

/** A first screen, whose code is loaded when it is shown. Once `preload` is done it is shown at once, without a fallback. */
export function lazyFirstScreen<Props extends object>(load: () => Promise<Code<Props>>) {
  let ready: ComponentType<Props> | null = null
  const preload = async () => {
    const code = await loadPatiently(load)
    ready = code.default
    return code
  }
  const Later = lazy(preload)
  // biome-ignore lint/correctness/noComponentHookFactories: called once for each screen, outside any component.
  const LazyScreen = (props: Props) => {
    // Kept, since another component in its place would begin anew.
    const [Shown] = useState<ComponentType<Props>>(() => ready ?? Later)
    return <Shown {...props} />
  }
  return Object.assign(LazyScreen, { preload })
}

/** Any other screen. */
export function lazyScreen<Props extends object>(load: () => Promise<Code<Props>>) {
  return lazyFirstScreen(load)
}

/** One that asks the server. */
export function lazyWithQueries<Props extends object>(load: () => Promise<Code<Props>>) {
  return lazyScreen(withQueries(load))
}

/** Together with the query cache. */
export function withQueries<Props extends object>(load: () => Promise<Code<Props>>) {
  return async (): Promise<Code<Props>> => {
    const [{ QueryProvider }, { default: Inner }] = await Promise.all([import('./query-provider.tsx'), load()])
    return {
      default: (props: Props) => (
        <QueryProvider>
          <Inner {...props} />
        </QueryProvider>
      ),
    }
  }
}

/** On a thin line a request gets lost now and then; a screen is worth asking for again. */
export async function loadPatiently<T>(load: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await load()
    } catch (error) {
      if (attempt === TRIES || !navigator.onLine) throw error
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * attempt))
    }
  }
}
