import type { Tx } from '../../platform/db.ts'

export type OwedRefund = {
  paymentReference: string
  /** Null when the payment bought nothing. */
  orderId: string | null
  phone: string
  amountPesewas: number
  reason: string
  now: Date
}

/** Notes money that goes back to a guest; the caller books it to `REFUNDS_PENDING` in the same transaction. */
export async function oweRefund(tx: Tx, { paymentReference, orderId, phone, amountPesewas, reason, now }: OwedRefund) {
  await tx.query('select owe_refund($1, $2, $3, $4, $5, $6)', [paymentReference, orderId, phone, amountPesewas, reason, now])
}

/** Ends the agent's part of an order of their shop; what was released before is for the caller to book, in the same transaction. */
export async function takeBackProfit(tx: Tx, orderId: string, now: Date): Promise<{ accountId: number; amountPesewas: number }[]> {
  const { rows } = await tx.query<{ accountId: number; amountPesewas: number }>(
    `select line."accountId", line."amountPesewas" from take_back_profit($1, $2) taken,
       unnest(taken.accounts, taken.amounts) line ("accountId", "amountPesewas")`,
    [orderId, now],
  )
  return rows
}
