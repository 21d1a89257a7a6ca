import { raiseAlarm } from '../../platform/alarms.ts'
import type { Ctx } from '../../platform/context.ts'
import { transaction } from '../../platform/db.ts'
import { addToPause, type Finding, insertPause, lockPause, nameOf, selectLifted } from './reconciliation.sql.ts'

/**
 * Stops purchases because of what a check has found, and raises the alarm. What an admin has lifted already pauses no
 * more; what is new joins a pause that is on, so that whoever lifts it has seen all of it.
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
  if (fresh.length > 0) raiseAlarm(ctx.log, 'books-broken', { found: fresh })
}
