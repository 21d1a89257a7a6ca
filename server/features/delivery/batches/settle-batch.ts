import type { SettleBatchRequest } from '../../../../shared/batches.ts'
import type { Decision } from '../../../../shared/orders.ts'
import { hasRole } from '../../../../shared/staff-rules.ts'
import { recordAdminAction } from '../../../platform/audit.ts'
import { type Ctx, requireActor } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { AppError, Forbidden, NotFound, Unauthenticated } from '../../../platform/errors.ts'
import { requireStaff } from '../../../platform/lock-actor.ts'
import { decideOrder } from '../../orders/orders/decide-order.ts'
import { OwnGain } from '../../people/second-factor/refuse-own-gain.ts'
import { type BatchRow, lockOrders, releaseLocked, selectBatch, selectBatchOrders } from './batches.sql.ts'
import type { Refused } from './create-batch.ts'
import { announceBatched } from './events.ts'

/**
 * Completes, refunds and releases orders of a batch, each in its own transaction, so that one that cannot be does not stop the
 * others. What has ended that way before is not refused, so the same request may be repeated.
 * @throws NotFound, and Unauthenticated or Forbidden when the admin loses their rights meanwhile; what was done by then stays.
 */
export async function settleBatch(ctx: Ctx, number: number, request: SettleBatchRequest): Promise<Refused[]> {
  requireActor(ctx)
  const batch = await selectBatch(ctx.db, number)
  if (!batch) throw new NotFound('batch')
  const { completed = [], rejected = [], released = [] } = request
  const refused: Refused[] = []
  const decisions: { id: string; status: Decision; reason?: string }[] = [
    ...completed.map((id) => ({ id, status: 'completed' as const })),
    ...rejected.map(({ id, reason }) => ({ id, status: 'rejected' as const, reason })),
  ]
  for (const { id, status, reason } of decisions) {
    try {
      await decideOrder(ctx, { orderId: id, status, batchId: batch.id, refundReason: reason, oneOfMany: status === 'rejected' })
    } catch (error) {
      const isAboutAsker = error instanceof Unauthenticated || (error instanceof Forbidden && !(error instanceof OwnGain))
      if (!(error instanceof AppError) || isAboutAsker) throw error
      refused.push({ id, message: error.message })
    }
  }
  if (released.length > 0) await release(ctx, batch, released)
  const orders = await selectBatchOrders(ctx.db, batch.id)
  const ended = new Map(orders.map(({ orderId, status }) => [orderId, status]))
  const wanted = new Map([...decisions.map(({ id, status }) => [id, status] as const), ...released.map((id) => [id, 'released'] as const)])
  await announceBatched(
    ctx,
    orders.filter(({ orderId }) => wanted.get(orderId) === 'released').map(({ seq }) => seq),
  )
  return [
    ...refused.filter(({ id }) => ended.get(id) !== wanted.get(id)),
    ...released.filter((id) => ended.get(id) !== 'released').map((id) => ({ id, message: whyNotReleased(ended.get(id)) })),
  ]
}

/** Whoever sends what another has batched may send it a second time, so only its maker or an owner gives it back. */
async function release(ctx: Ctx, { id, number, madeBy, madeById }: BatchRow, orders: string[]) {
  await transaction(ctx.db, async (tx) => {
    const admin = await requireStaff(tx, ctx, 'orders')
    if (admin.id !== madeById && !hasRole(admin, 'owner'))
      throw new Forbidden(`Only ${madeBy} or an owner can release what is in Batch ${number}.`)
    await lockOrders(tx, orders)
    const released = await releaseLocked(tx, id, orders, { by: admin.id, now: ctx.now })
    if (released.length === 0) return
    await recordAdminAction(tx, ctx, {
      action: 'batch.release',
      subject: { type: 'batch', id: String(number) },
      after: { orders: released.length },
    })
  })
}

function whyNotReleased(status: string | undefined): string {
  return status === undefined ? 'That order is not in this batch.' : `That order is already ${status}.`
}
