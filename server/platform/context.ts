import type { StaffRole } from '../../shared/staff-rules.ts'
import type { UserLevel, UserStatus } from '../../shared/users.ts'
import type { Db } from './db.ts'
import { Unauthenticated } from './errors.ts'
import type { JobQueue } from './job-queue.ts'
import type { Log } from './log.ts'
import type { Realtime } from './realtime.ts'

/** The signed-in user, as read from the database for this request. */
export type Actor = {
  id: string
  username: string
  email: string
  phone: string
  level: UserLevel
  status: UserStatus
  /** None for customers and agents. */
  roles: readonly StaffRole[]
  createdAt: Date
  sessionHash: Buffer
}

/** What every write and read receives: the database, the actor, the time, and realtime announcements. */
export type Ctx = {
  db: Db
  actor: Actor | null
  now: Date
  ip: string | null
  realtime: Realtime
  jobs: JobQueue
  log: Log
  /** Aborted once whoever asks has left. Jobs have none. */
  gone?: () => AbortSignal
}

/**
 * The authenticated actor, for reads. Writes check again inside their transaction (`lock-actor.ts`).
 * @throws Unauthenticated when nobody is signed in.
 */
export function requireActor(ctx: Pick<Ctx, 'actor'>): Actor {
  if (!ctx.actor) throw new Unauthenticated()
  return ctx.actor
}
