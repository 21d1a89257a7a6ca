export const STORE = '/store'

/**
 * Where to go after signing in, from an address that anyone may have written: a path of this shop, or the store.
 * Refused: other origins however they are spelt (`//host`, `/\host`, `%2f%2f`), control characters, and the sign-in screens.
 */
export function safeRedirect(target: string | null | undefined, fallback: string = STORE): string {
  if (!target || !isOwnPath(target)) return fallback
  let decoded = target
  for (let round = 0; round < 3; round++) {
    let next: string
    try {
      next = decodeURIComponent(decoded)
    } catch {
      return fallback
    }
    if (!isOwnPath(next)) return fallback
    if (next === decoded) break
    decoded = next
  }
  return /^\/(login|register)(?=[/?#]|$)/i.test(decoded) ? fallback : target
}

/** The link by which an agent invites somebody to sell under them. */
export function isInvitation(target: string): boolean {
  return target.startsWith('/join/')
}

function isOwnPath(path: string): boolean {
  if (!path.startsWith('/') || path.includes('//') || path.includes('\\')) return false
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  return !/[\u0000-\u0020\u007f-\u009f\u2028\u2029]/.test(path)
}
