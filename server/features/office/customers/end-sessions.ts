import { hasRole } from '../../../../shared/staff-rules.ts'
import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { AppError, Forbidden, NotFound } from '../../../platform/errors.ts'
import { requireStaff } from '../../../platform/lock-actor.ts'
import { deleteSessionById, deleteSessionsOfUser } from '../../people/sessions/sessions.sql.ts'
import { lockUser } from '../../people/users/users.sql.ts'

/**
 * Signs a customer out of one browser, or of all, and closes their sockets at once.
 * @throws NotFound, Forbidden for somebody who works here unless an owner asks, 409 for one's own sessions, which would end this one.
 */
export async function endSessions(ctx: Ctx, { userId, sessionId }: { userId: string; sessionId: string | null }): Promise<void> {
  const ended = await transaction(ctx.db, async (tx) => {
    const actor = await requireStaff(tx, ctx, 'support')
    if (actor.id === userId) throw new AppError('CONFLICT', 'These are your own sessions. Log out instead.')
    const user = await lockUser(tx, userId)
    if (!user) throw new NotFound('customer')
    if (user.level === 'Admin' && !hasRole(actor, 'owner')) throw new Forbidden('Only an owner can sign out somebody who works here.')
    const session = sessionId === null ? null : await deleteSessionById(tx, userId, sessionId)
    if (sessionId !== null && session === null) throw new NotFound('session')
    if (sessionId === null) await deleteSessionsOfUser(tx, userId)
    await recordAdminAction(tx, ctx, {
      action: sessionId === null ? 'customer.sessions-ended' : 'customer.session-ended',
      subject: { type: 'user', id: userId },
      note: session?.device ?? '',
    })
    return session
  })
  if (ended) ctx.realtime.disconnectSession(ended.tokenHash)
  else ctx.realtime.disconnectUser(userId)
}
