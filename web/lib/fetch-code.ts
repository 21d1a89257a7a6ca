import { readPageData } from './page-data.ts'

const ATTEMPTS = 4
const PAUSE_MS = 700

/** Finished and running fetches by file. The page's own code was fetched before any of it ran. */
const fetched = new Map((readPageData<string[]>('code') ?? []).map((file) => [file, Promise.resolve()]))

/**
 * Replaces Vite's preload helper for `import()`. A browser never requests a failed module again, so files are fetched before
 * they are imported; a failed fetch can be retried.
 */
export async function __vitePreload<T>(load: () => Promise<T>, files: string[] = []): Promise<T> {
  await Promise.all(
    files.map((name) => {
      const file = `/${name}`
      const already = fetched.get(file)
      if (already) return already
      const fetching = fetchPatiently(file)
      fetched.set(file, fetching)
      fetching.catch(() => fetched.delete(file))
      return fetching
    }),
  )
  return load()
}

/**
 * Why a screen can't be shown: the line failed; the server no longer has this version's code, since the shop was renewed; or something
 * is wrong with us. The words for each stand in the page, as `stuck-line` and so on.
 */
export type Trouble = 'line' | 'renewed' | 'failed'

export function troubleOf(error: unknown): Trouble {
  return (error as { trouble?: Trouble } | null)?.trouble ?? (navigator.onLine ? 'failed' : 'line')
}

/** Says that a screen misses its code; web/lib/keep-installed.ts loads the page again where the shop was renewed and nothing typed is lost. */
export function tellTrouble(error: unknown): Trouble {
  const trouble = troubleOf(error)
  window.dispatchEvent(new Event(trouble))
  return trouble
}

/** Retries, because poor connections lose requests. */
async function fetchPatiently(file: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await fetchWhole(file)
    } catch (error) {
      if (troubleOf(error) === 'renewed' || attempt === ATTEMPTS || !navigator.onLine) throw error
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * attempt))
    }
  }
}

async function fetchWhole(file: string): Promise<void> {
  let trouble: Trouble = 'line'
  try {
    const response = await fetch(file)
    if (response.ok) {
      await response.arrayBuffer()
      return
    }
    trouble = response.status === 404 ? 'renewed' : 'failed'
  } catch {
    // It is the line.
  }
  throw Object.assign(new Error(`Failed to fetch ${file}`), { trouble })
}
