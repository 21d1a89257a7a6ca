import { expect, test } from 'vitest'
import { longDay, minuteWords, shortDay, shortWait, timeWords } from './clock-words.ts'

const NOW = new Date('2026-11-21T17:12:00Z')

test('times and days are those of Ghana, in words', () => {
  expect(timeWords(NOW)).toBe('5:12pm')
  expect([0, 460, 720, 1230].map(minuteWords)).toEqual(['12:00am', '7:40am', '12:00pm', '8:30pm'])
  expect(longDay(NOW)).toBe('Saturday 21 November')
  expect(shortDay(NOW)).toBe('Sat 21 November')
})

test.each([
  ['17:11:30', 'just now'],
  ['17:20:00', 'just now'],
  ['16:57:00', '15 min'],
  ['16:12:00', '1 h'],
  ['15:20:00', '1 h 52'],
  ['15:07:00', '2 h 05'],
])('what waits since %s waits %s', (time, wait) => {
  expect(shortWait(`2026-11-21T${time}Z`, NOW)).toBe(wait)
})

test('what waits since days ago says how many', () => {
  expect(shortWait('2026-11-20T17:00:00Z', NOW)).toBe('1 day')
  expect(shortWait('2026-11-18T17:00:00Z', NOW)).toBe('3 days')
})
