/** The idempotency key of one wallet update, as stored. The names never change: an update sent before an upgrade keeps its key. */
type Kept = { intention: string; key: string }
const STORAGE_KEY = 'walletUpdate'

/**
 * The idempotency key of a wallet update. Until its outcome is known, the same update keeps its key, even after a reload, so
 * that sending it again moves the money once.
 */
export function paymentKey(attempt: string): string {
  const kept = read()
  if (kept?.intention === attempt) return kept.key
  const key = crypto.randomUUID()
  write({ intention: attempt, key })
  return key
}

/** Forgets the key. Call it once the outcome is known. */
export function forgetKey(): void {
  write(null)
}

let inMemory: Kept | null = null

function read(): Kept | null {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? 'null')
    return isKept(kept) ? kept : inMemory
  } catch {
    return inMemory
  }
}

function write(kept: Kept | null): void {
  inMemory = kept
  try {
    if (kept) sessionStorage.setItem(STORAGE_KEY, JSON.stringify(kept))
    else sessionStorage.removeItem(STORAGE_KEY)
  } catch {
    // Without storage the key lives as long as the page does.
  }
}

function isKept(value: unknown): value is Kept {
  if (typeof value !== 'object' || value === null) return false
  const { intention, key } = value as Partial<Kept>
  return typeof intention === 'string' && typeof key === 'string'
}
