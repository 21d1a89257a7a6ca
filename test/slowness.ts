import { availableParallelism, loadavg } from 'node:os'

/** CPU time of one measurement: long enough to be interrupted on a busy machine. */
const SPIN_MS = 20

/**
 * How many times slower than on a quiet machine work takes here and now; 1 at least. The larger of two readings: the
 * wall time that a moment of CPU time takes, and the runnable tasks per core of the last minute.
 */
export function slowness(): number {
  const now = performance.now()
  if (now - last.at > READ_AGAIN_AFTER_MS)
    last = { at: now, times: Math.max(1, (loadavg()[0] ?? 0) / availableParallelism(), stretchOfASpin()) }
  return last.times
}

const READ_AGAIN_AFTER_MS = 500
let last = { at: Number.NEGATIVE_INFINITY, times: 1 }

/** A limit for a quiet machine, in whole ms, stretched by how busy this one is. Read it after what it judges. */
export function allow(limitMs: number): number {
  return Math.ceil(limitMs * slowness())
}

function stretchOfASpin(): number {
  const startedAt = performance.now()
  const before = process.cpuUsage()
  let usedMs = 0
  while (usedMs < SPIN_MS) {
    const { user, system } = process.cpuUsage(before)
    usedMs = (user + system) / 1000
  }
  return (performance.now() - startedAt) / usedMs
}
