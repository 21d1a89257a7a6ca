import type { Queryable } from './db.ts'
import { TooManyAttempts } from './errors.ts'

/** A token bucket: `size` attempts at once (the burst), and one more every `everyMs`. */
export type Bucket = { name: string; size: number; everyMs: number }

/** Keeps for each bucket when it will be unused again: `everyMs` later for each attempt. */
export type BucketStore = {
  /** Takes `cost` attempts from each bucket, or none if any has too few. Returns 0, or the milliseconds to wait. */
  take(charges: readonly Charge[], now: Date): Promise<number>
  /** Counts attempts afterwards, up to the bucket's size; a negative cost gives them back. */
  settle(charge: Charge, now: Date): Promise<void>
}
/** A bucket with a cost of 0 is only checked. */
type Charge = Bucket & { cost: 0 | 1 | -1 }

export type RateLimiter = {
  /**
   * Takes one attempt from each bucket, or none if any is empty; `others` are only checked.
   * @throws TooManyAttempts with the time to wait.
   */
  take(buckets: readonly Bucket[], others?: readonly Bucket[]): Promise<void>
  /** Counts an attempt afterwards. */
  count(bucket: Bucket): Promise<void>
  giveBack(bucket: Bucket): Promise<void>
}

/** Every rate limit is one of these. Without a store nothing is refused. */
export function openRateLimiter(store: BucketStore | null, now: () => Date): RateLimiter {
  return {
    async take(buckets, others = []) {
      const charges = [...buckets.map((bucket) => charge(bucket, 1)), ...others.map((bucket) => charge(bucket, 0))]
      const waitMs = (await store?.take(charges, now())) ?? 0
      if (waitMs > 0) throw new TooManyAttempts(waitMs)
    },
    count: async (bucket) => store?.settle(charge(bucket, 1), now()),
    giveBack: async (bucket) => store?.settle(charge(bucket, -1), now()),
  }
}

const charge = ({ name, size, everyMs }: Bucket, cost: Charge['cost']): Charge => ({ name, size, everyMs, cost })

/** Buckets that all processes share; a round trip each time. */
export function databaseBuckets(db: Queryable): BucketStore {
  return {
    async take(charges, now) {
      if (charges.length === 0) return 0
      const { rows } = await db.query<{ waitMs: number }>('select take_attempts($1, $2, $3, $4, $5) as "waitMs"', [
        charges.map(({ name }) => name),
        charges.map(({ size }) => size),
        charges.map(({ everyMs }) => everyMs),
        charges.map(({ cost }) => cost),
        now,
      ])
      return rows[0]?.waitMs ?? 0
    },
    async settle({ name, size, everyMs, cost }, now) {
      await db.query('select settle_attempts($1, $2, $3, $4, $5)', [name, size, everyMs, cost, now])
    },
  }
}

const MOST_KEPT = 20_000
/** A bucket that is used for longer than its size allows, and this, was filled before the clock was set back: it counts as unused. */
const CLOCK_SET_BACK_MS = 60_000

/** Buckets of this process alone, for what must not cost a round trip. */
export function memoryBuckets() {
  const emptyAt = new Map<string, number>()
  let pruneAbove = MOST_KEPT
  /** How long until the bucket is unused again. */
  function usedMs({ name, size, everyMs }: Bucket, now: Date): number {
    const used = (emptyAt.get(name) ?? 0) - now.getTime()
    return used > size * everyMs + CLOCK_SET_BACK_MS ? 0 : Math.max(used, 0)
  }

  function prune(now: Date) {
    for (const [name, at] of emptyAt) if (at <= now.getTime()) emptyAt.delete(name)
    pruneAbove = Math.max(MOST_KEPT, 2 * emptyAt.size)
  }

  return {
    async take(charges, now) {
      const waits = charges.map((one) => usedMs(one, now) - (one.size - 1) * one.everyMs)
      const waitMs = Math.max(0, ...waits)
      if (waitMs > 0) return waitMs
      for (const one of charges) if (one.cost > 0) emptyAt.set(one.name, now.getTime() + usedMs(one, now) + one.everyMs)
      if (emptyAt.size > pruneAbove) prune(now)
      return 0
    },
    async settle(one, now) {
      const used = usedMs(one, now) + one.cost * one.everyMs
      emptyAt.set(one.name, now.getTime() + Math.min(used, one.size * one.everyMs))
    },
    /** The attempts left, and the milliseconds until all are. */
    left(bucket: Bucket, now: Date) {
      const used = usedMs(bucket, now)
      return { attempts: Math.max(bucket.size - Math.ceil(used / bucket.everyMs), 0), allAfterMs: used }
    },
  } satisfies BucketStore & { left: unknown }
}
