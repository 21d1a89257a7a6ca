import type { SaveGroupRequest } from '../../../../shared/bulk.ts'
import type { Ctx } from '../../../platform/context.ts'
import { brokenConstraint, transaction } from '../../../platform/db.ts'
import { NotFound, Taken } from '../../../platform/errors.ts'
import { takePinProof } from '../../people/transaction-pin/take-pin-proof.ts'
import { type GroupRow, insertGroup, updateGroup } from './groups.sql.ts'
import { lockAgent } from './place-bulk.ts'
import { hasSchedule } from './schedules.sql.ts'

/**
 * Keeps a list under a name, or changes the one with this id.
 * @throws Forbidden for a customer; PinRequired for a group that is scheduled; Taken when another group has the name; NotFound; the database's refusal (CONFLICT) beyond the caller's
 * share of groups.
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
    return insertGroup(tx, saved)
  }).catch((error: unknown) => {
    throw brokenConstraint(error) === 'bulk_groups_name' ? new Taken('name', 'You have a group with this name already.') : error
  })
}
