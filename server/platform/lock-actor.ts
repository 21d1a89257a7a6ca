import { rolesFor, type StaffRole, type WantedRole } from '../../shared/staff-rules.ts'
import type { UserLevel } from '../../shared/users.ts'
import { type Actor, type Ctx, requireActor } from './context.ts'
import type { Tx } from './db.ts'
import { Forbidden, PasswordNeeded, SecondFactorNeeded, Unauthenticated } from './errors.ts'

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
 * @throws SecondFactorNeeded where money moves (whatever asks for `finance` does) and the actor has not set up the code that the
 * shop's rules ask for.
 */
export async function requireStaff(
  tx: Tx,
  ctx: Pick<Ctx, 'actor' | 'now'>,
  wanted: WantedRole,
  { movesMoney = wanted === 'finance' } = {},
): Promise<Actor> {
  const actor = requireActor(ctx)
  const { rows } = await tx.query<{ role: StaffRole; lacksCode: boolean }>({
    name: 'require-staff',
    text: `select r.role, coalesce((select second_factor_required from staff_rules), false)
          and not exists (select from second_factors f where f.user_id = u.id and f.confirmed_at is not null) as "lacksCode"
      from sessions s join users u on u.id = s.user_id join staff_roles r on r.user_id = u.id
      where s.token_hash = $1 and s.expires_at > $2 and u.id = $3 and u.status = 'Active' and u.level = 'Admin' and r.role = any ($4)
      for share of u, r for key share of s`,
    values: [actor.sessionHash, ctx.now, actor.id, rolesFor(wanted)],
  })
  if (movesMoney && rows[0]?.lacksCode) throw new SecondFactorNeeded()
  if (rows.length > 0) return { ...actor, level: 'Admin', roles: rows.map(({ role }) => role) }
  await lockActor(tx, ctx)
  throw new Forbidden()
}

const FRESH_MS = 5 * 60_000

/**
 * For what a stranger at an open screen must not do: the actor has given their password in this session within five minutes, by
 * signing in or by `POST /user/me/confirm-password`. Call it after `requireStaff` or `lockActor`, in the same transaction.
 * The browser asks and repeats the request (`web/lib/admin/with-password.ts`).
 * @throws PasswordNeeded
 */
export async function requirePassword(tx: Tx, ctx: Pick<Ctx, 'actor' | 'now'>): Promise<void> {
  const { rowCount } = await tx.query('select from sessions where token_hash = $1 and coalesce(password_at, created_at) >= $2', [
    requireActor(ctx).sessionHash,
    new Date(ctx.now.getTime() - FRESH_MS),
  ])
  if (rowCount === 0) throw new PasswordNeeded()
}
