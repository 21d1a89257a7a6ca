import { isoDay } from '../../../../../shared/dates.ts'

export const RANGES = ['today', 'week', 'month', 'range'] as const
export type RangeName = (typeof RANGES)[number]
/** Days as YYYY-MM-DD, both included. */
export type Days = { from: string; to: string }

const DAY_MS = 86_400_000
const monthName = new Intl.DateTimeFormat('en-GB', { month: 'long', timeZone: 'UTC' })
const shortDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'short', timeZone: 'UTC' })

/** The days of a named range at `now`, in Ghana's time, which is UTC. The week starts on Sunday. */
export function daysOf(range: Exclude<RangeName, 'range'>, now: Date): Days {
  const today = new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS)
  if (range === 'today') return { from: isoDay(today), to: isoDay(today) }
  if (range === 'week') {
    const sunday = new Date(today.getTime() - today.getUTCDay() * DAY_MS)
    return { from: isoDay(sunday), to: isoDay(new Date(sunday.getTime() + 6 * DAY_MS)) }
  }
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()]
  return { from: isoDay(new Date(Date.UTC(year, month, 1))), to: isoDay(new Date(Date.UTC(year, month + 1, 0))) }
}

export function rangeName(range: RangeName, now: Date): string {
  if (range === 'month') return monthName.format(now)
  return { today: 'Today', week: 'This week', range: 'Range' }[range]
}

/** What a range is compared with: "last week", "October", "the days before". */
export function beforeName(range: RangeName, before: Days): string {
  if (range === 'week') return 'last week'
  if (range === 'month') return monthName.format(new Date(before.from))
  if (range === 'today')
    return `last ${new Intl.DateTimeFormat('en-GB', { weekday: 'long', timeZone: 'UTC' }).format(new Date(before.from))}`
  return before.from === before.to ? dayWords(before.from) : `${dayWords(before.from)} to ${dayWords(before.to)}`
}

/** "21 Nov". */
export function dayWords(day: string): string {
  return shortDay.format(new Date(day))
}

/** "Sat" within a week, "21" within a month. */
export function axisWords(day: string, days: number): string {
  return days <= 7 ? weekday.format(new Date(day)) : String(Number(day.slice(8)))
}

/** "+2.6 % on last week", or null where there was nothing to compare with. */
export function changeWords(now: number, before: number, what: string): string | null {
  if (before <= 0) return null
  const percent = ((now - before) / before) * 100
  return `${percent < 0 ? '−' : '+'}${Math.abs(percent).toFixed(1)} % on ${what}`
}

/** "4 min", "2 h 20 min", "3 days". */
export function minutesWords(minutes: number): string {
  if (minutes < 60) return `${minutes} min`
  if (minutes >= 2 * 1440) return `${Math.round(minutes / 1440)} days`
  const hours = Math.floor(minutes / 60)
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`
}

/** "noon to 1pm", "8pm to 9pm". */
export function hourWords(hour: number): string {
  return `${oneHour(hour)} to ${oneHour((hour + 1) % 24)}`
}

function oneHour(hour: number): string {
  if (hour === 0) return 'midnight'
  if (hour === 12) return 'noon'
  return `${hour % 12}${hour < 12 ? 'am' : 'pm'}`
}
