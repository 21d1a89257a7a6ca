import { setTimeout as wait } from 'node:timers/promises'
import { randomFrom } from '../test/random.ts'
import { slowness } from '../test/slowness.ts'
import { describeWaits, noteWaitsIn, type Waits } from '../test/waits.ts'
import { type Belongings, noteBelongingsIn, removeBelongings } from './leftovers.ts'
import type { Shops, ShopsOptions } from './shops.ts'

/**
 * One experiment. It counts only if it fails on a broken shop, so `guards.test.ts` leaves out the protection against the
 * failure and shows that the experiment notices.
 */
export type Experiment = {
  id: string
  /** What must hold, as the table shows it. */
  expects: string
  runs: { fast: number; full: number }
  /** How long it may take on a quiet machine before it is stopped; by default `DEADLINE_MS`. */
  deadlineMs?: { fast: number; full: number }
  /** It opens shops of its own and waits more than it works, so it may run at the same time as others like it. */
  beside?: boolean
  /** Why it cannot run here; null when it can. */
  unavailable?: (tier: Tier) => string | null | Promise<string | null>
  go(trial: Trial): Promise<void>
}

export type Tier = 'fast' | 'full'

const MINUTE_MS = 60_000
const DEADLINE_MS = { fast: 10 * MINUTE_MS, full: 120 * MINUTE_MS }
const LOOK_EVERY_MS = 2_000

export type Trial = {
  id: string
  tier: Tier
  /** The number of runs wanted. */
  runs: number
  seed: number
  /** After this many minutes the sequences of Q1 and Q2 end and report how many there were. */
  minutes: number | undefined
  random: () => number
  /** Two processes of the shop on one database, with the simulators; opened when first needed. */
  shops(): Promise<Shops>
  /** Counts finished runs. */
  did(runs?: number): void
  /** Options for experiments that open shops of their own: without a guard, when that is tried. */
  opening: ShopsOptions
  /** Reports a violation, in one sentence. */
  wrong(what: string): void
  /** Reports a violation unless `found` equals `expected`; returns whether it does. */
  same(what: string, found: unknown, expected: unknown): boolean
  /** Reports a violation when `tookMs` exceeds `limitMs`, which a busy machine stretches. */
  within(what: string, tookMs: number, limitMs: number): void
  /** Reports progress, with --verbose. */
  progress(text: string): void
  /** Adds a figure to the result. */
  note(text: string): void
  /** Calls `once` for each run; an error is a violation and does not end the experiment. */
  repeat(once: (run: number) => Promise<void>): Promise<void>
}

export type Result = {
  id: string
  expects: string
  runs: number
  violations: string[]
  notes: string[]
  notRun: string | null
  /** It was stopped at its deadline: what it shared with others may be in any state. */
  gaveUp: boolean
  seed: number
  tookMs: number
  /** Seconds of one core; null when unknown. */
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
    deadlineMs = experiment.deadlineMs?.[tier] ?? DEADLINE_MS[tier],
  }: {
    opening?: ShopsOptions
    deadlineMs?: number
    tier: Tier
    seed: number
    runs?: number | undefined
    minutes?: number | undefined
    shops: () => Promise<Shops>
    progress: (text: string) => void
  },
): Promise<Result> {
  const { id, expects } = experiment
  const result: Result = {
    id,
    expects,
    runs: 0,
    violations: [],
    notes: [],
    notRun: null,
    gaveUp: false,
    seed,
    tookMs: 0,
    cpuSeconds: null,
    tier,
  }
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
    within(what, tookMs, limitMs) {
      if (tookMs <= limitMs) return
      const times = slowness()
      if (tookMs > limitMs * times)
        result.violations.push(
          `${what} took ${tookMs.toFixed(0)} ms, not ${limitMs.toFixed(0)} (machine ${times.toFixed(1)} times slower than quiet)`,
        )
      else result.notes.push(`${what} took ${tookMs.toFixed(0)} ms on a machine ${times.toFixed(1)} times slower than quiet`)
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
  const waits: Waits = new Set()
  const belongings: Belongings = { children: new Set(), folders: new Set() }
  const over = new AbortController()
  const going = noteWaitsIn(waits, () => noteBelongingsIn(belongings, () => experiment.go(trial))).then(
    () => {
      if (result.runs === 0) trial.wrong('nothing was run')
    },
    (error: unknown) => trial.wrong(`it ended early: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`),
  )
  const isOver = await Promise.race([going.then(() => true), passes(deadlineMs, over.signal).then(() => false)])
  over.abort()
  result.tookMs = performance.now() - startedAt
  if (isOver) return result
  // What still runs after this writes into a result that is ignored.
  const kept = structuredClone(result)
  kept.gaveUp = true
  const waitedFor = describeWaits(waits).slice(0, 10)
  kept.violations.push(
    `it did not end within ${(deadlineMs / 1000).toFixed(0)} s of a quiet machine and was given up; it was waiting for: ${waitedFor.join('; ') || 'nothing that has a name'}`,
  )
  await removeBelongings(belongings)
  return kept
}

/** Resolves after this much time of a quiet machine: where work takes three times as long, a third of the time counts. */
async function passes(ms: number, signal: AbortSignal): Promise<void> {
  let left = ms
  while (left > 0) {
    const since = performance.now()
    await wait(Math.min(left, LOOK_EVERY_MS), undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return
    left -= (performance.now() - since) / slowness()
  }
}

function cut(text: string | undefined): string {
  return text === undefined ? 'nothing' : text.length > 300 ? `${text.slice(0, 300)}…` : text
}

function hashOf(text: string): number {
  return [...text].reduce((sum, letter) => Math.imul(sum, 31) + letter.charCodeAt(0), 7)
}
