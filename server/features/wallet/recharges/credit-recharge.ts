import { formatPesewas } from '../../../../shared/money.ts'
import { MOBILE_MONEY_RECEIVED } from '../../../ledger/accounts.ts'
import { lockWalletOf, postTransfer } from '../../../ledger/ledger.ts'
import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import type { Tx } from '../../../platform/db.ts'
import { type RechargeRow, updateRechargeDecision } from './recharges.sql.ts'

/** What came in, in pesewas, and by whom it was credited: null for the shop by itself. `memo` names the payment where it is known. */
type Credit = { amountPesewas: number; adminId: string | null; memo?: string; proposedBy?: string | null }

/**
 * Approves a locked, pending recharge and credits what came in, which may differ from what was asked for. Part of the caller's
 * transaction; returns the recharge and the balance after it, in pesewas.
 */
export async function creditRecharge(
  tx: Tx,
  ctx: Ctx,
  pending: RechargeRow,
  { amountPesewas, adminId, memo, proposedBy = null }: Credit,
): Promise<{ recharge: RechargeRow; balancePesewas: number }> {
  const wallet = await lockWalletOf(tx, pending.userId, ctx.now)
  const balancePesewas = wallet.balancePesewas + amountPesewas
  const asked = amountPesewas === pending.amountPesewas ? '' : `, asked for ${formatPesewas(pending.amountPesewas)}`
  await postTransfer(tx, {
    key: `recharge:${pending.id}`,
    kind: 'recharge',
    memo: `Recharge ${pending.rechargeId}${memo ? `, ${memo}` : ''}${asked}`,
    actorId: adminId,
    lines: [
      { accountId: wallet.accountId, amountPesewas },
      { accountId: MOBILE_MONEY_RECEIVED, amountPesewas: -amountPesewas },
    ],
    now: ctx.now,
  })
  await updateRechargeDecision(tx, pending.id, {
    status: 'approved',
    decidedAt: ctx.now,
    decidedBy: adminId,
    creditedPesewas: amountPesewas,
  })
  const recharge = { ...pending, status: 'approved' as const, creditedPesewas: amountPesewas }
  if (adminId === null) return { recharge, balancePesewas }
  await recordAdminAction(tx, ctx, {
    action: 'recharge.approve',
    subject: { type: 'recharge', id: pending.rechargeId },
    before: { status: 'pending', balancePesewas: wallet.balancePesewas },
    after: { status: 'approved', balancePesewas, ...(proposedBy !== null && { proposedBy }) },
    note: memo ? `${memo}${asked}` : '',
  })
  return { recharge, balancePesewas }
}
