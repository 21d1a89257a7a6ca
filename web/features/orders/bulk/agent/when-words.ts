import type { BulkSchedule, ScheduleRequest } from '../../../../../shared/bulk.ts'
import { formatLongDate } from '../../../../../shared/dates.ts'
import { bulkTexts } from '../../../../texts/bulk.ts'

type When = Pick<ScheduleRequest, 'repeats' | 'day' | 'weekday' | 'monthDay' | 'time'>

/** "Every month, on the 1st at 08:00". */
export function whenWords({ repeats, day, weekday, monthDay, time }: When): string {
  if (repeats === 'monthly') return bulkTexts.everyMonth(ordinal(monthDay ?? 1), time)
  if (repeats === 'weekly') return bulkTexts.everyWeek(bulkTexts.weekdays[(weekday ?? 1) - 1] ?? '', time)
  return bulkTexts.onceAt(day ? formatLongDate(new Date(`${day}T00:00:00Z`)) : '', time)
}

/** "1 December at 08:00", in Ghana's time, which is UTC. */
export function nextWords({ nextAt, isPaused }: Pick<BulkSchedule, 'nextAt' | 'isPaused'>): string {
  if (isPaused) return bulkTexts.isPaused
  if (nextAt === null) return bulkTexts.hasEnded
  return bulkTexts.next(formatLongDate(new Date(nextAt)), nextAt.slice(11, 16))
}

export function ordinal(day: number): string {
  const isTeen = day >= 11 && day <= 13
  const ending = isTeen ? 'th' : (['th', 'st', 'nd', 'rd'][day % 10] ?? 'th')
  return `${day}${ending}`
}
