import type { CardGateway } from '../../../integrations/payments/card-gateway.ts'
import { type Ctx, requireActor } from '../../../platform/context.ts'
import { NotFound } from '../../../platform/errors.ts'
import { selectJobIdByKey } from '../../orders/bulk/bulk.sql.ts'
import { keyOfPayment } from '../../orders/bulk/place-bulk.ts'
import { selectOrdersOfPayment } from '../../orders/orders/orders.sql.ts'
import { selectUser, type UserRow } from '../../people/users/users.sql.ts'
import { checkPayment } from './check-payment.ts'
import { explainPayment } from './explain-payment.ts'
import { selectPayment } from './payments.sql.ts'
import type { Confirmation } from './present.ts'

/**
 * The status of the caller's own card payment; queries the provider if it is still open.
 * @throws NotFound
 */
export async function confirmPayment(ctx: Ctx, gateway: CardGateway, reference: string): Promise<Confirmation> {
  const actor = requireActor(ctx)
  const known = await selectPayment(ctx.db, reference)
  if (known?.userId !== actor.id) throw new NotFound('payment')
  const payment = await checkPayment(ctx, gateway, reference)
  const isPaid = payment.status === 'paid'
  // The orders of a list are read with the list.
  const list = isPaid && payment.listLines !== null ? await selectJobIdByKey(ctx.db, actor.id, keyOfPayment(reference)) : null
  const orders = isPaid && payment.listLines === null ? await selectOrdersOfPayment(ctx.db, reference) : []
  return { payment, message: explainPayment(payment), list, orders, user: (await selectUser(ctx.db, actor.id)) as UserRow }
}
