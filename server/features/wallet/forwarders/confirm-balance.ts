import type { WalletNetwork } from '../../../../shared/forwarders.ts'
import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { NotFound } from '../../../platform/errors.ts'
import { requirePassword, requireStaff } from '../../../platform/lock-actor.ts'
import { lockForwarder } from './forwarders.sql.ts'
import { followBack, proveMovements, settleBalances } from './settle-balances.ts'
import { selectBalance, selectWaitingMovements, updateConfirmed, updateMovementsLeftOut } from './wallets.sql.ts'

/**
 * Takes the owner's word for what a wallet on the phone holds, in pesewas. Messages that lead to that balance are proven, and those
 * that follow from it; what fits neither proves nothing any more, and its payments wait for a person. Returns how many were proven.
 * @throws NotFound, PasswordNeeded
 */
export function confirmBalance(ctx: Ctx, id: string, network: WalletNetwork, pesewas: number): Promise<number> {
  return transaction(ctx.db, async (tx) => {
    const owner = await requireStaff(tx, ctx, 'owner', { movesMoney: true })
    const forwarder = await lockForwarder(tx, id)
    if (!forwarder) throw new NotFound('phone')
    await requirePassword(tx, ctx)
    const before = await selectBalance(tx, id, network)
    if (!(await updateConfirmed(tx, { forwarderId: id, network, pesewas, by: owner.id, now: ctx.now }))) throw new NotFound('wallet')
    const led = followBack(await selectWaitingMovements(tx, id, network), pesewas)
    await proveMovements(tx, ctx, forwarder, led)
    const followed = await settleBalances(tx, ctx, forwarder, network)
    await updateMovementsLeftOut(tx, id, network, ctx.now)
    await recordAdminAction(tx, ctx, {
      action: 'forwarder.balance',
      subject: { type: 'forwarder', id: forwarder.name },
      before: { network, balancePesewas: before },
      after: { network, balancePesewas: pesewas },
    })
    return led.length + followed
  })
}
