import { MOBILE_MONEY_RECEIVED } from '../../ledger/accounts.ts'
import { lockWalletOf, postTransfer } from '../../ledger/ledger.ts'
import { recordAdminAction } from '../../platform/audit.ts'
import type { Ctx } from '../../platform/context.ts'
import { transaction } from '../../platform/db.ts'
import { AlreadyDecided, NotFound } from '../../platform/errors.ts'
import { requireStaff } from '../../platform/lock-actor.ts'
import { announceUserById } from '../users/events.ts'
import { announceRecharge } from './events.ts'
import { lockRecharge, type RechargeRow, updateRechargeDecision } from './recharges.sql.ts'

/**
 * Credits a pending recharge to the requester's wallet, once. Returns the new balance in pesewas.
 * @throws NotFound, AlreadyDecided
 */
export async function approveRecharge(ctx: Ctx, id: string): Promise<{ recharge: RechargeRow; balancePesewas: number }> {
  const approved = await transaction(ctx.db, async (tx) => {
    const admin = await requireStaff(tx, ctx, 'finance')
    const pending = await lockRecharge(tx, id)
    if (!pending) throw new NotFound('recharge')
    if (pending.status !== 'pending') throw new AlreadyDecided('recharge', pending.status)
    const wallet = await lockWalletOf(tx, pending.userId)
    await postTransfer(tx, {
      key: `recharge:${pending.id}`,
      kind: 'recharge',
      memo: `Recharge ${pending.rechargeId}`,
      actorId: admin.id,
      lines: [
        { accountId: wallet.accountId, amountPesewas: pending.amountPesewas },
        { accountId: MOBILE_MONEY_RECEIVED, amountPesewas: -pending.amountPesewas },
      ],
      now: ctx.now,
    })
    await updateRechargeDecision(tx, pending.id, { status: 'approved', decidedAt: ctx.now, decidedBy: admin.id })
    await recordAdminAction(tx, ctx, {
      action: 'recharge.approve',
      subject: { type: 'recharge', id: pending.rechargeId },
      before: { status: 'pending', balancePesewas: wallet.balancePesewas },
      after: { status: 'approved', balancePesewas: wallet.balancePesewas + pending.amountPesewas },
    })
    return {
      recharge: { ...pending, status: 'approved' as const },
      balancePesewas: wallet.balancePesewas + pending.amountPesewas,
    }
  })
  announceRecharge(ctx, approved.recharge)
  await announceUserById(ctx, approved.recharge.userId)
  return approved
}
