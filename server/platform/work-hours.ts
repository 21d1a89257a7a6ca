import type { Shop } from '../../shared/shop.ts'

const MINUTE_MS = 60_000
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const HOURS = /^(\p{L}{3})\p{L}*(?: ?[-–] ?(\p{L}{3})\p{L}*)?, ?(\d{1,2})(?::(\d{2}))? ?(am|pm) ?[-–] ?(\d{1,2})(?::(\d{2}))? ?(am|pm)$/iu

/** Reads hours written like "Mondays - Sundays, 7:40am - 8:30pm"; null for any other text, which is then only shown. */
export function readWorkHours(text: string): Shop['hours'] {
  const found = HOURS.exec(text.trim())
  if (!found) return null
  const [, from = '', to = from, ...times] = found
  const [first, last] = [DAYS.indexOf(from.toLowerCase()), DAYS.indexOf(to.toLowerCase())]
  const [opens, closes] = [minutesOf(times.slice(0, 3)), minutesOf(times.slice(3))]
  if (first < 0 || last < 0 || opens === null || closes === null || opens >= closes) return null
  const days = Array.from({ length: ((last - first + 7) % 7) + 1 }, (_, index) => (first + index) % 7)
  return { days, opens, closes, closesAt: text.slice(text.search(/[-–][^-–]*$/) + 1).trim() }
}

/** When the shop opens and closes on a day that begins then; null on a day on which it does not. */
export function openOn(day: Date, hours: Shop['hours']): { opens: Date; closes: Date } | null {
  if (!hours) return { opens: day, closes: new Date(day.getTime() + 24 * 60 * MINUTE_MS) }
  if (!hours.days.includes(day.getUTCDay())) return null
  return { opens: new Date(day.getTime() + hours.opens * MINUTE_MS), closes: new Date(day.getTime() + hours.closes * MINUTE_MS) }
}

function minutesOf([hours, minutes = '0', half]: (string | undefined)[]): number | null {
  const [hour, minute] = [Number(hours), Number(minutes)]
  if (hour < 1 || hour > 12 || minute > 59) return null
  return ((hour % 12) + (half?.toLowerCase() === 'pm' ? 12 : 0)) * 60 + minute
}
