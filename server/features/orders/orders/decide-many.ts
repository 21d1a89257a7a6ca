import type { DecideManyRequest } from '../../../../shared/orders.ts'
import type { Ctx } from '../../../platform/context.ts'
import { AppError, Forbidden, NotFound, Unauthenticated } from '../../../platform/errors.ts'
import { OwnGain } from '../../people/second-factor/refuse-own-gain.ts'
import { decideOrder } from './decide-order.ts'
import { type OrderRow, selectOrderIds } from './orders.sql.ts'

export type ManyDecided = { decided: OrderRow[]; refused: { id: string; message: string }[] }

/**
 * Decides each order in its own transaction, so that one already decided does not stop the others. Orders that need a look
 * at their supplier are refused unless chosen explicitly.
 * @throws Unauthenticated or Forbidden when the admin loses their rights meanwhile; decisions made by then stay.
 */
export async function decideMany(ctx: Ctx, { ids, status, chosen, refundReason }: DecideManyRequest): Promise<ManyDecided> {
  const known = await selectOrderIds(ctx.db, [...ids, ...(chosen?.orders.map(({ id }) => id) ?? [])])
  const seen = new Map(chosen?.orders.map(({ id, supplierStatus }) => [known.get(id), supplierStatus]))
  const result: ManyDecided = { decided: [], refused: [] }
  const named = new Map(ids.map((id) => [known.get(id) ?? id, id]))
  for (const [orderId, id] of named) {
    try {
      if (!known.has(id)) throw new NotFound('order')
      const supplierStatus = seen.get(orderId)
      const override = supplierStatus ? { supplierStatus, reason: chosen?.reason } : undefined
      result.decided.push(await decideOrder(ctx, { orderId, status, override, refundReason, oneOfMany: true }))
    } catch (error) {
      const isAboutAsker = error instanceof Unauthenticated || (error instanceof Forbidden && !(error instanceof OwnGain))
      if (!(error instanceof AppError) || isAboutAsker) throw error
      result.refused.push({ id, message: error.message })
    }
  }
  return result
}
