import type { Float, FloatState } from '../../../../../shared/floats.ts'
import { supplierName } from '../../../../../shared/supplier-names.ts'

/** What the owner calls a float: "Hubnet", "MTN portal", "SMS service". */
export function floatName({ key, kind, networks }: Pick<Float, 'key' | 'kind' | 'networks'>): string {
  if (kind === 'sms') return 'SMS service'
  return kind === 'by-hand' ? `${networks[0]} portal` : supplierName(key)
}

export const STATE_WORDS: Record<FloatState, string> = {
  finished: 'Finished',
  stopped: 'Resting',
  trying: 'Trying again',
  low: 'Low',
  enough: 'Enough',
  unknown: 'Not known yet',
}

/** "1 order is waiting", "7 orders are waiting". */
export function ordersWait(orders: number): string {
  return orders === 1 ? '1 order is waiting' : `${orders} orders are waiting`
}

/** Whether orders wait until somebody does something. */
export function isHolding({ state }: Pick<Float, 'state'>): boolean {
  return state === 'finished' || state === 'stopped' || state === 'trying'
}

/** "7:50pm", in Ghana's time. */
export function clockTime(iso: string): string {
  const at = new Date(iso)
  const hour = at.getUTCHours()
  return `${hour % 12 || 12}:${String(at.getUTCMinutes()).padStart(2, '0')}${hour < 12 ? 'am' : 'pm'}`
}

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'long', timeZone: 'UTC' })

/** "7:50pm", "tomorrow afternoon", "Tuesday morning". */
export function endWords(iso: string, now: Date): string {
  const days = Math.floor(Date.parse(iso) / DAY_MS) - Math.floor(now.getTime() / DAY_MS)
  if (days === 0) return clockTime(iso)
  const hour = new Date(iso).getUTCHours()
  const part = hour < 12 ? 'morning' : hour < 17 ? 'afternoon' : 'evening'
  return `${days === 1 ? 'tomorrow' : days < 7 ? weekday.format(new Date(iso)) : `in ${days} days, in the`} ${part}`
}

/** "40 min", "1 h 10 min". */
export function spanWords(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / MINUTE_MS))
  const hours = Math.floor(minutes / 60)
  if (hours === 0) return `${minutes} min`
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`
}

/** How long a float lasts, said plainly; what is not known is called so. */
export function lastsWords({ emptyAt, perHour, balance, kind }: Float, closes: string | null, now: Date): string {
  if (balance === null) return kind === 'by-hand' ? 'Enter what is left there.' : 'We read it every ten minutes.'
  if (emptyAt === null) {
    if (perHour === null) return 'Too little happened today to say how long it lasts.'
    return perHour === 0 ? 'Nothing was spent today.' : 'Lasts two weeks and more.'
  }
  const end = endWords(emptyAt, now)
  if (closes === null || emptyAt > closes)
    return closes !== null && kind !== 'sms' ? `Lasts past closing, until ${end}.` : `Lasts until ${end}.`
  return `At today’s rate it lasts until ${end}, ${spanWords(Date.parse(closes) - Date.parse(emptyAt))} before you close.`
}

/** Which networks' orders a supplier gets, at first or when those before it cannot take them. */
export function carriesWords({ networks, backsUp }: Pick<Float, 'networks' | 'backsUp'>): string {
  const second = backsUp.length > 0 && `after others: ${backsUp.join(', ')}`
  return [networks.join(', '), second].filter(Boolean).join('; ') || 'no network goes there'
}
