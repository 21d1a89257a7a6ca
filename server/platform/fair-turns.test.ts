import { setImmediate as settled } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ServiceUnavailable, TooManyAttempts } from './errors.ts'
import { type Lane, openFairTurns, runInTurn, type TurnLimits } from './fair-turns.ts'

/** Work that ends when it is told to, in the order in which it was begun. */
function openSlowWork(limits: Partial<TurnLimits> = {}) {
  const turns = openFairTurns({ atOnce: 2, perAccount: 10, perLane: 250, inAll: 500, ...limits })
  const begun: string[] = []
  const ends: (() => void)[] = []
  const start = (name: string, asker: Lane) =>
    runInTurn(turns, asker, () => {
      begun.push(name)
      return new Promise<string>((resolve) => ends.push(() => resolve(name)))
    })
  const endOne = async () => {
    await settled()
    ends.shift()?.()
    await settled()
  }
  return { begun, start, endOne }
}

test('a hundred from one address delay others by one at most', async () => {
  const { begun, start, endOne } = openSlowWork()
  for (let index = 0; index < 108; index++) void start(`flood ${index}`, { lane: 'one place' })
  void start('elsewhere', { lane: 'another' })
  await settled()
  expect(begun).toEqual(['flood 0', 'flood 1'])
  await endOne()
  await endOne()
  expect(begun).toContain('elsewhere')
  for (let index = 0; index < 107; index++) await endOne()
  expect(begun).toHaveLength(109)
})

test('many lanes that fill all places together keep nobody out: the longest gives one up', async () => {
  const { begun, start, endOne } = openSlowWork({ atOnce: 1, inAll: 6 })
  const flood = ['one', 'one', 'one', 'two', 'two', 'two'].map((lane) => start(`from ${lane}`, { lane }).catch((error: unknown) => error))
  await settled()
  const mine = start('mine', { lane: 'another' })
  await settled()
  await expect(start('from two', { lane: 'two' })).rejects.toThrow(ServiceUnavailable)
  for (let index = 0; index < 6; index++) await endOne()
  expect(await mine).toBe('mine')
  expect(begun.slice(0, 4)).toContain('mine')
  expect((await Promise.all(flood)).filter((one) => one instanceof TooManyAttempts)).toHaveLength(1)
})

test('each lane is first come, first served', async () => {
  const { begun, start, endOne } = openSlowWork({ atOnce: 1 })
  for (const name of ['a', 'b', 'c']) void start(name, { lane: 'one' })
  await endOne()
  await endOne()
  expect(begun).toEqual(['a', 'b', 'c'])
})

test.each<[string, Partial<TurnLimits>, typeof TooManyAttempts | typeof ServiceUnavailable]>([
  ['an account within a lane', { perAccount: 3 }, TooManyAttempts],
  ['a lane', { perLane: 3 }, TooManyAttempts],
  ['all together', { inAll: 3 }, ServiceUnavailable],
])('work beyond the limit of %s is refused at once, and accepted again when a slot is free', async (_whose, limits, refusal) => {
  const { begun, start, endOne } = openSlowWork({ atOnce: 1, ...limits })
  const asker = { lane: 'one', account: 'ama' }
  for (let index = 0; index < 3; index++) void start(`${index}`, asker)
  for (let index = 0; index < 5; index++) await expect(start('too many', asker)).rejects.toThrow(refusal)
  await endOne()
  void start('the next', asker)
  for (let index = 0; index < 3; index++) await endOne()
  expect(begun).toEqual(['0', '1', '2', 'the next'])
})

test('an account at its limit blocks neither others in the lane nor itself in another lane', async () => {
  const { begun, start } = openSlowWork({ atOnce: 10, perAccount: 1 })
  void start('first', { lane: 'one', account: 'ama' })
  await expect(start('second', { lane: 'one', account: 'ama' })).rejects.toThrow(TooManyAttempts)
  void start('kofi', { lane: 'one', account: 'kofi' })
  void start('ama at home', { lane: 'other', account: 'ama' })
  await settled()
  expect(begun).toEqual(['first', 'kofi', 'ama at home'])
})

test('failed work frees its slot', async () => {
  const turns = openFairTurns({ atOnce: 1, perAccount: 1, perLane: 1, inAll: 1 })
  const asker = { lane: 'one', account: 'ama' }
  const fail = () => Promise.reject(new Error('no memory'))
  for (let index = 0; index < 3; index++) await expect(runInTurn(turns, asker, fail)).rejects.toThrow('no memory')
  expect(await runInTurn(turns, asker, async () => 'done')).toBe('done')
})

test('a lane runs no more than its own places, by weight, and others pass it', async () => {
  const { begun, take } = openNamedTurns({ atOnce: 10, runningPerLane: 4 })
  const heavy = [await take('ama', 3), take('ama', 3), take('ama', 3)] as const
  const kofi = await take('kofi', 9)
  await settled()
  expect(begun).toEqual(['ama', 'kofi'])
  heavy[0].end()
  await heavy[1]
  expect(begun).toEqual(['ama', 'kofi', 'ama'])
  kofi.end()
  await settled()
  expect(begun).toHaveLength(3)
})

test('rest gives the place to another lane, and still counts for its own until the end, once', async () => {
  const { begun, take } = openNamedTurns({ atOnce: 1, runningPerLane: 1 })
  const first = await take('ama')
  void take('ama')
  void take('kofi')
  await settled()
  expect(begun).toEqual(['ama'])
  first.rest()
  first.rest()
  await settled()
  expect(begun).toEqual(['ama', 'kofi'])
  first.end()
  first.end()
  first.rest()
  await settled()
  expect(begun).toEqual(['ama', 'kofi'])
})

test('work that waits for too long is refused, and counts no more', async () => {
  const { begun, take, waiting } = openNamedTurns({ atOnce: 1, perLane: 2, waitMs: 20 })
  const first = await take('ama')
  await expect(take('ama')).rejects.toThrow(TooManyAttempts)
  await expect(take('ama')).rejects.toThrow(TooManyAttempts)
  expect(waiting()).toBe(0)
  first.end()
  await take('ama')
  expect(begun).toEqual(['ama', 'ama'])
})

test('an asker who has gone leaves the line', async () => {
  const { begun, take, waiting } = openNamedTurns({ atOnce: 1 })
  const first = await take('ama')
  const leaving = new AbortController()
  const gone = take('ama', 1, leaving.signal)
  leaving.abort()
  await expect(gone).rejects.toThrow(TooManyAttempts)
  await expect(take('ama', 1, leaving.signal)).rejects.toThrow(TooManyAttempts)
  expect(waiting()).toBe(0)
  first.end()
  await take('ama')
  expect(begun).toEqual(['ama', 'ama'])
})

function openNamedTurns(limits: Partial<TurnLimits>) {
  const turns = openFairTurns({ atOnce: 2, perLane: 250, inAll: 500, ...limits })
  const begun: string[] = []
  const take = async (lane: string, weight = 1, signal?: AbortSignal) => {
    const turn = await turns.take({ lane }, { weight, ...(signal && { signal }) })
    begun.push(lane)
    return turn
  }
  return { begun, take, waiting: turns.waiting }
}
