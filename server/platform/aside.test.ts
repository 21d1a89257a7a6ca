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
    callAside({ account: 'an account' }, HERE, double, { of: 21 }),
    callAside({ account: 'an account' }, HERE, spin, { ms: 200 }),
    callAside({ account: 'an account' }, HERE, double, { of: 4 }),
  ])
  isDone = true
  expect([first, second, spun.thread]).toEqual([42, 8, expect.any(Number)])
  expect(spun.thread).not.toBe(0)
  expect(turns).toBeGreaterThan(3)
  expect(await callAside({ account: 'an account' }, HERE, give, new Map([['a', new Date(0)]]))).toEqual(new Map([['a', new Date(0)]]))
})

test('accounts take turns, and one account has only so many calls waiting', async () => {
  const ended: string[] = []
  const of = (account: string) => callAside({ account }, HERE, double, { of: 1 }).then(() => ended.push(account))
  const many = Array.from({ length: 9 }, () => of('a busy account'))
  await expect(of('a busy account')).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
  await Promise.all([...many, of('another account')])
  expect(ended.indexOf('another account')).toBeLessThan(3)
})

test('a call that takes too long or too much memory ends as too large, and those behind it are answered', async () => {
  const ends = await Promise.allSettled([
    callAside({ account: 'an account' }, HERE, spin, { ms: 3_600_000 }, { withinMs: 1_000 }),
    callAside({ account: 'an account' }, HERE, double, { of: 1 }),
    callAside({ account: 'an account' }, HERE, fill, {}),
    callAside({ account: 'an account' }, HERE, double, { of: 2 }),
    callAside({ account: 'an account' }, HERE, fail, { because: 'no reason' }),
    callAside({ account: 'an account' }, HERE, double, { of: 3 }),
  ])
  const told = ends.map((end) => (end.status === 'fulfilled' ? end.value : end.reason))
  expect(told[0]).toBeInstanceOf(AppError)
  expect(told[2]).toMatchObject({ code: 'TOO_LARGE' })
  expect(told[4]).toMatchObject({ message: 'no reason' })
  expect([told[0].code, told[1], told[3], told[5]]).toEqual(['TOO_LARGE', 2, 4, 6])
})

test('a short text does not wait for a long one, and work of whoever has left is not begun', async () => {
  const ended: string[] = []
  const note = (name: string) => () => ended.push(name)
  const gone = new AbortController()
  // The threads take a while to start.
  for (const signs of [1, 1_000_000]) await callAside({ account: 'an account' }, HERE, double, { of: 1 }, { signs })
  const long = callAside({ account: 'a busy account' }, HERE, spin, { ms: 2_000 }).then(note('long'))
  const left = callAside({ account: 'who leaves', gone: gone.signal }, HERE, spin, { ms: 60_000 })
  const next = callAside({ account: 'a third account' }, HERE, double, { of: 1 }).then(note('next'))
  const short = callAside({ account: 'another account' }, HERE, double, { of: 1 }, { signs: 16_000 }).then(note('short'))
  gone.abort()
  await expect(left).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
  await Promise.all([long, next, short])
  expect(ended).toEqual(['short', 'long', 'next'])
  await expect(callAside({ account: 'who leaves', gone: gone.signal }, HERE, double, { of: 1 })).rejects.toBeInstanceOf(AppError)
})
