import type { UserLevel, UserStatus } from '../../shared/users.ts'
import type { Db } from './db.ts'
import { Unauthenticated } from './errors.ts'
import type { JobQueue } from './job-queue.ts'
import type { Log } from './log.ts'
import type { Realtime } from './realtime.ts'

/** Who is asking, as the session's row says at this moment. */
export type Actor = {
  id: string
  username: string
  email: string
  phone: string
  level: UserLevel
  status: UserStatus
  createdAt: Date
  sessionHash: Buffer
}

/** What every write and read is given: the database, the asker, the time, and a way to announce what was done. */
export type Ctx = {
  db: Db
  actor: Actor | null
  now: Date
  ip: string | null
  realtime: Realtime
  jobs: JobQueue
  log: Log
}

/** Who asks, as authenticated: for reads. A write looks again, in its own transaction (`lock-actor.ts`). */
export function requireActor(ctx: Pick<Ctx, 'actor'>): Actor {
  if (!ctx.actor) throw new Unauthenticated()
  return ctx.actor
}
