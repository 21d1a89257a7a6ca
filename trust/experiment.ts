import { randomFrom } from './measure.ts'
import type { Shops, ShopsOptions } from './shops.ts'

/**
 * One experiment of reliability.md. It counts only if it fails on a broken build: `guards.ts` takes the guards of the
 * core ones out and shows that they do.
 */
export type Experiment = {
  id: string
  /** What must be so, as the table shows it. */
  expects: string
  runs: { fast: number; full: number }
  /** It has shops of its own and waits more than it works, so it may run beside others of its kind. */
  beside?: boolean
  /** Why it cannot run here; null when it can. */
  unavailable?: (tier: Tier) => string | null | Promise<string | null>
  go(trial: Trial): Promise<void>
}

export type Tier = 'fast' | 'full'

export type Trial = {
  id: string
  tier: Tier
  /** How many runs are asked for. */
  runs: number
  seed: number
  /** After so many minutes the sequences end, however many are left; they say how many they were. */
  minutes: number | undefined
  random: () => number
  /** Two processes of the shop on one database, and the outside world; opened by whoever needs it first. */
  shops(): Promise<Shops>
  /** Says that so many runs are over. */
  did(runs?: number): void
  /** How an experiment that opens shops of its own must open them: with a guard taken out, when that is tried. */
  opening: ShopsOptions
  /** Says what went wrong, in one sentence. */
  wrong(what: string): void
  /** Says it when `found` is not `expected`; replies whether it is. */
  same(what: string, found: unknown, expected: unknown): boolean
  /** Says where a long experiment is, with --verbose. */
  progress(text: string): void
  /** A figure that belongs beside the result. */
  note(text: string): void
  /** Runs `once` as often as is asked for; whatever it throws is a violation, not the end. */
  repeat(once: (run: number) => Promise<void>): Promise<void>
}

export type Result = {
  id: string
  expects: string
  runs: number
  violations: string[]
  notes: string[]
  notRun: string | null
  seed: number
  tookMs: number
  /** Seconds of one core; null where that cannot be told. */
  cpuSeconds: number | null
  tier: Tier
}

export async function runExperiment(
  experiment: Experiment,
  {
    tier,
    seed,
    runs,
    minutes,
    shops,
    progress,
    opening = {},
  }: {
    opening?: ShopsOptions
    tier: Tier
    seed: number
    runs?: number | undefined
    minutes?: number | undefined
    shops: () => Promise<Shops>
    progress: (text: string) => void
  },
): Promise<Result> {
  const { id, expects } = experiment
  const result: Result = { id, expects, runs: 0, violations: [], notes: [], notRun: null, seed, tookMs: 0, cpuSeconds: null, tier }
  result.notRun = (await experiment.unavailable?.(tier)) ?? null
  if (result.notRun !== null) return result
  const startedAt = performance.now()
  const trial: Trial = {
    id,
    tier,
    runs: runs ?? experiment.runs[tier],
    seed,
    minutes,
    opening,
    random: randomFrom(seed ^ hashOf(id)),
    shops,
    did(count = 1) {
      result.runs += count
    },
    wrong(what) {
      result.violations.push(what)
    },
    same(what, found, expected) {
      const [left, right] = [JSON.stringify(found), JSON.stringify(expected)]
      if (left !== right) result.violations.push(`${what}: ${cut(left)}, not ${cut(right)}`)
      return left === right
    },
    progress: (text) => progress(`${id} ${text}`),
    note(text) {
      result.notes.push(text)
    },
    async repeat(once) {
      for (let run = 0; run < trial.runs; run++) {
        await once(run).catch((error: unknown) => trial.wrong(`run ${run + 1}: ${String(error)}`))
        trial.did()
      }
    },
  }
  try {
    await experiment.go(trial)
    if (result.runs === 0) trial.wrong('nothing was run')
  } catch (error) {
    trial.wrong(`it ended early: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
  }
  result.tookMs = performance.now() - startedAt
  return result
}

function cut(text: string | undefined): string {
  return text === undefined ? 'nothing' : text.length > 300 ? `${text.slice(0, 300)}…` : text
}

function hashOf(text: string): number {
  return [...text].reduce((sum, letter) => Math.imul(sum, 31) + letter.charCodeAt(0), 7)
}
