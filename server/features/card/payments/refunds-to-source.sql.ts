import type { GuestRefundStatus } from '../../../../shared/refunds.ts'
import type { Queryable, Tx } from '../../../platform/db.ts'

/** Money that goes back the way it was paid: a guest's, or, with a `userId`, a customer's. `providerId` is the provider's own number of it. */
export type RefundRow = {
  id: string
  paymentReference: string
  userId: string | null
  orderSeq: number | null
  phone: string
  amountPesewas: number
  status: GuestRefundStatus
  sentAt: Date | null
  asks: number
  notFound: number
  notFoundAt: Date | null
  providerId: string | null
  providerNote: string | null
}

const REFUND = `r.id, r.payment_reference as "paymentReference", r.user_id as "userId",
  (select o.seq from orders o where o.id = r.order_id) as "orderSeq", r.phone, r.amount_pesewas as "amountPesewas", r.status, r.sent_at as "sentAt",
  r.asks, r.not_found as "notFound", r.not_found_at as "notFoundAt", r.provider_id as "providerId", r.provider_note as "providerNote"`

export async function lockRefund(tx: Tx, id: string): Promise<RefundRow | null> {
  const { rows } = await tx.query<RefundRow>(`select ${REFUND} from refunds r where r.id = $1 for update`, [id])
  return rows[0] ?? null
}

/** Locks the payment of a refund: before the refund, as whoever hears of a dispute. */
export async function lockPaymentOfRefund(tx: Tx, id: string) {
  await tx.query('select from payments where reference = (select payment_reference from refunds where id = $1) for update', [id])
}

export async function selectRefund(db: Queryable, id: string): Promise<RefundRow | null> {
  const { rows } = await db.query<RefundRow>(`select ${REFUND} from refunds r where r.id = $1`, [id])
  return rows[0] ?? null
}

/** The provider's numbers of a payment's refunds that the shop knows as its own. */
export async function selectProviderIds(db: Queryable, paymentReference: string): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    'select provider_id as id from refunds where payment_reference = $1 and provider_id is not null',
    [paymentReference],
  )
  return rows.map(({ id }) => id)
}

/** The refunds of a customer's payment that nobody has tried to send, locked. */
export async function lockUnsentRefunds(tx: Tx, paymentReference: string): Promise<RefundRow[]> {
  const { rows } = await tx.query<RefundRow>(
    `select ${REFUND} from refunds r where r.payment_reference = $1 and r.user_id is not null and r.status = 'due' and r.sent_at is null
     order by r.seq for update`,
    [paymentReference],
  )
  return rows
}

/** What is owed to the guest of a payment and has not been sent or claimed, locked. */
export async function lockOwed(tx: Tx, paymentReference: string): Promise<RefundRow[]> {
  const { rows } = await tx.query<RefundRow>(
    `select ${REFUND} from refunds r where r.payment_reference = $1 and r.user_id is null
       and (r.status = 'code' or (r.status = 'due' and r.sent_at is null)) order by r.seq for update`,
    [paymentReference],
  )
  return rows
}

export type Claimer = { userId: string; claimedPesewas: number }

/** Into whose wallets what was owed to the guest of a payment went by its codes, in the order in which wallets lock. */
export async function selectClaimers(db: Queryable, paymentReference: string): Promise<Claimer[]> {
  const { rows } = await db.query<Claimer>(
    `select r.claimed_by as "userId", sum(r.amount_pesewas)::bigint as "claimedPesewas" from refunds r join wallets w on w.user_id = r.claimed_by
     where r.payment_reference = $1 and r.status = 'claimed' group by 1, w.account_id order by w.account_id`,
    [paymentReference],
  )
  return rows
}

/** What was owed to the guest of a payment until the payment was returned, locked; `wasCode` where it waited for a code. */
export async function lockReturned(tx: Tx, paymentReference: string): Promise<(RefundRow & { wasCode: boolean })[]> {
  const { rows } = await tx.query<RefundRow & { wasCode: boolean }>(
    `select ${REFUND}, exists (select from journal_entries e where e.key = 'refund-code:' || r.id) as "wasCode"
     from refunds r where r.payment_reference = $1 and r.status = 'returned' order by r.seq for update`,
    [paymentReference],
  )
  return rows
}

/** The phone of the guest who made a payment. */
export async function selectGuest(tx: Tx, paymentReference: string): Promise<string> {
  const { rows } = await tx.query<{ phone: string }>('select guest_phone as phone from payments where reference = $1', [paymentReference])
  return (rows[0] as { phone: string }).phone
}

export type RejectedUnpaid = { orderId: string; phone: string; pesewas: number }

