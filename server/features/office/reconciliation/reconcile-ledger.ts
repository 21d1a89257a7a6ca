import { setTimeout as sleep } from 'node:timers/promises'
import {
  checkInvariant,
  isSettled,
  knowsNewer,
  type Reached,
  type Reading,
  readNewest,
  type Violation,
} from '../../../ledger/invariants/check-invariant.ts'
import type { Invariant } from '../../../ledger/invariants/invariant.ts'
import { concernOf, INVARIANTS } from '../../../ledger/invariants/invariants.ts'
import { raiseAlarm } from '../../../platform/alarms.ts'
import type { Ctx } from '../../../platform/context.ts'
import { type Db, isDatabaseAway } from '../../../platform/db.ts'
import { ALL_ROWS_QUEUE, type AllRowsJob, allRowsJob, type CheckJob } from '../../../platform/queues.ts'
import { extendHashChain } from './extend-hash-chain.ts'
import { pausePurchases } from './pause-purchases.ts'
import { deleteOldChecks, insertCheck, type Known, type NewCheck, nameOf, selectKnown, selectSettled } from './reconciliation.sql.ts'

const SECOND_MS = 1_000
const DAY_MS = 86_400 * SECOND_MS
/** Well above the longest possible transaction, by the pool's own limits. */
export const SETTLED_AFTER_MS = 120 * SECOND_MS
/** An invariant checked within this time is checked in full on every run. */
const CHEAP_MS = 250
/** Slower ones wait this many times their duration before the next full check: all fifteen together use a twentieth of a core. */
const REST_FACTOR = 300
/** A shorter wait after a violation or a check that did not finish. */
const SHORT_REST_FACTOR = 10
const MOST_FOR_ONE_MS = 60 * SECOND_MS
/** A check of all rows that takes longer than this is a job of its own, so that new rows are still checked meanwhile. */
const SLOW_MS = 5 * SECOND_MS
/** With so many journal entries the first check of all rows counts as slow, since nobody knows how long it takes. */
const MANY_ENTRIES = 500_000
/** The books of ten million orders take up to three minutes for one invariant (docs/scaling.md). */
const MOST_FOR_ALL_ROWS_MS = 3_600 * SECOND_MS
const KEEP_PER_RULE = 20
const SETTLE_LOOKS = 10
const SETTLE_EVERY_MS = 50

/**
 * Checks the invariants: new rows on every run, and all rows as often as is cheap (always in a small shop, every few minutes
 * with a million orders); where that is slow, `checkAllRows` does it. Violations are stored; wrong money pauses purchases,
 * disagreeing records raise an alarm. The hash chain is extended in any case. Returns false when `workMs` ran out or the
 * process is stopping before everything was checked; the next run continues.
 */
export async function reconcileLedger(
  ctx: Ctx,
  { askedAt }: CheckJob,
  { workMs, signal }: { workMs: number; signal?: AbortSignal },
): Promise<boolean> {
  const startedAt = performance.now()
  const known = new Map((await selectKnown(ctx.db)).map((each) => [each.invariant, each]))
  const newest = await readNewest(ctx.db)
  const settledBefore = await selectSettled(ctx.db, { readBefore: before(ctx.now, SETTLED_AFTER_MS) })
  // Extend the chain even while something is wrong: unchained entries could be changed without a trace.
  if (settledBefore) await extendHashChain(ctx, settledBefore.entries)
  const settled = settledBefore ?? ((await settlesSoon(ctx.db, newest)) ? newest : null)
  const longestAgo = INVARIANTS.toSorted((one, other) => lastTried(known.get(one.id)) - lastTried(known.get(other.id)))
  for (const invariant of longestAgo) {
    if (signal?.aborted || performance.now() - startedAt > workMs) return false
    const last = known.get(invariant.id)
    let since = isWholeDue(last, ctx.now, askedAt) || lostTrack(invariant, last, settled) ? null : newerThan(invariant, last)
    if (since === null && isSlow(last, newest)) {
      await ctx.jobs.enqueue(ctx.db, ALL_ROWS_QUEUE, [allRowsJob(invariant.id, askedAt)])
      since = newerThan(invariant, last)
    }
    if (since !== undefined) {
      await checkOne(ctx, invariant, {
        since,
        reached: { ...newest, settled },
        knownBefore: last?.found ?? [],
        timeoutMs: MOST_FOR_ONE_MS,
        signal,
      })
    }
  }
  await deleteOldChecks(ctx.db, { goodBefore: before(ctx.now, DAY_MS), badBefore: before(ctx.now, 90 * DAY_MS) })
  return true
}

/**
 * Checks all rows of one invariant, for as long as an hour, unless that is no longer due. Once `signal` is aborted the
 * check ends without a result, and the next run of `reconcileLedger` asks for it again.
 */
