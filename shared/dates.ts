/** day/month/year hour:minute:second, 24-hour, in UTC, which is Ghana's time all year. */
export function formatDateTime(date: Date): string {
  const two = (value: number) => value.toString().padStart(2, '0')
  const day = `${two(date.getUTCDate())}/${two(date.getUTCMonth() + 1)}/${date.getUTCFullYear()}`
  return `${day} ${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`
}

/** The hour and minute in UTC, with day and month before it unless it is the same day as `now`. */
export function formatShortTime(date: Date, now: Date): string {
  const [day = '', time = ''] = formatDateTime(date).split(' ')
  const isToday = day === formatDateTime(now).split(' ')[0]
  return `${isToday ? '' : `${day.slice(0, 5)} `}${time.slice(0, 5)}`
}

/** The day in UTC as one says it, such as "22 November". */
export function formatLongDate(date: Date): string {
  return date.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' })
}

/** The date in UTC, such as 2026-11-22. */
export function isoDay(date: Date): string {
  return date.toISOString().slice(0, 10)
}

const DAY_MS = 24 * 3_600_000

/** The first moment of a day in UTC, which is Ghana's time all year. */
export function startOfDay(time: Date): Date {
  return new Date(Math.floor(time.getTime() / DAY_MS) * DAY_MS)
}
