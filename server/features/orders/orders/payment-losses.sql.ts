import type { Tx } from '../../../platform/db.ts'

/** What paid for an order `o`: its payment or top-up, and the disputed payments whose money went into it. One may be null. */
const PAID_BY = `array_append(array(select h.payment_reference from disputed_orders h where h.order_id = o.id), coalesce(o.payment_reference, o.top_up_reference))`

/** Why an order `o` waits, null if it does not: one of what paid for it is on hold. */
export const HOLD_REASON = `(select max(p.hold_reason) from payments p where p.reference = any (${PAID_BY}))`

export type PaymentOfOrder = { reference: string; holdReason: string | null; lossPesewas: number }

/**
 * Locks what paid for an order: its card payment or top-up, and the disputed payments whose money went into it. Returns why their orders are on
 * hold, and how much of what paid for this one went back to the payer and is not yet compensated. The surcharge of a top-up paid for no order,
 * so no refund makes it good.
 */
export async function lockPaymentsOfOrder(tx: Tx, orderId: string): Promise<PaymentOfOrder[]> {
  const { rows } = await tx.query<PaymentOfOrder>(
    `select p.reference, p.hold_reason as "holdReason", least(case when p.purpose = 'top-up'
       then greatest(0, p.loss_pesewas - greatest(0, p.returned_pesewas - p.topped_up_pesewas)) else p.loss_pesewas end,
       case when p.reference is distinct from coalesce(o.payment_reference, o.top_up_reference)
         then (select h.pesewas from disputed_orders h where h.order_id = o.id and h.payment_reference = p.reference) end) as "lossPesewas"
     from orders o join payments p on p.reference = any (${PAID_BY}) where o.id = $1 order by p.reference for update of p`,
    [orderId],
  )
  return rows
}

/** Compensates a part of a payment's loss; what the payment caused follows. */
export async function reduceLoss(tx: Tx, reference: string, pesewas: number, now: Date) {
  await tx.query('select change_loss($1, 0, -$2::bigint, $3)', [reference, pesewas, now])
}
