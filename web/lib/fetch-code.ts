import { readPageData } from './page-data.ts'

const ATTEMPTS = 4
const PAUSE_MS = 700

/** What was fetched or is being fetched, by its file; the page's own code was fetched before any of it ran. */
const fetched = new Map((readPageData<string[]>('code') ?? []).map((file) => [file, Promise.resolve()]))

/**
 * Stands in the place of the build tool's own preparation of `import()`. A browser never asks again for a module that was
 * lost on the way, so the files are fetched before they are imported: what fails here can be tried again.
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

/** Thrown for code of a version that the shop no longer has: only the page of the new one leads on. */
export class CodeGone extends Error {}

/** On a thin line a request gets lost now and then. */
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
