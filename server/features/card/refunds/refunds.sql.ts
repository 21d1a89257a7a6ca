import type { GuestRefundStatus, RefundList } from '../../../../shared/refunds.ts'
import type { Queryable, Tx } from '../../../platform/db.ts'
import { likePatterns, type Page } from '../../../platform/http/lists.ts'

export type StaffRefundRow = {
  id: string
  status: GuestRefundStatus
  amountPesewas: number
  phone: string
  reason: string
  orderSeq: number | null
  network: string | null
  offer: string | null
  shopName: string | null
  customer: string | null
  paymentReference: string
  providerNote: string | null
  disputed: boolean
  sentAt: Date | null
  handTransactionId: string | null
  decider: string | null
  claimer: string | null
  codeSentAt: Date | null
  createdAt: Date
  endedAt: Date | null
}

const DISPUTED = `exists (select from disputes d where d.reference = r.payment_reference and d.outcome <> 'won')`

const STAFF = `r.id, r.status, r.amount_pesewas as "amountPesewas", r.phone, r.reason, o.seq as "orderSeq", o.network, o.offer, s.name as "shopName", u.username as customer,
  r.payment_reference as "paymentReference", r.provider_note as "providerNote", ${DISPUTED} as disputed, r.sent_at as "sentAt",
  r.hand_transaction_id as "handTransactionId", d.username as decider, c.username as claimer, r.code_sent_at as "codeSentAt",
  r.created_at as "createdAt", r.ended_at as "endedAt"`
const FROM = `refunds r join payments p on p.reference = r.payment_reference left join agent_shops s on s.id = p.shop_id left join users u on u.id = r.user_id
  left join orders o on o.id = r.order_id left join users d on d.id = r.decided_by left join users c on c.id = r.claimed_by`

/** Conditions that the partial indexes have, so that the open lists cost what is open. */
const LISTS: Record<RefundList, { where: string; order: string }> = {
  waiting: { where: `r.status in ('due', 'review')`, order: `(r.status <> 'review'), r.seq` },
  'on-the-way': { where: `r.ended_at is null and r.status in ('sending', 'accepted', 'unknown')`, order: 'r.seq' },
  codes: { where: `r.ended_at is null and r.status = 'code'`, order: 'r.seq desc' },
  ended: { where: 'r.ended_at is not null', order: 'r.seq desc' },
  all: { where: 'true', order: 'r.seq desc' },
}
/** A list says how many it has up to so many, and has no pages after them. */
const MOST_COUNTED = 10_000

export async function selectStaffRefunds(
  db: Queryable,
  { list, limit, offset, search }: Page & { list: RefundList },
): Promise<{ refunds: StaffRefundRow[]; total: number }> {
  const { where, order } = LISTS[list]
  const matches = `${where} and ($1::text[] is null or r.phone ilike any ($1) or r.payment_reference ilike any ($1) or o.seq::text ilike any ($1)
    or s.name ilike any ($1) or u.username ilike any ($1) or r.hand_transaction_id ilike any ($1) or shown_amount(r.amount_pesewas) ilike any ($1))`
  const patterns = likePatterns(search)
  const [page, count] = await Promise.all([
    db.query<StaffRefundRow>(`select ${STAFF} from ${FROM} where ${matches} order by ${order} limit $2 offset $3`, [
      patterns,
      limit,
      offset,
    ]),
    db.query<{ total: number }>(`select count(*)::integer as total from (select from ${FROM} where ${matches} limit $2) found`, [
      patterns,
      MOST_COUNTED,
    ]),
  ])
  return { refunds: page.rows, total: count.rows[0]?.total ?? 0 }
}

export async function selectStaffRefund(db: Queryable, id: string): Promise<StaffRefundRow | null> {
  const { rows } = await db.query<StaffRefundRow>(`select ${STAFF} from ${FROM} where r.id = $1`, [id])
  return rows[0] ?? null
}

/** Whether the payer disputes a payment: then the bank may give the money back by itself. */
export async function isDisputed(tx: Tx, paymentReference: string): Promise<boolean> {
  const { rows } = await tx.query<{ disputed: boolean }>(`select ${DISPUTED} as disputed from (select $1::text as payment_reference) r`, [
    paymentReference,
  ])
  return rows[0]?.disputed ?? false
}

const SOLD_BY = '(select a.name from payments p join agent_shops a on a.id = p.shop_id where p.reference = r.payment_reference)'

/** What the guest is told next of a refund. `seq`: the order's number; null when the payment bought nothing. */
export type GuestNews = {
  id: string
  status: 'accepted' | 'paid' | 'code'
  amountPesewas: number
  phone: string
  orderSeq: number | null
  byHand: boolean
  /** The name of the agent's shop where it was paid. */
  soldBy: string | null
}

/** The oldest refund that has come to where its guest has not been told of it, locked; another process gets another one. */
export async function lockUntold(tx: Tx): Promise<GuestNews | null> {
  const { rows } = await tx.query<GuestNews>(
    `select r.id, r.status, r.amount_pesewas as "amountPesewas", r.phone, (select o.seq from orders o where o.id = r.order_id) as "orderSeq",
       r.hand_transaction_id is not null as "byHand", ${SOLD_BY} as "soldBy"
     from refunds r where r.status in ('accepted', 'paid', 'code') and r.told is distinct from r.status and not (r.status = 'code' and ${DISPUTED})
     order by r.seq limit 1 for update skip locked`,
  )
  return rows[0] ?? null
}

export async function markTold(tx: Tx, { id, status }: Pick<GuestNews, 'id' | 'status'>) {
  await tx.query('update refunds set told = $2 where id = $1', [id, status])
}

export type CodeToSend = {
  id: string
  status: GuestRefundStatus
  amountPesewas: number
  phone: string
  orderSeq: number | null
  codeSentAt: Date | null
  codesSent: number
  disputed: boolean
  soldBy: string | null
}

/** A refund by its id or by its order, locked, with when its code was sent last and how often. */
export async function lockCodeToSend(tx: Tx, by: { id: string } | { orderId: string }): Promise<CodeToSend | null> {
  const [column, value] = 'id' in by ? ['id', by.id] : ['order_id', by.orderId]
  const { rows } = await tx.query<CodeToSend>(
    `select r.id, r.status, r.amount_pesewas as "amountPesewas", r.phone, (select o.seq from orders o where o.id = r.order_id) as "orderSeq",
       r.code_sent_at as "codeSentAt", r.codes_sent as "codesSent", ${DISPUTED} as disputed, ${SOLD_BY} as "soldBy"
     from refunds r where r.${column} = $1 for update`,
    [value],
  )
  return rows[0] ?? null
}

export async function markCodeSent(tx: Tx, id: string, now: Date) {
  await tx.query('update refunds set code_sent_at = $2, codes_sent = codes_sent + 1 where id = $1', [id, now])
}

/** What a guest's order got back: how far it is, and the number that its messages go to. */
export async function selectRefundOfOrder(
  db: Queryable,
  orderId: string,
): Promise<{ status: GuestRefundStatus; phone: string; byHand: boolean } | null> {
  const { rows } = await db.query<{ status: GuestRefundStatus; phone: string; byHand: boolean }>(
    'select status, phone, hand_transaction_id is not null as "byHand" from refunds where order_id = $1',
    [orderId],
  )
  return rows[0] ?? null
}
