import { describe, expect, it } from 'vitest'
import { readWorkHours } from './work-hours.ts'

const DAILY = 'Mondays - Sundays, 7:40am - 8:30pm'

describe('readWorkHours', () => {
  it.each([
    [DAILY, { days: [1, 2, 3, 4, 5, 6, 0], opens: 460, closes: 1230, closesAt: '8:30pm' }],
    ['Mon-Fri, 8am-5pm', { days: [1, 2, 3, 4, 5], opens: 480, closes: 1020, closesAt: '5pm' }],
    ['Saturdays – Sundays, 12:05 AM – 12 PM', { days: [6, 0], opens: 5, closes: 720, closesAt: '12 PM' }],
    ['Sundays, 1pm - 11:59pm', { days: [0], opens: 780, closes: 1439, closesAt: '11:59pm' }],
  ])('reads %j', (text, hours) => {
    expect(readWorkHours(text)).toEqual(hours)
  })

  it.each([
    '',
    'Always',
    'Mondays - Sundays',
    'Mondays - Sundays, 7:40 - 20:30',
    'Xmas - Sundays, 7am - 8pm',
    'Mon, 13pm - 2pm',
    'Mon, 9pm - 2am',
  ])('leaves %j as it is', (text) => {
    expect(readWorkHours(text)).toBeNull()
  })
})
