/** When a schedule runs: `day` (2026-11-22) of a single run; `weekday` 1 (Monday) to 7; `monthDay` 1 to 31; `time` as 08:00, in Ghana. */
export type RunTimes = {
  repeats: 'once' | 'weekly' | 'monthly'
  day: string | null
  weekday: number | null
  monthDay: number | null
  time: string
}

const DAY_MS = 86_400_000

/** The first run after this moment; null when there is none. Ghana keeps UTC all year. A shorter month runs on its last day. */
export function findNextRun({ repeats, day, weekday, monthDay, time }: RunTimes, after: Date): Date | null {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  const at = (midnight: number) => new Date(midnight + (hour * 60 + minute) * 60_000)
  const [year, month, date] = [after.getUTCFullYear(), after.getUTCMonth(), after.getUTCDate()]
  if (repeats === 'once') {
    const run = new Date(`${day}T${time}:00Z`)
    return run > after ? run : null
  }
  if (repeats === 'weekly') {
    const ahead = ((weekday ?? 1) - (after.getUTCDay() || 7) + 7) % 7
    const run = at(Date.UTC(year, month, date + ahead))
    return run > after ? run : new Date(run.getTime() + 7 * DAY_MS)
  }
  const inMonth = (ahead: number) => {
    const last = new Date(Date.UTC(year, month + ahead + 1, 0)).getUTCDate()
    return at(Date.UTC(year, month + ahead, Math.min(monthDay ?? 1, last)))
  }
  const run = inMonth(0)
  return run > after ? run : inMonth(1)
}
