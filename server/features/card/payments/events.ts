import type { Ctx } from '../../../platform/context.ts'
import { selectJobIdByKey } from '../../orders/bulk/bulk.sql.ts'
import { announceBulkProgress } from '../../orders/bulk/events.ts'
import { keyOfPayment } from '../../orders/bulk/place-bulk.ts'
import { announceOrder } from '../../orders/orders/events.ts'
import { selectOrdersOfPayment } from '../../orders/orders/orders.sql.ts'
import { type PaymentRow, selectOwnPayment } from './payments.sql.ts'
import { presentOwnPayment } from './present.ts'

/** Announces a card payment's state to its payer. */
export async function announcePayment(ctx: Ctx, reference: string) {
  const payment = await selectOwnPayment(ctx.db, reference)
  if (payment && payment.userId !== null) ctx.realtime.announce({ user: payment.userId }, 'paymentUpdated', presentOwnPayment(payment))
}

/** Announces the orders of a payment, those of a list as one. */
export async function announceOrdersOf(ctx: Ctx, { reference, userId, listLines }: Pick<PaymentRow, 'reference' | 'userId' | 'listLines'>) {
  if (userId !== null && listLines !== null) {
    const jobId = await selectJobIdByKey(ctx.db, userId, keyOfPayment(reference))
    if (jobId !== null) announceBulkProgress(ctx, userId, jobId)
    return
  }
  for (const order of await selectOrdersOfPayment(ctx.db, reference)) announceOrder(ctx, order)
}
