import { startOfDay } from '../../../../shared/dates.ts'
import type { Shop } from '../../../../shared/shop.ts'
import { openOn } from '../../../platform/work-hours.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
/** A later end says little: no week is like the next. */
const LONGEST_DAYS = 14

/**
 * When a float is used up at a rate per hour, where only the hours count in which the shop is open; all hours where those are not
 * known. Null when nothing is spent, or when it lasts two weeks and more. Times are UTC, which is Ghana's time all year.
 */
export function findEnd(amount: number, perHour: number, now: Date, hours: Shop['hours']): Date | null {
  if (amount <= 0) return now
  if (perHour <= 0) return null
  let leftMs = (amount / perHour) * 60 * MINUTE_MS
  for (let day = 0; day < LONGEST_DAYS; day++) {
    const { opens, closes } = openOn(new Date(startOfDay(now).getTime() + day * DAY_MS), hours) ?? { opens: null, closes: null }
    if (!opens || !closes) continue
    const from = Math.max(opens.getTime(), now.getTime())
    const openMs = closes.getTime() - from
    if (openMs <= 0) continue
    if (leftMs <= openMs) return new Date(from + leftMs)
    leftMs -= openMs
  }
  return null
}
