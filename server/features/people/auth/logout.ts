import { type Ctx, requireActor } from '../../../platform/context.ts'
import { deleteSession } from '../sessions/sessions.sql.ts'

/** Ends the current session and closes its sockets. */
export async function logout(ctx: Ctx): Promise<void> {
  const { sessionHash } = requireActor(ctx)
  await deleteSession(ctx.db, sessionHash)
  ctx.realtime.disconnectSession(sessionHash)
}
