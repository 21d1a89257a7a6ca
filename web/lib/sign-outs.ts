import { call } from './api.ts'
import { RefusedError } from './http.ts'
import { NO_SIGN_OUTS, unsentSignOuts } from './unsent-sign-outs.ts'

const MOST_KEPT = 10

/** Tells the shop that a session is over. Unsent sign-outs are kept, even if the page closes before the answer. */
export async function sendSignOut(token: string): Promise<void> {
  const keep = () => keepSignOut(token)
  if (!navigator.onLine) keep()
  window.addEventListener('pagehide', keep)
  try {
    await call('POST /user/logout', { token, keepalive: true, timeoutMs: 10_000 })
    dropSignOut(token)
  } catch (error) {
    // Any refusal of the token itself means that the session is over already.
    if (error instanceof RefusedError && (error.status === 401 || error.status === 403)) dropSignOut(token)
    else keep()
  } finally {
    window.removeEventListener('pagehide', keep)
  }
}

export async function sendUnsentSignOuts(): Promise<void> {
  for (const token of unsentSignOuts.get()) await sendSignOut(token)
}

function keepSignOut(token: string): void {
  unsentSignOuts.update((tokens) => [...tokens.filter((other) => other !== token), token].slice(-MOST_KEPT))
}

function dropSignOut(token: string): void {
  if (!unsentSignOuts.get().includes(token)) return
  unsentSignOuts.update((tokens) => {
    const others = tokens.filter((other) => other !== token)
    return others.length === 0 ? NO_SIGN_OUTS : others
  })
}
