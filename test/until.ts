import { setTimeout as wait } from 'node:timers/promises'
import { slowness } from './slowness.ts'
import { waitingFor } from './waits.ts'

/**
 * Waits until the condition gives something that is true, so no 0 rows either, and replies with that. On a busy
 * machine it waits longer than `timeoutMs`, in proportion. `what` names the condition, which otherwise speaks for itself.
 */
export function until<T>(
  condition: () => Promise<T | false | null | undefined> | T | false | null | undefined,
  timeoutMs = 10_000,
  what = `${condition}`.replace(/\s+/g, ' '),
): Promise<T> {
  return waitingFor(what, poll(condition, timeoutMs, what))
}

async function poll<T>(
  condition: () => Promise<T | false | null | undefined> | T | false | null | undefined,
  timeoutMs: number,
  what: string,
): Promise<T> {
  const startedAt = performance.now()
  for (;;) {
    const result = await condition()
    if (result) return result
    const tookMs = performance.now() - startedAt
    if (tookMs > timeoutMs && tookMs > timeoutMs * slowness())
      throw new Error(`nothing came of waiting ${tookMs.toFixed(0)} ms for: ${what}`)
    await wait(20)
  }
}
