const DAY_MS = 24 * 3_600_000
/** Profit becomes free at nine in the morning; Ghana's time is UTC. */
const FREE_AT_MS = 9 * 3_600_000

const startOfDay = (at: number) => Math.floor(at / DAY_MS) * DAY_MS

/** Profit released since this time still rests. With no nights, nothing does. */
export function chooseHeldSince(now: Date, nights: number): Date {
  if (nights === 0) return new Date(8.64e15)
  return new Date(startOfDay(now.getTime() - FREE_AT_MS) - (nights - 1) * DAY_MS)
}

/** When profit that was released at a time becomes free. */
export function chooseFreeAt(releasedAt: Date, nights: number): Date {
  return new Date(startOfDay(releasedAt.getTime()) + nights * DAY_MS + FREE_AT_MS)
}
