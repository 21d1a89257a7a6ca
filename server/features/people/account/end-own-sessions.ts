import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { AppError, NotFound } from '../../../platform/errors.ts'
import { lockActor } from '../../../platform/lock-actor.ts'
import { deleteOtherSessions, deleteSessionById, sessionIdOf } from '../sessions/sessions.sql.ts'

/**
 * Ends one of one's own other sessions, or all others, and closes their sockets.
 * @throws NotFound, 409 for the session that asks.
 */
export async function endOwnSessions(ctx: Ctx, sessionId: string | null): Promise<void> {
  const ended = await transaction(ctx.db, async (tx) => {
    const actor = await lockActor(tx, ctx)
    if (sessionId === null) return deleteOtherSessions(tx, actor.id, actor.sessionHash)
    if (sessionId === sessionIdOf(actor.sessionHash)) throw new AppError('CONFLICT', 'That is this browser. Log out instead.')
    const session = await deleteSessionById(tx, actor.id, sessionId)
    if (!session) throw new NotFound('session')
    return [session.tokenHash]
  })
  for (const hash of ended) ctx.realtime.disconnectSession(hash)
}