export async function checkAllRows(
  ctx: Ctx,
  { invariant: id, askedAt }: AllRowsJob,
  { signal }: { signal?: AbortSignal } = {},
): Promise<void> {
  const invariant = INVARIANTS.find((each) => each.id === id)
  if (!invariant || signal?.aborted) return
  const last = (await selectKnown(ctx.db)).find((known) => known.invariant === id)
  const newest = await readNewest(ctx.db)
  const settled = await selectSettled(ctx.db, { readBefore: before(ctx.now, SETTLED_AFTER_MS) })
  if (!isWholeDue(last, ctx.now, askedAt) && !lostTrack(invariant, last, settled)) return
  const reached = { ...newest, settled }
  await checkOne(ctx, invariant, { since: null, reached, knownBefore: last?.found ?? [], timeoutMs: MOST_FOR_ALL_ROWS_MS, signal })
}

function isSlow(last: Known | undefined, { entries }: Reading): boolean {
  return last?.triedAt ? last.triedTookMs > SLOW_MS : entries >= MANY_ENTRIES
}

function isWholeDue(last: Known | undefined, now: Date, askedAt: string | undefined): boolean {
  if (!last?.triedAt) return true
  if (askedAt !== undefined && last.triedAt.getTime() < Date.parse(askedAt)) return true
  const isFine = last.found.length === 0 && last.problem === null && last.wholeAt?.getTime() === last.triedAt.getTime()
  const waitMs = last.triedTookMs <= CHEAP_MS ? 0 : last.triedTookMs * (isFine ? REST_FACTOR : SHORT_REST_FACTOR)
  const sinceMs = now.getTime() - last.triedAt.getTime()
  // Since a clock that was set back, the last one lies in the future.
  return sinceMs < 0 || sinceMs >= waitMs
}

/** Checking only new rows requires that an earlier check has covered everything before them. */
function lostTrack(invariant: Invariant, last: Known | undefined, settled: Reached | null): boolean {
  return knowsNewer(invariant) && last?.found.length === 0 && last.fineUpTo === null && settled !== null
}

/** For the first check, which has no earlier reading: transactions under way mostly end within moments. */
async function settlesSoon(db: Db, newest: Reading): Promise<boolean> {
  for (let left = SETTLE_LOOKS; left > 0; left--) {
    if (await isSettled(db, newest)) return true
    await sleep(SETTLE_EVERY_MS)
  }
  return false
}

/** Where to start checking newer rows; undefined when a full check is needed because older rows were not fine. */
function newerThan(invariant: Invariant, last: Known | undefined): Reached | undefined {
  return knowsNewer(invariant) && last?.found.length === 0 ? (last.fineUpTo ?? undefined) : undefined
}

function lastTried(known: Known | undefined): number {
  return known?.triedAt?.getTime() ?? 0
}

type How = {
  since: Reached | null
  reached: NewCheck['reached']
  knownBefore: Violation[]
  timeoutMs: number
  signal: AbortSignal | undefined
}

async function checkOne(ctx: Ctx, invariant: Invariant, { since, reached, knownBefore, timeoutMs, signal }: How) {
  const startedAt = performance.now()
  const check = { invariant: invariant.id, whole: since === null, beganAt: ctx.now, reached }
  const tookMs = () => Math.ceil(performance.now() - startedAt)
  try {
    const { rows, found } = await checkInvariant(ctx.db, invariant, { since, timeoutMs, signal })
    const shown = invariant.rules.flatMap(({ says }) => found.filter(({ rule }) => rule === says).slice(0, KEEP_PER_RULE))
    alarmOfRecords(ctx, invariant, shown, knownBefore)
    await insertCheck(ctx.db, { ...check, tookMs: tookMs(), rows, found: shown, problem: null })
    const wrongMoney = shown.filter(({ rule }) => concernOf(rule) === 'money')
    if (wrongMoney.length > 0)
      await pausePurchases(
        ctx,
        wrongMoney.map((violation) => ({ invariant: invariant.id, ...violation })),
      )
  } catch (error) {
    if (signal?.aborted) return
    if (isDatabaseAway(error)) throw error
    ctx.log.error({ err: error, invariant: invariant.id }, 'an invariant could not be checked')
    const problem = error instanceof Error ? error.message : String(error)
    await insertCheck(ctx.db, { ...check, tookMs: tookMs(), rows: 0, found: [], problem })
  }
}

/** Raises an alarm once per disagreeing record, for those the previous check did not find. Selling goes on. */
function alarmOfRecords(ctx: Ctx, invariant: Invariant, found: Violation[], knownBefore: Violation[]) {
  const isKnown = new Set(knownBefore.map(nameOf))
  const fresh = found.filter((violation) => concernOf(violation.rule) === 'records' && !isKnown.has(nameOf(violation)))
  if (fresh.length === 0) return
  raiseAlarm(ctx.log, 'records-disagree', { found: fresh.map((violation) => ({ invariant: invariant.id, ...violation })) })
}

function before(now: Date, ms: number): Date {
  return new Date(now.getTime() - ms)
}
