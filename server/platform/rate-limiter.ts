import type { Db } from './db.ts'
import { TooManyAttempts } from './errors.ts'

/** So many tries at once, and one more every `everyMs`. Buckets of the same name are one, in all processes. */
export type Bucket = { name: string; size: number; everyMs: number }

export type RateLimiter = {
  /**
   * Takes a try out of each bucket, or none at all; of the others it only asks that they are not used up.
   * @throws TooManyAttempts with the time to wait.
   */
  take(buckets: readonly Bucket[], others?: readonly Bucket[]): Promise<void>
  /** Takes a try after the fact. */
  count(bucket: Bucket): Promise<void>
  giveBack(bucket: Bucket): Promise<void>
}

/** Counts tries in the database; `on` false: never. */
export function openRateLimiter({ db, now, on }: { db: Db; now: () => Date; on: boolean }): RateLimiter {
  const settle = async ({ name, size, everyMs }: Bucket, cost: number) => {
    if (on) await db.query('select settle_tries($1, $2, $3, $4, $5)', [name, size, everyMs, cost, now()])
  }
  return {
    async take(buckets, others = []) {
      if (!on) return
      const all = [...buckets, ...others]
      const { rows } = await db.query<{ waitMs: number }>('select take_tries($1, $2, $3, $4, $5) as "waitMs"', [
        all.map(({ name }) => name),
        all.map(({ size }) => size),
        all.map(({ everyMs }) => everyMs),
        all.map((_, index) => (index < buckets.length ? 1 : 0)),
        now(),
      ])
      const waitMs = rows[0]?.waitMs ?? 0
      if (waitMs > 0) throw new TooManyAttempts(waitMs)
    },
    count: (bucket) => settle(bucket, 1),
    giveBack: (bucket) => settle(bucket, -1),
  }
}
