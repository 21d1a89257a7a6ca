import type { Decision } from '../../../shared/orders.ts'
import { CARD_SURCHARGES, SALES } from '../../ledger/accounts.ts'
import { lockWallet, postTransfer } from '../../ledger/ledger.ts'
import { recordAdminAction } from '../../platform/audit.ts'
import { type Ctx, requireAdmin } from '../../platform/context.ts'
import { type Tx, transaction } from '../../platform/db.ts'
import { AlreadyDecided, NotFound } from '../../platform/errors.ts'
import { announceUserById } from '../users/events.ts'
import { announceOrder } from './events.ts'
import { lockOrder, type OrderRow, subtractFromTotalPurchase, updateDecision } from './orders.sql.ts'

/** Completes or rejects a pending order, once. A rejected one gives back all that was paid for it. */
export async function decideOrder(ctx: Ctx, { orderId, status }: { orderId: string; status: Decision }): Promise<OrderRow> {
  const admin = requireAdmin(ctx)
  const order = await transaction(ctx.db, async (tx) => {
    const pending = await lockOrder(tx, orderId)
    if (!pending) throw new NotFound('order')
    if (pending.status !== 'pending') throw new AlreadyDecided('order', pending.status)
    if (status === 'rejected') await refundOrder(tx, ctx, pending)
    await updateDecision(tx, orderId, { status, decidedAt: ctx.now, decidedBy: admin.id })
    await recordAdminAction(tx, ctx, {
      action: `order.${status}`,
      subject: { type: 'order', id: orderId },
      before: { status: 'pending' },
      after: { status },
    })
    return { ...pending, status, decidedAt: ctx.now }
  })
  announceOrder(ctx, order)
  if (status === 'rejected') await announceUserById(ctx, order.userId)
  return order
}

async function refundOrder(tx: Tx, ctx: Ctx, order: OrderRow) {
  const wallet = await lockWallet(tx, order.userId)
  if (!wallet) throw new Error(`the buyer of order ${order.id} has no wallet`)
  const { pricePesewas, surchargePesewas } = order
  await postTransfer(tx, {
    key: `order-refund:${order.id}`,
    kind: 'order-refund',
    memo: `Refund of ${order.network} ${order.offer} to ${order.receiver}`,
    actorId: ctx.actor?.id ?? null,
    lines: [
      { accountId: wallet.accountId, amountPesewas: pricePesewas + surchargePesewas },
      { accountId: SALES, amountPesewas: -pricePesewas },
      ...(surchargePesewas > 0 ? [{ accountId: CARD_SURCHARGES, amountPesewas: -surchargePesewas }] : []),
    ],
    now: ctx.now,
  })
  await subtractFromTotalPurchase(tx, order.userId, pricePesewas)
}
