import type { UserLevel } from '../../shared/users.ts'
import { type Actor, type Ctx, requireActor } from './context.ts'
import type { Tx } from './db.ts'
import { Forbidden, Unauthenticated } from './errors.ts'

/**
 * The asker as they stand at this moment, with the session and the user locked against change until the transaction
 * ends: a ban, a demotion or a sign-out either waits for this write or is seen by it. The first statement of every
 * write that a person asks for.
 * @throws Unauthenticated when the session has ended since the request was authenticated, or its user was banned.
 */
export async function lockActor(tx: Tx, ctx: Pick<Ctx, 'actor' | 'now'>): Promise<Actor> {
  const actor = requireActor(ctx)
  // The user before the session, in the order in which a ban changes them.
  const { rows } = await tx.query<{ level: UserLevel }>({
    name: 'lock-actor',
    text: `select u.level from sessions s join users u on u.id = s.user_id
      where s.token_hash = $1 and s.expires_at > $2 and u.id = $3 and u.status = 'Active'
      for share of u for key share of s`,
    values: [actor.sessionHash, ctx.now, actor.id],
  })
  if (!rows[0]) throw new Unauthenticated('Your session has ended. Please sign in again.')
  return { ...actor, level: rows[0].level }
}

/**
 * The same for a write that takes an admin. A write that changes levels or statuses locks all admins first
 * (`lockActiveAdmins`): two that held a share lock on themselves and then wanted all admins would deadlock.
 * @throws Unauthenticated as above; Forbidden when the asker is no admin (any more).
 */
export async function requireAdmin(tx: Tx, ctx: Pick<Ctx, 'actor' | 'now'>): Promise<Actor> {
  const actor = await lockActor(tx, ctx)
  if (actor.level !== 'Admin') throw new Forbidden()
  return actor
}
