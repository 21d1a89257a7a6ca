import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../test/database.ts'
import { openRateLimiter, type RateLimiter } from './rate-limiter.ts'

const SECOND_MS = 1_000

let database: TestDatabase
let now = new Date('2026-11-21T12:00:00Z')
let tries: RateLimiter
beforeAll(async () => {
  database = await openTestDatabase()
  tries = openRateLimiter({ db: database.db, now: () => now, on: true })
})
afterAll(() => database.close())

const bucketOf = (name: string) => ({ name, size: 3, everyMs: 10 * SECOND_MS })
const advance = (ms: number) => {
  now = new Date(now.getTime() + ms)
}

/** How many tries the bucket still gives. */
async function countLeft(bucket: ReturnType<typeof bucketOf>): Promise<number> {
  for (let taken = 0; ; taken += 1) {
    const isFull = await tries.take([bucket]).then(
      () => false,
      () => true,
    )
    if (isFull) return taken
  }
}

test('a bucket that is filled after the fact holds no more than its size, so the wait never grows beyond it', async () => {
  const bucket = bucketOf('filled')
  await Promise.all(Array.from({ length: 30 }, () => tries.count(bucket)))
  expect(await countLeft(bucket)).toBe(0)
  advance(10 * SECOND_MS)
  expect(await countLeft(bucket)).toBe(1)
  advance(30 * SECOND_MS)
  expect(await countLeft(bucket)).toBe(3)
})

test('what is given back is there again, and never more than the bucket holds', async () => {
  const bucket = bucketOf('given back')
  await tries.take([bucket])
  await tries.take([bucket])
  await tries.giveBack(bucket)
  expect(await countLeft(bucket)).toBe(2)
  advance(60 * SECOND_MS)
  for (let count = 0; count < 30; count++) await tries.giveBack(bucket)
  expect(await countLeft(bucket)).toBe(3)
})

test('a full bucket takes nothing out of the others that were asked with it, and one that is only looked at loses nothing', async () => {
  const [full, other, looked] = [bucketOf('full'), bucketOf('other'), bucketOf('looked at')]
  expect(await countLeft(full)).toBe(3)
  await expect(tries.take([other, full])).rejects.toThrow()
  await expect(tries.take([other], [full])).rejects.toThrow()
  expect(await countLeft(other)).toBe(3)
  for (let count = 0; count < 10; count++) await tries.take([bucketOf(`taken ${count}`)], [looked])
  expect(await countLeft(looked)).toBe(3)
})

test('many who try at once get as many tries as there are', async () => {
  const bucket = bucketOf('at once')
  const taken = await Promise.allSettled(Array.from({ length: 20 }, () => tries.take([bucket])))
  expect(taken.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
})
