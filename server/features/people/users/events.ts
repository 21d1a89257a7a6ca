import { SEES_WALLETS } from '../../../../shared/staff-rules.ts'
import type { Ctx } from '../../../platform/context.ts'
import { presentUser } from './present.ts'
import { selectUser, type UserRow } from './users.sql.ts'

/** Announces a user's state to their own devices and the staff who see wallets. */
export function announceUser(ctx: Ctx, row: UserRow) {
  const user = presentUser(row)
  ctx.realtime.announce({ user: row.id }, 'CurrUserUpdated', user)
  ctx.realtime.announce({ staff: SEES_WALLETS }, 'userUpdated', user)
}

/** The same for a caller without the row; nothing for a guest, who has no account. Failure is only logged: clients catch up later. */
export async function announceUserById(ctx: Ctx, userId: string | null) {
  if (userId === null) return
  try {
    const row = await selectUser(ctx.db, userId)
    if (row) announceUser(ctx, row)
  } catch (error) {
    ctx.log.warn({ err: error, userId }, 'a change of a user was not announced')
  }
}
