import type { UserLevel } from '../../shared/users.ts'
import { type Actor, type Ctx, requireActor } from './context.ts'
import type { Tx } from './db.ts'
import { Forbidden, Unauthenticated } from './errors.ts'

/**
 * The actor's current rights, with session and user locked until the transaction ends: a ban, demotion or sign-out either
 * waits for this write or is seen by it. The first statement of every write made by a person.
 * @throws Unauthenticated when the session has ended since authentication, or the user was banned.
 */
export async function lockActor(tx: Tx, ctx: Pick<Ctx, 'actor' | 'now'>): Promise<Actor> {
  const actor = requireActor(ctx)
  // Lock the user before the session, in the same order as a ban.
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
 * Like `lockActor`, for admins only. Writes that change levels or statuses lock all admins first (`lockActiveAdmins`): two
 * that share-locked themselves and then wanted all admins would deadlock.
 * @throws Unauthenticated as above; Forbidden when the actor is not an admin.
 */
export async function requireAdmin(tx: Tx, ctx: Pick<Ctx, 'actor' | 'now'>): Promise<Actor> {
  const actor = await lockActor(tx, ctx)
  if (actor.level !== 'Admin') throw new Forbidden()
  return actor
}
