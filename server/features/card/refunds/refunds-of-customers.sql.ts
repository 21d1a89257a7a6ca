import type { GuestRefundStatus } from '../../../../shared/refunds.ts'
import type { Queryable, Tx } from '../../../platform/db.ts'

/** The refund of a customer's order that a card or mobile money paid for. `inWalletPesewas`: what the order's refund put into the wallet. */
export type CustomerRefundRow = {
  orderSeq: number
  paymentReference: string
  inWalletPesewas: number
  balancePesewas: number
  holdReason: string | null
  /** What the payment brought in and has not given back, and is not about to. */
  roomPesewas: number
  enabled: boolean
  /** Null as long as the customer has not asked for it. */
  status: GuestRefundStatus | null
  amountPesewas: number | null
  byHand: boolean
  createdAt: Date | null
  endedAt: Date | null
}

/** Null for an order that is not the user's, was not refunded into their wallet, or was not paid by card. */
export async function selectCustomerRefund(db: Queryable, { orderId, userId }: { orderId: string; userId: string }) {
  const { rows } = await db.query<CustomerRefundRow>(
    `select o.seq as "orderSeq", o.payment_reference as "paymentReference", p.amount_pesewas as "inWalletPesewas", w.balance_pesewas + w.reserved_pesewas as "balancePesewas",
       m.hold_reason as "holdReason", (select refunds_to_source from operations_settings) as enabled,
       coalesce(m.received_pesewas, 0) - m.returned_pesewas - coalesce((select sum(f.amount_pesewas) from refunds f
         where f.payment_reference = m.reference and f.status <> 'wallet' and (f.status <> 'paid' or f.hand_transaction_id is not null)), 0)::bigint as "roomPesewas",
       r.status, r.amount_pesewas as "amountPesewas", r.hand_transaction_id is not null as "byHand", r.created_at as "createdAt", r.ended_at as "endedAt"
     from orders o join payments m on m.reference = o.payment_reference join wallets w on w.user_id = o.user_id
       join journal_entries e on e.key = 'order-refund:' || o.id join postings p on p.entry_id = e.id and p.account_id = w.account_id
       left join refunds r on r.order_id = o.id
     where o.id = $1 and o.user_id = $2 and o.status = 'rejected'`,
    [orderId, userId],
  )
  return rows[0] ?? null
}

/** Locks the payment of an order, so that its orders' refunds and what goes back at the provider come one after the other. */
export async function lockPaymentOf(tx: Tx, orderId: string) {
  await tx.query('select from payments where reference = (select payment_reference from orders where id = $1) for update', [orderId])
}

type Taken = { paymentReference: string; orderId: string; userId: string; amountPesewas: number; now: Date }

/** Notes what goes back to a customer, to be sent next, and returns its id. The caller takes it from the wallet. */
export async function insertCustomerRefund(tx: Tx, { paymentReference, orderId, userId, amountPesewas, now }: Taken): Promise<string> {
  const { rows } = await tx.query<{ id: string }>(
    `insert into refunds (payment_reference, order_id, user_id, phone, amount_pesewas, reason, created_at, ask_at)
     select $1, $2, id, phone, $4, 'the customer asked for it', $5, $5 from users where id = $3 returning id`,
    [paymentReference, orderId, userId, amountPesewas, now],
  )
  return (rows[0] as { id: string }).id
}
