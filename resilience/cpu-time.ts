import { readFileSync } from 'node:fs'
import { listProcesses } from './leftovers.ts'

const LOOK_EVERY_MS = 500
/** The kernel counts in hundredths of a second. */
const TICKS_A_SECOND = 100

export type CpuMeter = {
  /** Seconds of one core that this run, its programs and its databases have used since the last time it was asked. */
  lap(): number | null
  total(): number | null
  stop(): void
}

/** On a busy machine elapsed time says little; processor time shows what an experiment costs. Linux only. */
export function openCpuMeter(): CpuMeter {
  if (process.platform !== 'linux') return { lap: () => null, total: () => null, stop: () => undefined }
  const used = new Map<number, number>()
  const look = () => {
    for (const pid of listProcesses()) {
      const ticks = readTicks(pid)
      if (ticks !== null) used.set(pid, ticks)
    }
  }
  const timer = setInterval(look, LOOK_EVERY_MS).unref()
  let before = 0
  const total = () => {
    look()
    return [...used.values()].reduce((sum, ticks) => sum + ticks, 0) / TICKS_A_SECOND
  }
  return {
    lap() {
      const now = total()
      const lap = now - before
      before = now
      return lap
    },
    total,
    stop: () => clearInterval(timer),
  }
}

/** What a process has used by itself: what its children used is counted by looking at them. */
function readTicks(pid: number): number | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')
    return Number(fields[11]) + Number(fields[12])
  } catch {
    return null
  }
}
