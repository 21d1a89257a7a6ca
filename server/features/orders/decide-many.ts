import type { Decision } from '../../../shared/orders.ts'
import type { Ctx } from '../../platform/context.ts'
import { AppError } from '../../platform/errors.ts'
import { decideOrder } from './decide-order.ts'
import type { OrderRow } from './orders.sql.ts'

export type ManyDecided = { decided: OrderRow[]; refused: { id: string; message: string }[] }

/** Decides each order in a transaction of its own: one that somebody else has decided stops none of the others. */
export async function decideMany(ctx: Ctx, { ids, status }: { ids: string[]; status: Decision }): Promise<ManyDecided> {
  const result: ManyDecided = { decided: [], refused: [] }
  for (const orderId of new Set(ids)) {
    try {
      result.decided.push(await decideOrder(ctx, { orderId, status }))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      result.refused.push({ id: orderId, message: error.message })
    }
  }
  return result
}
