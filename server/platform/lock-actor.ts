import { rolesFor, type StaffRole, type WantedRole } from '../../shared/staff-rules.ts'
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
 * Like `lockActor`, for staff with one of the roles wanted. The roles are locked as well, so that taking one away either waits
 * or is seen. Writes that change levels, roles or statuses lock all admins first (`lockActiveAdmins`): two that share-locked
 * themselves and then wanted all admins would deadlock.
 * The reply's `roles` are those of the wanted ones, and `owner`, that the actor has.
 * @throws Unauthenticated as above; Forbidden without such a role.
 */
export async function requireStaff(tx: Tx, ctx: Pick<Ctx, 'actor' | 'now'>, wanted: WantedRole): Promise<Actor> {
  const actor = requireActor(ctx)
  const { rows } = await tx.query<{ role: StaffRole }>({
    name: 'require-staff',
    text: `select r.role from sessions s join users u on u.id = s.user_id join staff_roles r on r.user_id = u.id
      where s.token_hash = $1 and s.expires_at > $2 and u.id = $3 and u.status = 'Active' and u.level = 'Admin' and r.role = any ($4)
      for share of u, r for key share of s`,
    values: [actor.sessionHash, ctx.now, actor.id, rolesFor(wanted)],
  })
  if (rows.length > 0) return { ...actor, level: 'Admin', roles: rows.map(({ role }) => role) }
  await lockActor(tx, ctx)
  throw new Forbidden()
}
