import type { OrderProgress } from '../../../shared/orders.ts'
import { type Ctx, requireActor } from '../../platform/context.ts'
import type { Queryable } from '../../platform/db.ts'
import { NotFound } from '../../platform/errors.ts'
import { selectDeliveryTimes, selectUsualTimes, type UsualTimes } from './delivery-times.sql.ts'
import { type OrderRow, selectOrder, selectOrderByReference, selectOrderIds } from './orders.sql.ts'
import { expectedOf, stepsOf } from './present.ts'

/** Older orders say little about today, and a handful says little at all. */
const RECENT_MS = 30 * 24 * 60 * 60 * 1000
const FEWEST_ORDERS = 20

/** @throws NotFound when no order has that `_id` or number. */
export async function findOrderId(ctx: Ctx, named: string): Promise<string> {
  const id = (await selectOrderIds(ctx.db, [named])).get(named)
  if (id === undefined) throw new NotFound('order')
  return id
}

/**
 * An order that the caller may see: their own, or any for an admin.
 * @throws NotFound, also for someone else's.
 */
export async function findVisibleOrder(ctx: Ctx, named: string): Promise<OrderRow> {
  const actor = requireActor(ctx)
  const order = await selectOrder(ctx.db, await findOrderId(ctx, named))
  if (!order || (order.userId !== actor.id && actor.level !== 'Admin')) throw new NotFound('order')
  return order
}

/** What has happened to an order, and while it is pending, how long its network's orders take. */
export async function readProgress(ctx: Ctx, order: OrderRow): Promise<OrderProgress> {
  const times = await selectDeliveryTimes(ctx.db, order.id)
  const steps = stepsOf(order, times)
  const isOnItsWay = steps.at(-1)?.at === null
  return { steps, expected: isOnItsWay ? expectedOf(order, await readUsualTimes(ctx.db, order.network, ctx.now)) : null }
}

/** How long a network's recent orders took; null when there are too few to say. */
export async function readUsualTimes(db: Queryable, network: string, now: Date): Promise<UsualTimes | null> {
  const { orders, ...times } = await selectUsualTimes(db, network, new Date(now.getTime() - RECENT_MS))
  return orders < FEWEST_ORDERS ? null : times
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
