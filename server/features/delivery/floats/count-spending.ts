/** What a float held at a time: pesewas, or messages. */
export type Reading = { amount: number; readAt: Date }

/** `topUps` is what came in, `spent` what went out. */
export type Spending = { opening: number; topUps: number; spent: number }

/**
 * What came in and went out between readings, oldest first: a rise is a top-up, a fall was spent. Null with fewer than two readings.
 * What is topped up and spent between the same two readings cancels out.
 */
export function countSpending(readings: readonly Reading[]): Spending | null {
  const [first, ...rest] = readings
  if (!first || rest.length === 0) return null
  let before = first.amount
  let [topUps, spent] = [0, 0]
  for (const { amount } of rest) {
    if (amount > before) topUps += amount - before
    else spent += before - amount
    before = amount
  }
  return { opening: first.amount, topUps, spent }
}

const FEWEST_READINGS = 3
const SHORTEST_MS = 30 * 60_000

/** Spent in an hour since `since`; null with fewer than three readings or less than half an hour between the first and the last. */
export function countHourlyRate(readings: readonly Reading[], since: Date): number | null {
  const recent = readings.filter(({ readAt }) => readAt >= since)
  const [first, last] = [recent[0], recent.at(-1)]
  if (!first || !last || recent.length < FEWEST_READINGS) return null
  const ms = last.readAt.getTime() - first.readAt.getTime()
  if (ms < SHORTEST_MS) return null
  return ((countSpending(recent)?.spent ?? 0) * HOUR_MS) / ms
}

const HOUR_MS = 3_600_000
