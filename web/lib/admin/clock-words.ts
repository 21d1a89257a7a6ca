const day = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' })
const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'long', timeZone: 'UTC' })

const MINUTE_MS = 60_000
export const JUST_NOW = 'just now'

/** The time of the day in Ghana, as people say it: "5:12pm". */
export function timeWords(at: Date): string {
  return minuteWords(at.getUTCHours() * 60 + at.getUTCMinutes())
}

/** The same for minutes since midnight: 460 is "7:40am". */
export function minuteWords(minutes: number): string {
  const hour = Math.floor(minutes / 60) % 24
  return `${hour % 12 || 12}:${String(minutes % 60).padStart(2, '0')}${hour < 12 ? 'am' : 'pm'}`
}

/** "Saturday 21 November". */
export function longDay(at: Date): string {
  return day.format(at).replace(',', '')
}

/** "Tue 24 November". */
export function shortDay(at: Date): string {
  return weekday.format(at).replace(',', '')
}

/** How long something has waited, in little room: "15 min", "1 h 52", "2 days". */
export function shortWait(since: string, now: Date): string {
  const minutes = Math.max(0, Math.floor((now.getTime() - Date.parse(since)) / MINUTE_MS))
  if (minutes < 60) return minutes < 1 ? JUST_NOW : `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours < 24) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${String(minutes % 60).padStart(2, '0')}`
  return hours < 48 ? '1 day' : `${Math.floor(hours / 24)} days`
}
