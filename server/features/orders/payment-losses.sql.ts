import type { Tx } from '../../platform/db.ts'

export type PaymentOfOrder = { reference: string; holdReason: string | null; lossPesewas: number }

/**
 * Locks the card payment or top-up of an order, or the disputed payment whose money has paid for it; null for any other. Returns why its orders are on hold, and how much of what paid for them went back to
 * the payer and is not yet compensated. The surcharge of a top-up paid for no order, so no refund makes it good.
 */
export async function lockPaymentOfOrder(tx: Tx, orderId: string, paidBy: string | null): Promise<PaymentOfOrder | null> {
  const { rows } = await tx.query<PaymentOfOrder>(
    `select reference, hold_reason as "holdReason", case when purpose = 'top-up'
       then greatest(0, loss_pesewas - greatest(0, returned_pesewas - topped_up_pesewas)) else loss_pesewas end as "lossPesewas"
     from payments where reference = coalesce($2, (select payment_reference from disputed_orders where order_id = $1)) for update`,
    [orderId, paidBy],
  )
  return rows[0] ?? null
}

/** Compensates a part of a payment's loss; what the payment caused follows. */
export async function reduceLoss(tx: Tx, reference: string, pesewas: number, now: Date) {
  await tx.query('select change_loss($1, 0, -$2::bigint, $3)', [reference, pesewas, now])
}
