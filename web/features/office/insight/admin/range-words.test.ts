import { expect, test } from 'vitest'
import { axisWords, beforeName, changeWords, daysOf, hourWords, minutesWords } from './range-words.ts'

const now = new Date('2026-11-21T17:12:00Z')

test('ranges are days in Ghana’s time, and weeks start on Sunday', () => {
  expect(daysOf('today', now)).toEqual({ from: '2026-11-21', to: '2026-11-21' })
  expect(daysOf('week', now)).toEqual({ from: '2026-11-15', to: '2026-11-21' })
  expect(daysOf('week', new Date('2026-11-22T00:00:00Z'))).toEqual({ from: '2026-11-22', to: '2026-11-28' })
  expect(daysOf('month', now)).toEqual({ from: '2026-11-01', to: '2026-11-30' })
  expect(daysOf('month', new Date('2028-02-10T00:00:00Z'))).toEqual({ from: '2028-02-01', to: '2028-02-29' })
})

test('what they are compared with has a name', () => {
  expect(beforeName('week', { from: '2026-11-08', to: '2026-11-14' })).toBe('last week')
  expect(beforeName('month', { from: '2026-10-01', to: '2026-10-31' })).toBe('October')
  expect(beforeName('today', { from: '2026-11-14', to: '2026-11-14' })).toBe('last Saturday')
  expect(beforeName('range', { from: '2026-10-01', to: '2026-10-10' })).toBe('1 Oct to 10 Oct')
  expect([changeWords(102.6, 100, 'last week'), changeWords(90, 100, 'October'), changeWords(90, 0, 'October')]).toEqual([
    '+2.6 % on last week',
    '−10.0 % on October',
    null,
  ])
})

test('times are short', () => {
  expect([4, 60, 140, 1440, 2880].map(minutesWords)).toEqual(['4 min', '1 h', '2 h 20 min', '24 h', '2 days'])
  expect([0, 11, 12, 20, 23].map(hourWords)).toEqual(['midnight to 1am', '11am to noon', 'noon to 1pm', '8pm to 9pm', '11pm to midnight'])
  expect([axisWords('2026-11-21', 7), axisWords('2026-11-05', 30)]).toEqual(['Sat', '5'])
})
