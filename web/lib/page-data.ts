/** What the server put into the page as data, by the id of its element. */
export function readPageData<T>(id: string): T | undefined {
  if (typeof document === 'undefined') return undefined
  const text = document.getElementById(id)?.textContent
  if (!text) return undefined
  try {
    return JSON.parse(text) as T
  } catch {
    return undefined
  }
}
