import { type Ctx, requireActor } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { NotFound } from '../../../platform/errors.ts'
import { lockActor } from '../../../platform/lock-actor.ts'
import { lockEarningsOf, selectIsKnownNumber } from './earnings.sql.ts'
import { insertRemoval, selectPayoutNumber } from './payout-numbers.sql.ts'

/**
 * Takes a number out of those that the caller's earnings go to without a person: confirmed or paid before, it counts as new from then on,
 * and no code confirms it again. What was asked for before stays as it is.
 * @throws NotFound without a shop, and for a number that it does not know.
 */
export async function deletePayoutNumber(ctx: Ctx, phone: string): Promise<void> {
  const { id: userId } = requireActor(ctx)
  await transaction(ctx.db, async (tx) => {
    await lockActor(tx, ctx)
    // Withdrawals of this shop wait here, so that none goes out by itself after the number is gone.
    const earnings = await lockEarningsOf(tx, userId)
    if (!earnings) throw new NotFound('shop')
    const place = { shopId: earnings.shopId, phone }
    const isKnown = (await selectPayoutNumber(tx, place)) !== null || (await selectIsKnownNumber(tx, place))
    if (!isKnown) throw new NotFound('number')
    await insertRemoval(tx, { ...place, userId, now: ctx.now })
  })
}
