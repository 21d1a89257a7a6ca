import { type Ctx, requireActor } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { AlreadyDecided, NotFound } from '../../../platform/errors.ts'
import { lockActor } from '../../../platform/lock-actor.ts'
import { findAccount } from './earnings.sql.ts'
import { postReturned } from './post-withdrawal.ts'
import { lockWithdrawal, updateWithdrawal, type WithdrawalRow } from './withdrawals.sql.ts'

/**
 * Takes back an own withdrawal that waits for approval and was never sent.
 * @throws NotFound, also for somebody else's; AlreadyDecided
 */
export async function cancelWithdrawal(ctx: Ctx, id: string): Promise<WithdrawalRow> {
  const { id: userId } = requireActor(ctx)
  return transaction(ctx.db, async (tx) => {
    await lockActor(tx, ctx)
    const withdrawal = await lockWithdrawal(tx, id)
    if (withdrawal?.requestedBy !== userId) throw new NotFound('withdrawal')
    if (withdrawal.status !== 'approval' || withdrawal.sentAt !== null) throw new AlreadyDecided('withdrawal', 'on its way')
    await postReturned(tx, withdrawal, await findAccount(tx, withdrawal.shopId), { now: ctx.now, actorId: userId })
    const change = { status: 'cancelled', reason: 'You took it back.', endedAt: ctx.now } as const
    return (await updateWithdrawal(tx, withdrawal, change)) as WithdrawalRow
  })
}
