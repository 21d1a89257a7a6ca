import { readPageData } from './page-data.ts'

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
      const fetching = name.endsWith('.css') ? addStyle(file) : fetchWhole(file)
      fetched.set(file, fetching)
      fetching.catch(() => fetched.delete(file))
      return fetching
    }),
  )
  return load()
}

/** Thrown for code of a version that the shop no longer has: only the page of the new one leads on. */
export class CodeGone extends Error {}

async function fetchWhole(file: string): Promise<void> {
  const response = await fetch(file)
  if (response.status === 404) throw new CodeGone(file)
  if (!response.ok) throw new Error(file)
  await response.arrayBuffer()
}

async function addStyle(file: string): Promise<void> {
  await fetchWhole(file)
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.crossOrigin = ''
  link.href = file
  document.head.append(link)
  await new Promise<void>((resolve, reject) => {
    link.onload = () => resolve()
    link.onerror = () => {
      link.remove()
      reject(new Error(file))
    }
  })
}
