import type { GuestRefundStatus } from '../../../../shared/refunds.ts'
import type { Queryable, Tx } from '../../../platform/db.ts'

export type CodedRefund = { id: string; paymentReference: string; amountPesewas: number; status: GuestRefundStatus }

/** The refunds of a guest's payment that wait for a code, locked; none while the payer disputes it or once the bank has given it back. */
export async function lockCodedRefunds(tx: Tx, paymentReference: string): Promise<CodedRefund[]> {
  const { rows } = await tx.query<CodedRefund>(
    `select id, payment_reference as "paymentReference", amount_pesewas as "amountPesewas", status from refunds
     where payment_reference = $1 and status = 'code' and not exists (select from disputes where reference = $1 and outcome <> 'won')
     order by seq for update`,
    [paymentReference],
  )
  return rows
}

export async function isGuestPayment(db: Queryable, reference: string): Promise<boolean> {
  const { rows } = await db.query<{ is: boolean }>(
    'select exists (select from payments where reference = $1 and guest_phone is not null) as is',
    [reference],
  )
  return rows[0]?.is ?? false
}

/** Keeps the hash of a code. */
export async function insertCode(tx: Tx, { refundId, hash, now }: { refundId: string; hash: Buffer; now: Date }) {
  await tx.query('insert into refund_codes (refund_id, hash, shown_at) values ($1, $2, $3)', [refundId, hash, now])
}

/** The newest ten codes of a refund work. */
export async function forgetOldCodes(tx: Tx, refundId: string) {
  await tx.query(
    `delete from refund_codes where refund_id = $1 and hash not in (
       select hash from refund_codes where refund_id = $1 order by shown_at desc, hash limit 10)`,
    [refundId],
  )
}

/**
 * Whether the payment of a refund, found by its id or by the hash of its code, has come back to the payer in another way, or may: by the
 * bank, or by somebody at the provider. The payment is locked, so that such news waits. Call it before the refund is locked.
 */
export async function isReturnedOtherwise(tx: Tx, refund: { id: string } | { hash: Buffer }): Promise<boolean> {
  const { rows } = await tx.query<{ returned: boolean }>(
    `select p.returned_pesewas + r.amount_pesewas > coalesce(p.received_pesewas, 0)
       or exists (select from disputes d where d.reference = p.reference and d.outcome <> 'won') as returned
     from refunds r join payments p on p.reference = r.payment_reference
     where r.id = ${'id' in refund ? '$1' : '(select c.refund_id from refund_codes c where c.hash = $1)'} for share of p`,
    ['id' in refund ? refund.id : refund.hash],
  )
  return rows[0]?.returned ?? false
}

/** The refund of a code, locked; null for a code that was never shown or sent. */
export async function lockRefundByCode(tx: Tx, hash: Buffer): Promise<CodedRefund | null> {
  const { rows } = await tx.query<CodedRefund>(
    `select r.id, r.payment_reference as "paymentReference", r.amount_pesewas as "amountPesewas", r.status
     from refunds r join refund_codes c on c.refund_id = r.id where c.hash = $1 for update of r`,
    [hash],
  )
  return rows[0] ?? null
}
