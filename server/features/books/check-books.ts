import { checkInvariant, knowsNewer, type Reached, readReached } from '../../ledger/invariants/check-invariant.ts'
import type { Invariant } from '../../ledger/invariants/invariant.ts'
import { INVARIANTS } from '../../ledger/invariants/invariants.ts'
import type { Ctx } from '../../platform/context.ts'
import { isDatabaseAway } from '../../platform/db.ts'
import { deleteOldChecks, insertCheck, type Known, selectKnown } from './books.sql.ts'
import { pausePurchases } from './pause-purchases.ts'
import { sealLedger } from './seal-ledger.ts'

export const CHECK_QUEUE = 'check-books'
/** Of the job that an admin asks for; that which goes on by itself has another. */
export const ASKED_KEY = 'asked'

/** With `askedAt`, all rows of every invariant that have not been looked at since. */
export type CheckJob = { askedAt?: string }

const SECOND_MS = 1_000
const DAY_MS = 86_400 * SECOND_MS
/** Well above the longest that a transaction of the shop may take, by the pool's own limits. */
export const SETTLED_AFTER_MS = 120 * SECOND_MS
/** What takes no longer than this is looked at whole in every run. */
const CHEAP_MS = 250
/** Beyond that, all rows are looked at again after so many times what it took: the fifteen together take a twentieth of a core. */
const REST_FACTOR = 300
/** What was broken, or did not get through, is looked at again sooner. */
const SHORT_REST_FACTOR = 10
const MOST_FOR_ONE_MS = 60 * SECOND_MS
const KEEP_PER_RULE = 20

/**
 * Proves the invariants: the rows since the last proof in every run, and all rows as often as that is cheap, so at
 * once in a small shop and every few minutes in one of a million orders. Whatever is wrong is written down and stops purchases.
 * Replies false when `workMs` were used up, or the process is to end, before all was looked at; another run then goes on.
 */
export async function checkBooks(
  ctx: Ctx,
  { askedAt }: CheckJob,
  { workMs, isStopping = () => false }: { workMs: number; isStopping?: () => boolean },
): Promise<boolean> {
  const startedAt = performance.now()
  const known = new Map(
    (await selectKnown(ctx.db, { settledBefore: before(ctx.now, SETTLED_AFTER_MS) })).map((each) => [each.invariant, each]),
  )
  const reached = await readReached(ctx.db)
  const longestAgo = INVARIANTS.toSorted((one, other) => lastTried(known.get(one.id)) - lastTried(known.get(other.id)))
  let isWell = true
  for (const invariant of longestAgo) {
    if (isStopping() || performance.now() - startedAt > workMs) return false
    const last = known.get(invariant.id)
    const since = isWholeDue(last, ctx.now, askedAt) ? null : newerThan(invariant, last)
    const holds = since === undefined ? last?.found.length === 0 : await checkOne(ctx, invariant, since, reached)
    isWell &&= holds
  }
  await deleteOldChecks(ctx.db, { goodBefore: before(ctx.now, DAY_MS), badBefore: before(ctx.now, 90 * DAY_MS) })
  const settled = known.get('I1')?.fineUpTo
  if (isWell && settled) await sealLedger(ctx, settled.entries)
  return true
}

function isWholeDue(last: Known | undefined, now: Date, askedAt: string | undefined): boolean {
  if (!last?.triedAt) return true
  if (askedAt !== undefined && last.triedAt.getTime() < Date.parse(askedAt)) return true
  const isFine = last.found.length === 0 && last.problem === null && last.wholeAt?.getTime() === last.triedAt.getTime()
  const restMs = last.triedTookMs <= CHEAP_MS ? 0 : last.triedTookMs * (isFine ? REST_FACTOR : SHORT_REST_FACTOR)
  return now.getTime() - last.triedAt.getTime() >= restMs
}

/** From where on to look at the newer rows; nothing where they say nothing, as where older ones were not fine. */
function newerThan(invariant: Invariant, last: Known | undefined): Reached | undefined {
  return knowsNewer(invariant) && last?.found.length === 0 ? (last.fineUpTo ?? undefined) : undefined
}

function lastTried(known: Known | undefined): number {
  return known?.triedAt?.getTime() ?? 0
}

async function checkOne(ctx: Ctx, invariant: Invariant, since: Reached | null, reached: Reached): Promise<boolean> {
  const startedAt = performance.now()
  const check = { invariant: invariant.id, whole: since === null, beganAt: ctx.now, reached }
  const tookMs = () => Math.ceil(performance.now() - startedAt)
  try {
    const { rows, found } = await checkInvariant(ctx.db, invariant, { since, timeoutMs: MOST_FOR_ONE_MS })
    const shown = invariant.rules.flatMap(({ says }) => found.filter(({ rule }) => rule === says).slice(0, KEEP_PER_RULE))
    await insertCheck(ctx.db, { ...check, tookMs: tookMs(), rows, found: shown, problem: null })
    if (shown.length > 0)
      await pausePurchases(
        ctx,
        shown.map((violation) => ({ invariant: invariant.id, ...violation })),
      )
    return shown.length === 0
  } catch (error) {
    if (isDatabaseAway(error)) throw error
    ctx.log.error({ err: error, invariant: invariant.id }, 'an invariant could not be checked')
    const problem = error instanceof Error ? error.message : String(error)
    await insertCheck(ctx.db, { ...check, tookMs: tookMs(), rows: 0, found: [], problem })
    return false
  }
}

function before(now: Date, ms: number): Date {
  return new Date(now.getTime() - ms)
}
