import { expect, test } from 'vitest'
import { hoursText, readHours } from './hours-words.ts'

test.each(['Mondays - Sundays, 7:40am - 8:30pm', 'Mondays - Saturdays, 8am - 12pm', 'Tuesdays - Fridays, 12am - 11:05pm'])(
  '%s stays the same through the fields',
  (text) => {
    const hours = readHours(text)
    expect(hours && hoursText(hours)).toBe(text)
  },
)

test.each(['When the light is on', 'Mondays, 8am - 6pm', 'Mondays - Sundays, 8 - 18', 'Mondays - Sundays, 8am - 6pm, 7pm - 8pm'])(
  '%s is only text',
  (text) => {
    expect(readHours(text)).toBeNull()
  },
)
