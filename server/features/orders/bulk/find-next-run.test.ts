import { expect, test } from 'vitest'
import { findNextRun, type RunTimes } from './find-next-run.ts'

const times = (given: Partial<RunTimes>): RunTimes => ({
  repeats: 'once',
  day: null,
  weekday: null,
  monthDay: null,
  time: '08:00',
  ...given,
})

test.each<[string, Partial<RunTimes>, string, string | null]>([
  ['a single run', { day: '2026-11-25' }, '2026-11-22T10:00:00Z', '2026-11-25T08:00:00.000Z'],
  ['a single run that is over', { day: '2026-11-25' }, '2026-11-25T08:00:00Z', null],
  ['later on the same day', { repeats: 'weekly', weekday: 7 }, '2026-11-22T07:59:00Z', '2026-11-22T08:00:00.000Z'],
  ['a week later at the minute itself', { repeats: 'weekly', weekday: 7 }, '2026-11-22T08:00:00Z', '2026-11-29T08:00:00.000Z'],
  ['the next Monday', { repeats: 'weekly', weekday: 1 }, '2026-11-22T10:00:00Z', '2026-11-23T08:00:00.000Z'],
  ['the first of the next month', { repeats: 'monthly', monthDay: 1 }, '2026-12-22T10:00:00Z', '2027-01-01T08:00:00.000Z'],
  ['the last day of a shorter month', { repeats: 'monthly', monthDay: 31 }, '2027-01-31T08:00:00Z', '2027-02-28T08:00:00.000Z'],
  ['this month still', { repeats: 'monthly', monthDay: 31 }, '2026-11-30T07:00:00Z', '2026-11-30T08:00:00.000Z'],
])('%s', (_name, given, after, expected) => {
  expect(findNextRun(times(given), new Date(after))?.toISOString() ?? null).toBe(expected)
})
