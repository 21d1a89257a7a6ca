const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** How long something has waited, as roughly as people say it: "less than a minute", "25 minutes", "3 hours", "2 days". */
export function waitingFor(since: string, now: Date): string {
  const ms = now.getTime() - new Date(since).getTime()
  if (!(ms >= MINUTE_MS)) return 'less than a minute'
  if (ms < HOUR_MS) return plural(Math.floor(ms / MINUTE_MS), 'minute')
  if (ms < DAY_MS) return plural(Math.floor(ms / HOUR_MS), 'hour')
  return plural(Math.floor(ms / DAY_MS), 'day')
}

function plural(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
