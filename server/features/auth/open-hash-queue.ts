import { ServiceUnavailable, TooManyAttempts } from '../../platform/errors.ts'

/** Whose password is hashed: requests in the same lane wait for one another, and lanes take turns. */
export type Waiting = { lane: string; account?: string }

export type HashLimits = {
  /** Hashes running at once. */
  atOnce: number
  /** Limits for running and waiting together: per account in a lane, per lane, and in total. */
  perAccount: number
  perLane: number
  inAll: number
}

const RETRY_AFTER_MS = 2_000

type Entry = { start: () => void }

/**
 * Runs slow work a few at a time. Lanes take turns, so that a flood in one delays others by one piece of work at most;
 * requests over a limit are refused at once.
 */
export function openHashQueue(limits: HashLimits) {
  const lanes = new Map<string, Entry[]>()
  const held = new Map<string, number>()
  let running = 0
  let inAll = 0

  function startNext() {
    while (running < limits.atOnce) {
      const [next] = lanes
      if (!next) return
      const [lane, entries] = next
      const entry = entries.shift() as Entry
      // Moves the lane to the end of the round.
      lanes.delete(lane)
      if (entries.length > 0) lanes.set(lane, entries)
      running += 1
      entry.start()
    }
  }

  function hold(keys: [string, number][]) {
    if (inAll >= limits.inAll) throw new ServiceUnavailable()
    for (const [key, most] of keys) if ((held.get(key) ?? 0) >= most) throw new TooManyAttempts(RETRY_AFTER_MS)
    inAll += 1
    for (const [key] of keys) held.set(key, (held.get(key) ?? 0) + 1)
  }

  function letGo(keys: [string, number][]) {
    inAll -= 1
    for (const [key] of keys) {
      const left = (held.get(key) ?? 1) - 1
      if (left > 0) held.set(key, left)
      else held.delete(key)
    }
  }

  /** @throws TooManyAttempts or ServiceUnavailable when too many already wait; the work was not begun. */
  return async function run<T>({ lane, account }: Waiting, work: () => Promise<T>): Promise<T> {
    const keys: [string, number][] = [[lane, limits.perLane]]
    if (account !== undefined) keys.push([`${lane} ${account}`, limits.perAccount])
    hold(keys)
    try {
      await new Promise<void>((start) => {
        const entries = lanes.get(lane)
        if (entries) entries.push({ start })
        else lanes.set(lane, [{ start }])
        startNext()
      })
      try {
        return await work()
      } finally {
        running -= 1
        startNext()
      }
    } finally {
      letGo(keys)
    }
  }
}
