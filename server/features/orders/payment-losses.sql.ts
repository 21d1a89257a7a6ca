import type { Tx } from '../../platform/db.ts'

/**
 * Locks the card payment or top-up of an order. Returns why its orders are on hold, and how much of what paid for them went back to
 * the payer and is not yet compensated. The surcharge of a top-up paid for no order, so no refund makes it good.
 */
export async function lockPaymentOfOrder(tx: Tx, reference: string): Promise<{ holdReason: string | null; lossPesewas: number }> {
  const { rows } = await tx.query<{ holdReason: string | null; lossPesewas: number }>(
    `select hold_reason as "holdReason", case when purpose = 'top-up'
       then greatest(0, loss_pesewas - greatest(0, returned_pesewas - topped_up_pesewas)) else loss_pesewas end as "lossPesewas"
     from payments where reference = $1 for update`,
    [reference],
  )
  return rows[0] ?? { holdReason: null, lossPesewas: 0 }
}

/** Compensates a part of a payment's loss; what the payment caused follows. */
export async function reduceLoss(tx: Tx, reference: string, pesewas: number, now: Date) {
  await tx.query('select change_loss($1, 0, -$2::bigint, $3)', [reference, pesewas, now])
}
