import { setImmediate as settled } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ServiceUnavailable, TooManyAttempts } from '../../platform/errors.ts'
import { type HashLimits, openHashQueue, type Waiting } from './open-hash-queue.ts'

/** Work that ends when it is told to, in the order in which it was begun. */
function openSlowWork(limits: Partial<HashLimits> = {}) {
  const run = openHashQueue({ atOnce: 2, perAccount: 10, perLane: 250, inAll: 500, ...limits })
  const begun: string[] = []
  const ends: (() => void)[] = []
  const start = (name: string, asker: Waiting) =>
    run(asker, () => {
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

test('each lane is first come, first served', async () => {
  const { begun, start, endOne } = openSlowWork({ atOnce: 1 })
  for (const name of ['a', 'b', 'c']) void start(name, { lane: 'one' })
  await endOne()
  await endOne()
  expect(begun).toEqual(['a', 'b', 'c'])
})

test.each<[string, Partial<HashLimits>, typeof TooManyAttempts | typeof ServiceUnavailable]>([
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
  const run = openHashQueue({ atOnce: 1, perAccount: 1, perLane: 1, inAll: 1 })
  const asker = { lane: 'one', account: 'ama' }
  const fail = () => Promise.reject(new Error('no memory'))
  for (let index = 0; index < 3; index++) await expect(run(asker, fail)).rejects.toThrow('no memory')
  expect(await run(asker, async () => 'done')).toBe('done')
})