/** The rejected orders of a guest's payment for which nothing is owed, since the payment had been returned. Pesewas with the surcharge. */
export async function selectRejectedUnpaid(tx: Tx, paymentReference: string): Promise<RejectedUnpaid[]> {
  const { rows } = await tx.query<RejectedUnpaid>(
    `select o.id as "orderId", o.guest_phone as phone, o.price_pesewas + o.surcharge_pesewas as pesewas from orders o
     where o.payment_reference = $1 and o.status = 'rejected' and not exists (select from refunds r where r.order_id = o.id) order by o.seq`,
    [paymentReference],
  )
  return rows
}

/** The refunds of a payment that the provider may know of, locked. */
export async function lockSentRefunds(tx: Tx, paymentReference: string): Promise<RefundRow[]> {
  const { rows } = await tx.query<RefundRow>(
    `select ${REFUND} from refunds r where r.payment_reference = $1 and r.sent_at is not null order by r.seq for update`,
    [paymentReference],
  )
  return rows
}

/** Whether the shop itself ever sent back anything of a payment, or was to. */
export async function hasRefunds(db: Queryable, paymentReference: string): Promise<boolean> {
  const { rows } = await db.query<{ has: boolean }>('select exists (select from refunds where payment_reference = $1) as has', [
    paymentReference,
  ])
  return rows[0]?.has ?? false
}

export type RefundChange = Partial<{
  status: GuestRefundStatus
  sentAt: Date
  askAt: Date | null
  asks: number
  notFound: number
  notFoundAt: Date | null
  providerId: string
  providerNote: string | null
  claimedBy: string
  decidedBy: string
  handTransactionId: string
  endedAt: Date | null
}>

const COLUMNS: Record<keyof RefundChange, string> = {
  status: 'status',
  sentAt: 'sent_at',
  askAt: 'ask_at',
  asks: 'asks',
  notFound: 'not_found',
  notFoundAt: 'not_found_at',
  providerId: 'provider_id',
  providerNote: 'provider_note',
  claimedBy: 'claimed_by',
  decidedBy: 'decided_by',
  handTransactionId: 'hand_transaction_id',
  endedAt: 'ended_at',
}

/** Changes a refund if it still has the status expected; null when it has another one by now. */
export async function updateRefund(
  db: Queryable,
  { id, status }: Pick<RefundRow, 'id' | 'status'>,
  change: RefundChange,
): Promise<RefundRow | null> {
  const fields = Object.keys(change) as (keyof RefundChange)[]
  const { rows } = await db.query<RefundRow>(
    `update refunds r set ${fields.map((field, at) => `${COLUMNS[field]} = $${at + 3}`).join(', ')}
     where r.id = $1 and r.status = $2 returning ${REFUND}`,
    [id, status, ...fields.map((field) => change[field])],
  )
  return rows[0] ?? null
}

/**
 * Claims refunds that are due, to be sent or asked about, by moving their time on, so that no other process claims them too. A payment
 * that its payer disputes is left until that has ended: the bank may give the money back by itself.
 */
export async function claimDueRefunds(
  db: Queryable,
  { now, nextAt, limit, toSend }: { now: Date; nextAt: Date; limit: number; toSend: boolean },
): Promise<RefundRow[]> {
  const { rows } = await db.query<RefundRow>(
    `update refunds r set ask_at = $2 where r.id in (
       select id from refunds where ask_at <= $1 and (status = 'due') = $4 order by ask_at limit $3 for update skip locked
     ) returning ${REFUND}, exists (select from disputes d where d.reference = r.payment_reference and d.outcome <> 'won') as disputed`,
    [now, nextAt, limit, toSend],
  )
  return (rows as (RefundRow & { disputed: boolean })[]).filter(({ disputed }) => !(toSend && disputed))
}

/** What the provider has paid of what the shop itself sent back of a payment, in pesewas. */
export async function sumPaidRefunds(tx: Tx, paymentReference: string): Promise<number> {
  const { rows } = await tx.query<{ pesewas: number }>(
    `select coalesce(sum(amount_pesewas), 0)::bigint as pesewas from refunds
     where payment_reference = $1 and status = 'paid' and hand_transaction_id is null`,
    [paymentReference],
  )
  return rows[0]?.pesewas ?? 0
}

/** The refund that a return at the provider pays: the one that was sent, or one not sent, or not found there, that somebody made at the provider instead. */
export async function lockRefundOfReturn(
  tx: Tx,
  { reference, providerId, amountPesewas }: { reference: string; providerId: string; amountPesewas: number },
): Promise<RefundRow | null> {
  const { rows } = await tx.query<RefundRow>(
    `select ${REFUND} from refunds r where r.payment_reference = $1 and r.amount_pesewas = $3
       and (r.provider_id = $2 or (r.status in ('due', 'review') and r.provider_id is null)) and r.status not in ('paid', 'code', 'claimed', 'wallet', 'returned')
     order by r.provider_id nulls last, r.seq limit 1 for update`,
    [reference, providerId, amountPesewas],
  )
  return rows[0] ?? null
}
