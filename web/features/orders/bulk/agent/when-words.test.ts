import { expect, test } from 'vitest'
import { nextWords, ordinal, whenWords } from './when-words.ts'

test('a schedule is said as one would say it', () => {
  const never = { day: null, weekday: null, monthDay: null, time: '08:00' }
  expect(whenWords({ ...never, repeats: 'monthly', monthDay: 1 })).toBe('Every month, on the 1st at 08:00')
  expect(whenWords({ ...never, repeats: 'weekly', weekday: 5 })).toBe('Every Friday at 08:00')
  expect(whenWords({ ...never, repeats: 'once', day: '2026-12-24' })).toBe('Once, on 24 December at 08:00')
  expect(nextWords({ nextAt: '2026-12-01T08:00:00.000Z', isPaused: false })).toBe('Next: 1 December at 08:00')
  expect(nextWords({ nextAt: '2026-12-01T08:00:00.000Z', isPaused: true })).toBe('Paused')
  expect([2, 3, 4, 11, 12, 13, 21, 22, 23, 31].map(ordinal)).toEqual('2nd 3rd 4th 11th 12th 13th 21st 22nd 23rd 31st'.split(' '))
})
