import type { InvariantState, ReconciliationReply } from '../../../../shared/reconciliation.ts'
import type { Invariant } from '../../../ledger/invariants/invariant.ts'
import { concernOf, INVARIANTS } from '../../../ledger/invariants/invariants.ts'
import type { Ctx } from '../../../platform/context.ts'
import { type Known, selectKnown, selectPause } from './reconciliation.sql.ts'
import { findLastRehearsal } from './rehearsals.sql.ts'

/** The last result of every invariant, whether purchases are paused, and which backup was restored last. */
export async function readReconciliation(ctx: Ctx): Promise<ReconciliationReply> {
  const [checks, pause, rehearsal] = await Promise.all([selectKnown(ctx.db), selectPause(ctx.db), findLastRehearsal(ctx.db)])
  const known = new Map(checks.map((check) => [check.invariant, check]))
  return {
    invariants: INVARIANTS.map((invariant) => present(invariant, known.get(invariant.id))),
    pause: pause && { pausedAt: pause.pausedAt.toISOString(), found: pause.found },
    lastRehearsal: rehearsal && {
      at: rehearsal.at.toISOString(),
      restoredTo: rehearsal.restoredTo.toISOString(),
      source: rehearsal.source,
      orders: rehearsal.orders,
      entries: rehearsal.entries,
      tookSeconds: rehearsal.tookMs === null ? null : Math.ceil(rehearsal.tookMs / 1_000),
    },
  }
}

function present({ id, title, counts }: Invariant, known: Known | undefined): InvariantState {
  return {
    id,
    title,
    what: counts.what,
    status: !known || known.problem !== null ? 'unchecked' : known.found.length > 0 ? 'broken' : 'holds',
    checkedAt: known?.checkedAt.toISOString() ?? null,
    wholeAt: known?.wholeAt?.toISOString() ?? null,
    rows: known?.wholeRows ?? 0,
    found: (known?.found ?? []).map((violation) => ({ ...violation, concerns: concernOf(violation.rule) })),
    problem: known?.problem ?? null,
  }
}
