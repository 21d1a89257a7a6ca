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
    callAside('an account', HERE, double, { of: 21 }),
    callAside('an account', HERE, spin, { ms: 200 }),
    callAside('an account', HERE, double, { of: 4 }),
  ])
  isDone = true
  expect([first, second, spun.thread]).toEqual([42, 8, expect.any(Number)])
  expect(spun.thread).not.toBe(0)
  expect(turns).toBeGreaterThan(3)
  expect(await callAside('an account', HERE, give, new Map([['a', new Date(0)]]))).toEqual(new Map([['a', new Date(0)]]))
})

test('accounts take turns, and one account has only so many calls waiting', async () => {
  const ended: string[] = []
  const of = (account: string) => callAside(account, HERE, double, { of: 1 }).then(() => ended.push(account))
  const many = Array.from({ length: 9 }, () => of('a busy account'))
  await expect(of('a busy account')).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
  await Promise.all([...many, of('another account')])
  expect(ended.indexOf('another account')).toBeLessThan(3)
})

test('a call that takes too long or too much memory ends as too large, and those behind it are answered', async () => {
  const ends = await Promise.allSettled([
    callAside('an account', HERE, spin, { ms: 3_600_000 }, 1_000),
    callAside('an account', HERE, double, { of: 1 }),
    callAside('an account', HERE, fill, {}),
    callAside('an account', HERE, double, { of: 2 }),
    callAside('an account', HERE, fail, { because: 'no reason' }),
    callAside('an account', HERE, double, { of: 3 }),
  ])
  const told = ends.map((end) => (end.status === 'fulfilled' ? end.value : end.reason))
  expect(told[0]).toBeInstanceOf(AppError)
  expect(told[2]).toMatchObject({ code: 'TOO_LARGE' })
  expect(told[4]).toMatchObject({ message: 'no reason' })
  expect([told[0].code, told[1], told[3], told[5]]).toEqual(['TOO_LARGE', 2, 4, 6])
})
