import { AsyncLocalStorage } from 'node:async_hooks'

type Wait = { what: string; since: number }

/** What somebody is waiting for at the moment. */
export type Waits = Set<Wait>

const own = new AsyncLocalStorage<Waits>()
const shared: Waits = new Set()

/** Runs `work` so that what it waits for is noted in `waits`, apart from what others wait for meanwhile. */
export function noteWaitsIn<T>(waits: Waits, work: () => T): T {
  return own.run(waits, work)
}

/** Notes what is being waited for until `promise` is settled. */
export async function waitingFor<T>(what: string, promise: Promise<T>): Promise<T> {
  const waits = own.getStore() ?? shared
  const wait = { what, since: performance.now() }
  waits.add(wait)
  try {
    return await promise
  } finally {
    waits.delete(wait)
  }
}

/** One line for each thing that is being waited for, the longest wait first: `the shop to end (12.3 s)`. */
export function describeWaits(waits: Waits): string[] {
  const longest = [...waits].sort((one, other) => one.since - other.since)
  const lines = new Map<string, { since: number; count: number }>()
  for (const { what, since } of longest) {
    const line = lines.get(what)
    if (line) line.count += 1
    else lines.set(what, { since, count: 1 })
  }
  const now = performance.now()
  return [...lines].map(
    ([what, { since, count }]) => `${what} (${((now - since) / 1000).toFixed(1)} s${count > 1 ? `, ${count} times` : ''})`,
  )
}
