import type { Ctx } from '../../platform/context.ts'
import { selectEndedSessions } from './sessions.sql.ts'

/**
 * Closes the sockets of sessions that ended without a word to this process: they ran out, or their end was written into
 * the database by hand or by a tool, such as the one that gives a locked-out admin a new password.
 */
export async function closeEndedSessions({ db, realtime, now }: Pick<Ctx, 'db' | 'realtime' | 'now'>): Promise<void> {
  const open = realtime.sessions()
  if (open.length === 0) return
  for (const ended of await selectEndedSessions(db, open, now)) realtime.disconnectSession(ended)
}
