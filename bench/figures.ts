import { execFileSync } from 'node:child_process'
import { cpus, loadavg, totalmem } from 'node:os'

/** One claim and what was measured of it. `value` and `target` are in `unit`, which is empty for a ratio. */
export type Figure = {
  id: string
  name: string
  keep: 'at most' | 'at least'
  target: number
  value: number
  unit: string
  /** What the value alone does not say, such as its spread. */
  note?: string
}

export function isMet({ keep, target, value }: Figure): boolean {
  return keep === 'at most' ? value <= target : value >= target
}

/** A number as people write it: three figures, thousands apart. */
export function formatValue(value: number, unit: string): string {
  const digits = Math.abs(value) >= 100 || Number.isInteger(value) ? 0 : Math.abs(value) >= 10 ? 1 : 2
  const text = value.toLocaleString('en-GB', { minimumFractionDigits: digits, maximumFractionDigits: digits })
  return unit === '%' ? `${text} %` : unit === '' ? text : `${text} ${unit}`
}

/** What the figures were measured on. */
export function describeMachine() {
  const [first] = cpus()
  return {
    processor: first?.model.trim() ?? process.arch,
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    platform: process.platform,
  }
}

/** The commit that was measured, `-dirty` when files differ from it. */
export function describeCommit(): string {
  try {
    return execFileSync('git', ['describe', '--always', '--dirty'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return 'unknown'
  }
}

/** How many processes wanted a core, on average over the last minute. */
export function currentLoad(): number {
  return Math.round((loadavg()[0] ?? 0) * 10) / 10
}
