import { type Ctx, requireActor } from '../../platform/context.ts'
import { NotFound } from '../../platform/errors.ts'
import { type OrderRow, selectOrderByReference, selectOrderIds } from './orders.sql.ts'

/** @throws NotFound when no order has that `_id` or number. */
export async function findOrderId(ctx: Ctx, named: string): Promise<string> {
  const id = (await selectOrderIds(ctx.db, [named])).get(named)
  if (id === undefined) throw new NotFound('order')
  return id
}

/**
 * The caller's own order with this reference.
 * @throws NotFound, also for someone else's.
 */
export async function findOwnOrder(ctx: Ctx, reference: string): Promise<OrderRow> {
  const actor = requireActor(ctx)
  const order = await selectOrderByReference(ctx.db, reference)
  if (order?.userId !== actor.id) throw new NotFound('order')
  return order
}
