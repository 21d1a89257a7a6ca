import { expect, test } from 'vitest'
import { readForStranger } from './guess-turns.ts'

test('made-up keys of one network are looked up a few at a time, and another network’s come in between', async () => {
  let running = 0
  let most = 0
  const ended: string[] = []
  const ask = (ip: string) =>
    readForStranger(ip, async () => {
      most = Math.max(most, ++running)
      await new Promise((resolve) => setTimeout(resolve, 1))
      running -= 1
      ended.push(ip)
    })
  const flood = Array.from({ length: 100 }, () => ask('203.0.113.7'))
  const other = ask('198.51.100.7')
  const refused = (await Promise.allSettled([...flood, other])).filter(({ status }) => status === 'rejected')
  expect([most, refused.length]).toEqual([4, 40])
  expect(ended.indexOf('198.51.100.7')).toBeLessThan(10)
})
