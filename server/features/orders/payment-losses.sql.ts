import type { Tx } from '../../platform/db.ts'

/**
 * Locks the card payment of an order. Returns why its orders are on hold, and how much went back to the payer and is not yet
 * compensated.
 */
export async function lockPaymentOfOrder(tx: Tx, reference: string): Promise<{ holdReason: string | null; lossPesewas: number }> {
  const { rows } = await tx.query<{ holdReason: string | null; lossPesewas: number }>(
    'select hold_reason as "holdReason", loss_pesewas as "lossPesewas" from payments where reference = $1 for update',
    [reference],
  )
  return rows[0] ?? { holdReason: null, lossPesewas: 0 }
}

export async function reduceLoss(tx: Tx, reference: string, pesewas: number) {
  await tx.query('update payments set loss_pesewas = loss_pesewas - $2 where reference = $1', [reference, pesewas])
}
