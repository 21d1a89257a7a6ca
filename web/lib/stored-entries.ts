/** Everything this shop has stored in the browser, as text, except these keys. */
export function readStored(except: readonly string[]): Record<string, string> {
  try {
    return Object.fromEntries(Object.entries(localStorage).filter(([key]) => !except.includes(key)))
  } catch {
    return {}
  }
}

export function putStored(entries: Record<string, string>): void {
  try {
    for (const [key, text] of Object.entries(entries)) localStorage.setItem(key, text)
  } catch {
    // Storage is full or forbidden, so it is lost.
  }
}

/** Removes everything this shop has stored in the browser, except these keys. */
export function forgetStored(except: readonly string[]): void {
  try {
    for (const key of Object.keys(localStorage)) if (!except.includes(key)) localStorage.removeItem(key)
  } catch {
    // Storage is forbidden, so there is nothing to remove.
  }
}
