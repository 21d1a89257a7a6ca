import { returnDueReservations } from '../../../ledger/ledger.ts'
import type { Ctx } from '../../../platform/context.ts'
import { announceUserById } from '../../people/users/events.ts'

/** Puts what was set aside and not used in time back into the wallets. Safe to run twice or concurrently. */
export async function releaseReservations(ctx: Ctx): Promise<void> {
  for (const userId of await returnDueReservations(ctx.db, ctx.now)) await announceUserById(ctx, userId)
}
