import { type Ctx, requireActor } from '../../platform/context.ts'
import { brokenConstraint, transaction } from '../../platform/db.ts'
import { AppError, KeyReused, NotFound } from '../../platform/errors.ts'
import { lockActor } from '../../platform/lock-actor.ts'
import { claimOrderOfPayment, type OrderRow } from '../orders/orders.sql.ts'
import type { CardDesk } from './card-desk.ts'
import { checkPayment } from './check-payment.ts'
import { selectPayment } from './payments.sql.ts'

export type WantedOrder = { clientId: string; network: string; offer: string; receiver: string }

/**
 * The order that a verified card payment has bought, under the id that the browser gives it; null when the reference
 * names no card payment at all. Each order of the payment is given out once.
 * @throws NotFound for another user's payment, 402 while it is not paid, 409 when it bought something else,
 * KeyReused when another order of the user's has that id.
 */
export async function orderFromPayment(ctx: Ctx, desk: CardDesk, reference: string, wanted: WantedOrder): Promise<OrderRow | null> {
  const actor = requireActor(ctx)
  const known = await selectPayment(ctx.db, reference)
  if (!known) return null
  if (known.userId !== actor.id) throw new NotFound('payment')
  const payment = await checkPayment(ctx, desk, reference)
  if (payment.status !== 'paid') throw new AppError(402, 'UNPAID', 'The card payment has not gone through. No order was placed.')
  const order = await transaction(ctx.db, async (tx) => {
    await lockActor(tx, ctx)
    return claimOrderOfPayment(tx, reference, wanted)
  }).catch((error: unknown) => {
    throw brokenConstraint(error) === 'orders_client_id' ? new KeyReused() : error
  })
  if (!order) throw new AppError(409, 'CONFLICT', 'That card payment was for something else, or its order is placed already.')
  return order
}
