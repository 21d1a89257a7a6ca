import { expect, test } from 'vitest'
import { double, fail, fill, give, spin } from '../../test/fixtures/aside-tasks.ts'
import { callAside } from './aside.ts'
import { AppError } from './errors.ts'

const HERE = new URL('../../test/fixtures/aside-tasks.ts', import.meta.url)

test('what a function works out aside comes back, call after call, and the process serves others meanwhile', async () => {
  let turns = 0
  let isDone = false
  const count = () => {
    turns += 1
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  const [first, spun, second] = await Promise.all([
    callAside(HERE, double, { of: 21 }),
    callAside(HERE, spin, { ms: 200 }),
    callAside(HERE, double, { of: 4 }),
  ])
  isDone = true
  expect([first, second, spun.thread]).toEqual([42, 8, expect.any(Number)])
  expect(spun.thread).not.toBe(0)
  expect(turns).toBeGreaterThan(3)
  expect(await callAside(HERE, give, new Map([['a', new Date(0)]]))).toEqual(new Map([['a', new Date(0)]]))
})

test('a call that takes too long or too much memory ends as too large, and those behind it are answered', async () => {
  const ends = await Promise.allSettled([
    callAside(HERE, spin, { ms: 3_600_000 }, 1_000),
    callAside(HERE, double, { of: 1 }),
    callAside(HERE, fill, {}),
    callAside(HERE, double, { of: 2 }),
    callAside(HERE, fail, { because: 'no reason' }),
    callAside(HERE, double, { of: 3 }),
  ])
  const told = ends.map((end) => (end.status === 'fulfilled' ? end.value : end.reason))
  expect(told[0]).toBeInstanceOf(AppError)
  expect(told[2]).toMatchObject({ code: 'TOO_LARGE' })
  expect(told[4]).toMatchObject({ message: 'no reason' })
  expect([told[0].code, told[1], told[3], told[5]]).toEqual(['TOO_LARGE', 2, 4, 6])
})
