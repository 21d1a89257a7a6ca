import { readFileSync } from 'node:fs'

/** A small generator (mulberry32), so that a seed repeats a run's choices. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export function pick<T>(values: readonly T[], random: () => number): T {
  return values[Math.floor(random() * values.length)] as T
}

export function shuffle<T>(values: readonly T[], random: () => number): T[] {
  return values
    .map((value) => ({ value, at: random() }))
    .sort((one, other) => one.at - other.at)
    .map(({ value }) => value)
}

/** The p-th part of the values, sorted: 0.5 is the median. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}

export function count<T>(values: readonly T[], isCounted: (value: T) => boolean): number {
  return values.filter(isCounted).length
}

/** Does `work` for each of many, at most so many at once, and keeps the order. */
export async function eachOf<T, R>(values: readonly T[], atOnce: number, work: (value: T, index: number) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  let next = 0
  await Promise.all(
    Array.from({ length: Math.min(atOnce, values.length) }, async () => {
      for (let index = next++; index < values.length; index = next++) results[index] = await work(values[index] as T, index)
    }),
  )
  return results
}

/** The memory that a process holds, in megabytes; 0 where that cannot be read. */
export function residentMb(pid: number): number {
  if (process.platform !== 'linux') return 0
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}
