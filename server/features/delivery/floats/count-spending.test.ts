import { describe, expect, it } from 'vitest'
import { countHourlyRate, countSpending } from './count-spending.ts'
import { findEnd } from './find-end.ts'

const at = (time: string) => new Date(`2026-11-21T${time}:00Z`)
const readings = (...given: [string, number][]) => given.map(([time, amount]) => ({ readAt: at(time), amount }))

describe('countSpending', () => {
  it.each([
    ['falls', readings(['08:00', 100], ['09:00', 70], ['10:00', 65]), { opening: 100, topUps: 0, spent: 35 }],
    [
      'a top-up between falls',
      readings(['08:00', 100], ['09:00', 70], ['10:00', 300], ['11:00', 290]),
      { opening: 100, topUps: 230, spent: 40 },
    ],
    ['one reading', readings(['08:00', 100]), null],
    ['none', [], null],
  ])('of %s', (_name, given, expected) => {
    expect(countSpending(given)).toEqual(expected)
  })
})

describe('countHourlyRate', () => {
  it('counts what was spent since then, top-ups aside', () => {
    const given = readings(['06:00', 500], ['08:00', 400], ['09:00', 340], ['10:00', 900], ['12:00', 880])
    expect(countHourlyRate(given, at('08:00'))).toBe(20)
  })

  it.each([
    ['two readings', readings(['08:00', 100], ['10:00', 50])],
    ['readings within half an hour', readings(['08:00', 100], ['08:10', 90], ['08:29', 80])],
    ['readings of before', readings(['05:00', 100], ['06:00', 90], ['07:00', 80])],
  ])('is not known from %s', (_name, given) => {
    expect(countHourlyRate(given, at('07:30'))).toBeNull()
  })
})

describe('findEnd', () => {
  const hours = { days: [1, 2, 3, 4, 5, 6], opens: 460, closes: 1230, closesAt: '8:30pm' }
  it.each([
    ['within the day', 112, 42, '17:12', '2026-11-21T19:52:00.000Z'],
    // Saturday closes at 20:30 and Sunday is no day of work: the rest is spent on Monday from 7:40.
    ['over a night and a closed day', 300, 100, '19:30', '2026-11-23T09:40:00.000Z'],
    ['when nothing is left', 0, 100, '19:30', '2026-11-21T19:30:00.000Z'],
    ['before the shop opens', 100, 100, '05:00', '2026-11-21T08:40:00.000Z'],
  ])('%s', (_name, amount, perHour, now, end) => {
    expect(findEnd(amount, perHour, at(now), hours)?.toISOString()).toBe(end)
  })

  it('is not said when nothing is spent or it is weeks away', () => {
    expect(findEnd(100, 0, at('12:00'), hours)).toBeNull()
    expect(findEnd(1_000_000, 1, at('12:00'), hours)).toBeNull()
  })

  it('counts every hour when the shop’s hours are not known', () => {
    expect(findEnd(240, 10, at('12:00'), null)).toEqual(new Date('2026-11-22T12:00:00Z'))
  })
})
