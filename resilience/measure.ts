import { readFileSync } from 'node:fs'

/** The p-th part of the values, sorted: 0.5 is the median. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}

export function count<T>(values: readonly T[], isCounted: (value: T) => boolean): number {
  return values.filter(isCounted).length
}

/** Calls `work` for each value, at most `atOnce` at a time, and keeps the order of results. */
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

/** A process's resident memory in megabytes; 0 when it cannot be read. */
export function residentMb(pid: number): number {
  if (process.platform !== 'linux') return 0
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}
