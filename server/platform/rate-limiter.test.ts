import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../test/database.ts'
import { until } from '../../test/until.ts'
import { databaseBuckets, memoryBuckets, openRateLimiter, type RateLimiter } from './rate-limiter.ts'

const SECOND_MS = 1_000

let database: TestDatabase
let now = new Date('2026-11-21T12:00:00Z')
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

const bucketOf = (name: string) => ({ name, size: 3, everyMs: 10 * SECOND_MS })
const advance = (ms: number) => {
  now = new Date(now.getTime() + ms)
}

describe.each(['database', 'memory'] as const)('buckets in the %s', (store) => {
  let limiter: RateLimiter
  beforeEach(() => {
    limiter = openRateLimiter(store === 'database' ? databaseBuckets(database.db) : memoryBuckets(), () => now)
  })

  /** How many attempts the bucket has left. */
  async function takeAll(bucket: ReturnType<typeof bucketOf>): Promise<number> {
    for (let taken = 0; ; taken += 1) {
      const isEmpty = await limiter.take([bucket]).then(
        () => false,
        () => true,
      )
      if (isEmpty) return taken
    }
  }

  test('that count attempts afterwards never hold more than their size, so the wait does not grow beyond it', async () => {
    const bucket = bucketOf('filled')
    await Promise.all(Array.from({ length: 30 }, () => limiter.count(bucket)))
    expect(await takeAll(bucket)).toBe(0)
    advance(10 * SECOND_MS)
    expect(await takeAll(bucket)).toBe(1)
    advance(30 * SECOND_MS)
    expect(await takeAll(bucket)).toBe(3)
  })

  test('get attempts back, and never more than their size', async () => {
    const bucket = bucketOf('given back')
    await limiter.take([bucket])
    await limiter.take([bucket])
    await limiter.giveBack(bucket)
    expect(await takeAll(bucket)).toBe(2)
    advance(60 * SECOND_MS)
    for (let count = 0; count < 30; count++) await limiter.giveBack(bucket)
    expect(await takeAll(bucket)).toBe(3)
  })

  test('lose nothing when another of the same call is empty, or when they are only checked', async () => {
    const [empty, other, checked] = [bucketOf('empty'), bucketOf('other'), bucketOf('checked')]
    expect(await takeAll(empty)).toBe(3)
    await expect(limiter.take([other, empty])).rejects.toThrow()
    await expect(limiter.take([other], [empty])).rejects.toThrow()
    expect(await takeAll(other)).toBe(3)
    for (let count = 0; count < 10; count++) await limiter.take([bucketOf(`taken ${count}`)], [checked])
    expect(await takeAll(checked)).toBe(3)
  })

  test('give concurrent callers as many attempts as there are', async () => {
    const bucket = bucketOf('concurrent')
    const taken = await Promise.allSettled(Array.from({ length: 20 }, () => limiter.take([bucket])))
    expect(taken.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  })

  test('that were emptied before the clock was set back by a day are full, and by a few seconds are not', async () => {
    const bucket = bucketOf('set back')
    expect(await takeAll(bucket)).toBe(3)
    advance(-20 * SECOND_MS)
    expect(await takeAll(bucket)).toBe(0)
    advance(-24 * 3_600 * SECOND_MS)
    expect(await takeAll(bucket)).toBe(3)
    expect(await takeAll(bucket)).toBe(0)
    advance(10 * SECOND_MS)
    expect(await takeAll(bucket)).toBe(1)
    advance(24 * 3_600 * SECOND_MS)
  })

  test('say how long to wait for the next attempt', async () => {
    const bucket = bucketOf('waiting')
    await takeAll(bucket)
    advance(4 * SECOND_MS)
    await expect(limiter.take([bucket])).rejects.toMatchObject({ waitSeconds: 6 })
  })
})

test('a process of version 0.2 and this one take from the same buckets', async () => {
  const bucket = bucketOf('shared with 0.2')
  const takeAsBefore = async () =>
    (await database.db.query('select take_tries($1, $2, $3, $4, $5) as wait', [[bucket.name], [3], [10 * SECOND_MS], [1], now])).rows[0]
      .wait
  expect(await takeAsBefore()).toBe(0)
  await database.db.query('select settle_tries($1, 3, 10000, 2, $2)', [bucket.name, now])
  await expect(openRateLimiter(databaseBuckets(database.db), () => now).take([bucket])).rejects.toThrow('Too many attempts')
  expect(await takeAsBefore()).toBe(10 * SECOND_MS)
})

test('calls that take from the same buckets in another order wait for one another and never block each other', async () => {
  const [one, other] = [bucketOf('order 1'), bucketOf('order 2')]
  const first = await database.db.connect()
  try {
    const take = (name: string) => first.query('select take_attempts($1, $2, $3, $4, $5)', [[name], [3], [10_000], [1], now])
    await first.query('begin')
    await take(one.name)
    const second = openRateLimiter(databaseBuckets(database.db), () => now).take([other, one])
    await until(async () => {
      const { rowCount } = await database.db.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%take_attempts%'`,
      )
      return rowCount === 1
    })
    await take(other.name)
    await first.query('commit')
    await second
  } finally {
    first.release()
  }
})

test('buckets that have long been full again are deleted by later calls, others are not', async () => {
  const limiter = openRateLimiter(databaseBuckets(database.db), () => now)
  const [old, recent] = [bucketOf('old'), bucketOf('recent')]
  advance(24 * 3_600 * SECOND_MS)
  await limiter.take([old])
  advance(11 * SECOND_MS)
  await limiter.take([recent])
  advance(3_600 * SECOND_MS)
  // A call deletes a few, the oldest first, and earlier tests have left more.
  const left = async () => {
    await limiter.take([bucketOf(crypto.randomUUID())])
    return (await database.db.query<{ name: string }>(`select name from rate_limit_buckets where name in ('old', 'recent')`)).rows
  }
  await until(async () => (await left()).length === 1)
  expect(await left()).toEqual([{ name: 'recent' }])
})
