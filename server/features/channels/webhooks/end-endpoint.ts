import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { NotFound } from '../../../platform/errors.ts'
import { lockActor } from '../../../platform/lock-actor.ts'
import { type EndpointRow, lockEndpoint, updateEndpointEnded, updateWaitingDropped } from './webhooks.sql.ts'

/**
 * Nothing more is sent to this endpoint, also nothing that still waits.
 * @throws NotFound
 */
export function endEndpoint(ctx: Ctx, id: string): Promise<EndpointRow> {
  return transaction(ctx.db, async (tx) => {
    const { id: userId } = await lockActor(tx, ctx)
    if (!(await lockEndpoint(tx, { id, userId }))) throw new NotFound('webhook')
    const ended = await updateEndpointEnded(tx, id, ctx.now)
    await updateWaitingDropped(tx, id)
    return ended
  })
}
