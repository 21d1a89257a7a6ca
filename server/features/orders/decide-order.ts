import type { Decision } from '../../../shared/orders.ts'
import { CARD_SURCHARGES, SALES } from '../../ledger/accounts.ts'
import { lockWalletOf, postTransfer } from '../../ledger/ledger.ts'
import { recordAdminAction } from '../../platform/audit.ts'
import { type Ctx, requireAdmin } from '../../platform/context.ts'
import { type Tx, transaction } from '../../platform/db.ts'
import { AlreadyDecided, AppError, Forbidden, NotFound } from '../../platform/errors.ts'
import { TELL_QUEUE, tellJob } from '../sms/sms-desk.ts'
import { cancelUnsent, isBeingSent } from '../supplier/deliveries.sql.ts'
import { announceUserById } from '../users/events.ts'
import { announceOrder } from './events.ts'
import { lockOrder, type OrderRow, subtractFromTotalPurchase, updateDecision } from './orders.sql.ts'

export const DECIDE_QUEUE = 'decide-order'

/** Completes or rejects a pending order, once. A rejected one gives back all that was paid for it. */
export async function decideOrder(ctx: Ctx, { orderId, status }: { orderId: string; status: Decision }): Promise<OrderRow> {
  requireAdmin(ctx)
  return decide(ctx, { orderId, status, note: '' })
}

/**
 * The same by the shop itself, where the operator's settings let what a supplier says of an order decide it. An order
 * that somebody has decided meanwhile stays as it was decided.
 */
export async function decideOrderAsSupplierSays(ctx: Ctx, { orderId, status }: { orderId: string; status: Decision }): Promise<void> {
  if (ctx.actor) throw new Forbidden()
  const note = status === 'completed' ? 'The supplier has delivered it.' : 'The supplier did not deliver it.'
  await decide(ctx, { orderId, status, note }).catch((error: unknown) => {
    if (!(error instanceof AlreadyDecided)) throw error
  })
}

async function decide(ctx: Ctx, { orderId, status, note }: { orderId: string; status: Decision; note: string }): Promise<OrderRow> {
  const order = await transaction(ctx.db, async (tx) => {
    const pending = await lockOrder(tx, orderId)
    if (!pending) throw new NotFound('order')
    if (pending.status !== 'pending') throw new AlreadyDecided('order', pending.status)
    if (status === 'rejected' && (await isBeingSent(tx, orderId))) throw new BeingSent()
    if (status === 'rejected') await refundOrder(tx, ctx, pending)
    await updateDecision(tx, orderId, { status, decidedAt: ctx.now, decidedBy: ctx.actor?.id ?? null })
    await cancelUnsent(tx, orderId, `the order was ${status} by hand`, ctx.now)
    if (status === 'completed') await ctx.jobs.enqueue(tx, TELL_QUEUE, [tellJob('completed', orderId)])
    await recordAdminAction(tx, ctx, {
      action: `order.${status}`,
      subject: { type: 'order', id: orderId },
      before: { status: 'pending' },
      after: { status },
      note,
    })
    return lockOrder(tx, orderId) as Promise<OrderRow>
  })
  announceOrder(ctx, order)
  if (status === 'rejected') await announceUserById(ctx, order.userId)
  return order
}

/** For the seconds that a call takes: whether the supplier takes it is not known, so the money cannot go back yet. */
class BeingSent extends AppError {
  constructor() {
    super(409, 'CONFLICT', 'That order is being sent to the supplier at this moment. Please try again in a minute.')
  }
}

async function refundOrder(tx: Tx, ctx: Ctx, order: OrderRow) {
  const wallet = await lockWalletOf(tx, order.userId)
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
