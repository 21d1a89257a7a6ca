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

/** The server no longer has this version's code: reload the page. */
export class CodeGone extends Error {}

/** Retries, because poor connections lose requests. */
async function fetchPatiently(file: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await fetchWhole(file)
    } catch (error) {
      if (error instanceof CodeGone || attempt === ATTEMPTS || !navigator.onLine) throw error
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * attempt))
    }
  }
}

async function fetchWhole(file: string): Promise<void> {
  const response = await fetch(file)
  if (response.status === 404) throw new CodeGone(file)
  if (!response.ok) throw new Error(file)
  await response.arrayBuffer()
}
