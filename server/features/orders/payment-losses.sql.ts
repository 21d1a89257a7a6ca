import type { Tx } from '../../platform/db.ts'

/**
 * Why an order `o` waits, null if it does not: its payment or top-up is on hold, or the payment whose disputed money has paid for it. With a
 * top-up an order may be paid by both.
 */
export const HOLD_REASON = `(select max(p.hold_reason) from payments p where p.reference in (coalesce(o.payment_reference, o.top_up_reference),
  (select h.payment_reference from disputed_orders h where h.order_id = o.id)))`

export type PaymentOfOrder = { reference: string; holdReason: string | null; lossPesewas: number }

/**
 * Locks the card payment or top-up of an order and the disputed payment whose money has paid for it, as far as there are any. Returns why
 * their orders are on hold, and how much of what paid for them went back to the payer and is not yet compensated. The surcharge of a top-up
 * paid for no order, so no refund makes it good.
 */
export async function lockPaymentsOfOrder(tx: Tx, orderId: string, paidBy: string | null): Promise<PaymentOfOrder[]> {
  const { rows } = await tx.query<PaymentOfOrder>(
    `select reference, hold_reason as "holdReason", case when purpose = 'top-up'
       then greatest(0, loss_pesewas - greatest(0, returned_pesewas - topped_up_pesewas)) else loss_pesewas end as "lossPesewas"
     from payments where reference in ($2, (select payment_reference from disputed_orders where order_id = $1)) order by reference for update`,
    [orderId, paidBy],
  )
  return rows
}

/** Compensates a part of a payment's loss; what the payment caused follows. */
export async function reduceLoss(tx: Tx, reference: string, pesewas: number, now: Date) {
  await tx.query('select change_loss($1, 0, -$2::bigint, $3)', [reference, pesewas, now])
}
