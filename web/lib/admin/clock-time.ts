import { shopNow } from '../clock.ts'

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** "4:58pm" in Ghana's time, with the day when that is not today: "21 Nov, 4:58pm". */
export function clockTime(iso: string, now = shopNow()): string {
  const at = new Date(iso)
  const time = `${at.getUTCHours() % 12 || 12}:${String(at.getUTCMinutes()).padStart(2, '0')}${at.getUTCHours() < 12 ? 'am' : 'pm'}`
  const isToday = at.toISOString().slice(0, 10) === now.toISOString().slice(0, 10)
  return isToday ? time : `${at.getUTCDate()} ${MONTHS[at.getUTCMonth()]}, ${time}`
}
