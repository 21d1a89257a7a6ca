export const DAYS = ['Mondays', 'Tuesdays', 'Wednesdays', 'Thursdays', 'Fridays', 'Saturdays', 'Sundays'] as const

/** Work hours as two days and two times of a time field, such as "07:40". */
export type Hours = { from: string; to: string; opens: string; closes: string }

/** Reads "Mondays - Sundays, 7:40am - 8:30pm"; null for other text, which stays text. */
export function readHours(text: string): Hours | null {
  const [days = '', times = '', ...more] = text.split(',')
  const [from = '', to = ''] = days.split(/[-–]/).map((day) => DAYS.find((name) => name.toLowerCase() === day.trim().toLowerCase()))
  const [opens, closes] = times.split(/[-–]/).map(readTime)
  return more.length === 0 && from && to && opens && closes ? { from, to, opens, closes } : null
}

export function hoursText({ from, to, opens, closes }: Hours): string {
  return `${from} - ${to}, ${timeText(opens)} - ${timeText(closes)}`
}

function readTime(text: string): string | null {
  const [, hour = '', minute = '0', half] = /^\s*(\d{1,2})(?::(\d{2}))?\s*(am|pm)\s*$/i.exec(text) ?? []
  if (!half || Number(hour) < 1 || Number(hour) > 12) return null
  const hours = (Number(hour) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0)
  return `${String(hours).padStart(2, '0')}:${minute.padStart(2, '0')}`
}

function timeText(time: string): string {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return `${hours % 12 || 12}${minutes ? `:${String(minutes).padStart(2, '0')}` : ''}${hours < 12 ? 'am' : 'pm'}`
}
