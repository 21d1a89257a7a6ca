import { expect, test } from 'vitest'
import { shareRead } from './share-read.ts'

test('a hundred who ask while a read runs share the next one, which began after they asked', async () => {
  let begun = 0
  const ends: (() => void)[] = []
  const read = shareRead(() => {
    const number = ++begun
    return new Promise<number>((resolve) => ends.push(() => resolve(number)))
  })
  const first = read()
  const others = Array.from({ length: 100 }, () => read())
  expect(begun).toBe(1)
  ends[0]?.()
  expect(await first).toBe(1)
  await new Promise((resolve) => setImmediate(resolve))
  const later = read()
  expect(begun).toBe(2)
  ends[1]?.()
  expect(new Set(await Promise.all(others))).toEqual(new Set([2]))
  await new Promise((resolve) => setImmediate(resolve))
  ends[2]?.()
  expect([await later, begun]).toEqual([3, 3])
  await new Promise((resolve) => setImmediate(resolve))
  const last = read()
  ends[3]?.()
  expect(await last).toBe(4)
})

test('a read that fails is told to those who shared it, and the next is tried', async () => {
  let fails = true
  const read = shareRead(async () => {
    if (fails) throw new Error('gone')
    return 'here'
  })
  const both = await Promise.allSettled([read(), read()])
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  fails = false
  expect(await read()).toBe('here')
})
