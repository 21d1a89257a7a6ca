import type { SaveGroupRequest } from '../../../shared/bulk.ts'
import { MAX_BULK_GROUPS } from '../../../shared/bulk-rules.ts'
import type { Ctx } from '../../platform/context.ts'
import { brokenConstraint, transaction } from '../../platform/db.ts'
import { AppError, NotFound, Taken } from '../../platform/errors.ts'
import { takePinProof } from '../transaction-pin/take-pin-proof.ts'
import { type GroupRow, insertGroup, updateGroup } from './groups.sql.ts'
import { lockAgent } from './place-bulk.ts'
import { hasSchedule } from './schedules.sql.ts'

/**
 * Keeps a list under a name, or changes the one with this id.
 * @throws Forbidden for a customer; PinRequired for a group that is scheduled; Taken when another group has the name; NotFound; AppError (CONFLICT) when the caller has as many groups
 * as one can.
 */
export function recordGroup(ctx: Ctx, id: string | null, group: SaveGroupRequest, pinProof?: string): Promise<Omit<GroupRow, 'lines'>> {
  return transaction(ctx.db, async (tx) => {
    const saved = { ...group, userId: await lockAgent(tx, ctx), now: ctx.now }
    if (id !== null) {
      // A schedule would spend from the wallet for other receivers.
      if (await hasSchedule(tx, id)) await takePinProof(tx, saved.userId, pinProof, ctx.now)
      const changed = await updateGroup(tx, id, saved)
      if (!changed) throw new NotFound('group')
      return changed
    }
    const made = await insertGroup(tx, saved, MAX_BULK_GROUPS)
    if (made) return made
    throw new AppError(
      'CONFLICT',
      `You can save at most ${MAX_BULK_GROUPS} groups. Delete one that you no longer need, then save this one.`,
    )
  }).catch((error: unknown) => {
    throw brokenConstraint(error) === 'bulk_groups_name' ? new Taken('name', 'You have a group with this name already.') : error
  })
}
