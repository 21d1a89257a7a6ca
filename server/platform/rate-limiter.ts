import type { Db } from './db.ts'
import { TooManyAttempts } from './errors.ts'

/** `size` attempts at once, and one more every `everyMs`. Buckets of the same name are shared by all processes. */
export type Bucket = { name: string; size: number; everyMs: number }

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

/** Counts attempts in the database; `on: false` disables it. */
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
