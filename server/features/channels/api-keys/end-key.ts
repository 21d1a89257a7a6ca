import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { NotFound } from '../../../platform/errors.ts'
import { lockActor } from '../../../platform/lock-actor.ts'
import { type KeyRow, updateKeyEnded } from './api-keys.sql.ts'

/**
 * Ends one of the caller's keys. A purchase under way with it is finished first; the next one is refused.
 * @throws NotFound
 */
export function endKey(ctx: Ctx, id: string): Promise<KeyRow> {
  return transaction(ctx.db, async (tx) => {
    const { id: userId } = await lockActor(tx, ctx)
    const key = await updateKeyEnded(tx, { id, userId, now: ctx.now })
    if (!key) throw new NotFound('key')
    return key
  })
}
