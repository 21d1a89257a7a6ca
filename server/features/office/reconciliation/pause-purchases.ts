import { raiseAlarm } from '../../../platform/alarms.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { addToPause, type Finding, insertPause, lockPause, nameOf, selectLifted } from './reconciliation.sql.ts'

/**
 * Pauses purchases because of violations and raises an alarm. Violations that an admin has already lifted don't pause again;
 * new ones join an existing pause, so that the admin who lifts it has seen them all.
 */
export async function pausePurchases(ctx: Ctx, found: Finding[]): Promise<void> {
  const fresh = await transaction(ctx.db, async (tx) => {
    const pause = await lockPause(tx)
    const known = new Set([...(pause?.found ?? []), ...(await selectLifted(tx))].map(nameOf))
    const unknown = found.filter((finding) => !known.has(nameOf(finding)))
    if (unknown.length === 0) return []
    if (pause) await addToPause(tx, pause.id, unknown)
    else if (!(await insertPause(tx, unknown, ctx.now))) return []
    return unknown
  })
  if (fresh.length > 0) raiseAlarm(ctx.log, 'wrong-money', { found: fresh })
}
