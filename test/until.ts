import { setTimeout as wait } from 'node:timers/promises'

/** Waits until the condition gives something other than false, null or undefined, and replies with that. */
export async function until<T>(
  condition: () => Promise<T | false | null | undefined> | T | false | null | undefined,
  timeoutMs = 10_000,
): Promise<T> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const result = await condition()
    if (result !== false && result !== null && result !== undefined) return result
    if (Date.now() > deadline) throw new Error(`nothing came of waiting ${timeoutMs} ms for: ${condition}`)
    await wait(20)
  }
}
