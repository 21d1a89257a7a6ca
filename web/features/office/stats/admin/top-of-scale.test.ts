import { expect, test } from 'vitest'
import { dayName, shortNumber, topOfScale } from './top-of-scale.ts'

test.each([
  [[], 1],
  [[0, 0], 1],
  [[0.4], 0.5],
  [[3, 7], 10],
  [[101], 200],
  [[210, 180], 250],
  [[1000], 1000],
  [[4100], 5000],
])('the scale of %j ends at %d', (values, top) => {
  expect(topOfScale(values)).toBe(top)
})

test.each([
  [0.5, '0.5'],
  [250, '250'],
  [1250, '1.3k'],
  [2500, '2.5k'],
  [250_000, '250k'],
  [1_000_000, '1m'],
])('%d is written %s', (value, text) => {
  expect(shortNumber(value)).toBe(text)
})

test('a day is named without its year', () => {
  expect(dayName('2026-11-01')).toBe('1 Nov')
})
