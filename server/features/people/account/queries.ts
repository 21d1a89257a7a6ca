import type { OwnAccount } from '../../../../shared/account.ts'
import { type Ctx, requireActor } from '../../../platform/context.ts'
import { countRecoveryCodes, isSecondFactorRequired, selectSecondFactor } from '../second-factor/second-factor.sql.ts'
import { countKeysOfUser } from '../sessions/keys-of-user.sql.ts'
import { selectSessionsOfUser, sessionIdOf } from '../sessions/sessions.sql.ts'
import { presentSelf } from '../users/present.ts'
import { readSelf } from '../users/queries.ts'

/** The caller's own details, sessions and code. */
export async function readAccount(ctx: Ctx): Promise<OwnAccount> {
  const actor = requireActor(ctx)
  const [user, sessions, workingKeys] = await Promise.all([
    readSelf(ctx.db, actor.id),
    selectSessionsOfUser(ctx.db, actor.id, ctx.now),
    countKeysOfUser(ctx.db, actor.id, ctx.now),
  ])
  const current = sessionIdOf(actor.sessionHash)
  return {
    user: presentSelf(user, actor.roles),
    sessions: sessions.map(({ id, device, createdAt, lastUsedAt }) => ({
      _id: id,
      device,
      startedAt: createdAt.toISOString(),
      lastUsedAt: lastUsedAt.toISOString(),
      current: id === current,
    })),
    secondFactor: actor.level === 'Admin' ? await readSecondFactor(ctx, actor.id) : null,
    workingKeys,
  }
}

async function readSecondFactor(ctx: Ctx, userId: string) {
  const [factor, codesLeft, required] = await Promise.all([
    selectSecondFactor(ctx.db, userId),
    countRecoveryCodes(ctx.db, userId),
    isSecondFactorRequired(ctx.db),
  ])
  return { since: factor?.confirmedAt?.toISOString() ?? null, codesLeft, required }
}
