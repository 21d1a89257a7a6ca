import type { Tx } from '../../../platform/db.ts'

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

type RefundedAlone = { isOwner: boolean; limitPesewas: number | null; pesewas: number }

/**
 * What somebody has refunded since then of orders that were or may have been delivered, with the worth of what they had sent once more and of codes
 * given for others; and their limit. The audit tells: a decision has the status at the supplier, the batch, the registrar's file or why it was perhaps sent by hand, a second delivery and a code what they are worth.
 */
export async function selectRefundedAlone(tx: Tx, { actorId, since }: { actorId: string; since: Date }): Promise<RefundedAlone> {
  const { rows } = await tx.query<RefundedAlone>(
    `select exists (select from staff_roles where user_id = $1 and role = 'owner') as "isOwner",
       (select second_person_above_pesewas from staff_rules) as "limitPesewas",
       (select coalesce(sum(case a.action when 'order.rejected' then o.price_pesewas + o.surcharge_pesewas
            else greatest((a.after ->> 'costPesewas')::bigint, (a.after ->> 'worthPesewas')::bigint) end), 0)
        from admin_actions a join orders o on o.id = a.subject_id::uuid
        where a.actor_id = $1 and a.created_at >= $2 and a.subject_type = 'order' and (a.action in ('checkers.replaced', 'report.resent', 'order.resend')
          or a.action = 'order.rejected' and (a.before ?| array['supplierStatus', 'batch', 'registrarFile', 'perhapsSent'] or a.before ->> 'status' = 'completed')))::bigint as pesewas`,
    [actorId, since],
  )
  return rows[0] as RefundedAlone
}
