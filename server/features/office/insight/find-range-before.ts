import { isoDay } from '../../../../shared/dates.ts'

const DAY_MS = 86_400_000

/** Days as YYYY-MM-DD, both included. */
export type Days = { from: string; to: string }

/**
 * The range that another is compared with: the month before a whole month, the same days of the week before for up to a week, and
 * otherwise as many days just before it.
 */
export function findRangeBefore({ from, to }: Days): Days {
  const [first, last] = [new Date(from), new Date(to)]
  const nextDay = new Date(last.getTime() + DAY_MS)
  if (from.endsWith('-01') && nextDay.getUTCDate() === 1 && first.getUTCMonth() === last.getUTCMonth()) {
    const before = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() - 1, 1))
    return { from: isoDay(before), to: isoDay(new Date(first.getTime() - DAY_MS)) }
  }
  const length = (last.getTime() - first.getTime()) / DAY_MS + 1
  const shift = Math.max(7, length) * DAY_MS
  return { from: isoDay(new Date(first.getTime() - shift)), to: isoDay(new Date(last.getTime() - shift)) }
}
