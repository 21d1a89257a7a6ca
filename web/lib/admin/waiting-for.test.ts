import { expect, test } from 'vitest'
import { waitingFor } from './waiting-for.ts'

const now = new Date('2026-11-21T12:00:00Z')

test.each([
  ['2026-11-21T11:59:30Z', 'less than a minute'],
  ['2026-11-21T12:00:05Z', 'less than a minute'],
  ['2026-11-21T11:59:00Z', '1 minute'],
  ['2026-11-21T11:00:01Z', '59 minutes'],
  ['2026-11-21T11:00:00Z', '1 hour'],
  ['2026-11-20T12:00:01Z', '23 hours'],
  ['2026-11-20T12:00:00Z', '1 day'],
  ['2026-11-01T12:00:00Z', '20 days'],
  ['never', 'less than a minute'],
])('what waits since %s waits %s', (since, wait) => {
  expect(waitingFor(since, now)).toBe(wait)
})
