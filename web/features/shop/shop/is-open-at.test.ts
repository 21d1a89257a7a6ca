import { expect, it } from 'vitest'
import { isOpenAt } from './is-open-at.ts'

const WEEKDAYS = [1, 2, 3, 4, 5]

it.each([
  ['2026-11-23T07:39:59Z', false],
  ['2026-11-23T07:40:00Z', true],
  ['2026-11-23T20:29:59Z', true],
  ['2026-11-23T20:30:00Z', false],
  ['2026-11-22T12:00:00Z', false],
])('at %s it is %s that a shop is open that opens on weekdays from 7:40am to 8:30pm', (at, open) => {
  expect(isOpenAt({ days: WEEKDAYS, opens: 460, closes: 1230, closesAt: '8:30pm' }, new Date(at))).toBe(open)
})
