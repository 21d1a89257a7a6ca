/** Whatever this shop has kept in the browser's storage, as text, but for these keys. */
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
    // Full or forbidden: then it is lost.
  }
}

/** Removes whatever this shop has kept in the browser's storage, but for these keys. */
export function forgetStored(except: readonly string[]): void {
  try {
    for (const key of Object.keys(localStorage)) if (!except.includes(key)) localStorage.removeItem(key)
  } catch {
    // Forbidden: then there is nothing there.
  }
}
