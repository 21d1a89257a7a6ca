import type { Ctx } from '../../../platform/context.ts'
import { selectEndedSessions } from './sessions.sql.ts'

/**
 * Closes the sockets of sessions that expired or were ended directly in the database, such as by the tool that resets a
 * locked-out admin.
 */
export async function closeEndedSessions({ db, realtime, now }: Pick<Ctx, 'db' | 'realtime' | 'now'>): Promise<void> {
  const open = realtime.sessions()
  if (open.length === 0) return
  for (const ended of await selectEndedSessions(db, open, now)) realtime.disconnectSession(ended)
}
