import { describe, expect, test } from 'vitest'
import { CLOSE_AFTER_MS, chooseCheckTime, chooseFirstCheckTime, FORGET_AFTER_MS } from './choose-check-time.ts'

const CREATED = new Date('2026-11-21T12:00:00Z')
const SECOND_MS = 1_000
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

/** How long a payment of a certain age waits before it is asked about again. */
function waitAt(ageMs: number): number {
  const now = new Date(CREATED.getTime() + ageMs)
  return chooseCheckTime(CREATED, now).getTime() - now.getTime()
}

test('a payment is first queried after 20 seconds, closed after half an hour and no longer queried after a day', () => {
  expect(chooseFirstCheckTime(CREATED)).toEqual(new Date('2026-11-21T12:00:20Z'))
  expect([CLOSE_AFTER_MS, FORGET_AFTER_MS]).toEqual([30 * MINUTE_MS, 24 * HOUR_MS])
})

describe('an open payment is queried again', () => {
  test.each([
    ['every 20 seconds while its payer is likely at it', 0, 20 * SECOND_MS],
    ['until it is some minutes old', 200 * SECOND_MS, 20 * SECOND_MS],
    ['then after a tenth of its age', 5 * MINUTE_MS, 30 * SECOND_MS],
    ['up to 45 seconds while its payer may still pay', 15 * MINUTE_MS - 1, 45 * SECOND_MS],
    ['from then on after a quarter of its age', 15 * MINUTE_MS, 225 * SECOND_MS],
    ['and when it is to be closed', 29 * MINUTE_MS, MINUTE_MS],
    ['to the millisecond', 30 * MINUTE_MS - 1, 1],
    ['which grows', 2 * HOUR_MS, 30 * MINUTE_MS],
    ['up to an hour', 4 * HOUR_MS, HOUR_MS],
    ['and no longer', 20 * HOUR_MS, HOUR_MS],
  ])('%s', (_name, ageMs, waitMs) => {
    expect(waitAt(ageMs)).toBe(waitMs)
  })
})
