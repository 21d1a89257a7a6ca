import type { MomoNetwork } from '../../../../shared/message-formats.ts'
import type { Queryable, Tx } from '../../../platform/db.ts'
import { likePatterns, type Page } from '../../../platform/http/lists.ts'
import type { Doubt, IncomingPayment } from '../../messages/message-formats/parse-message.ts'
import { USER_WORDS } from '../../people/users/users.sql.ts'
import type { Movement } from './check-balances.ts'
import type { CandidateRequest, KnownPayer, WaitingPayment } from './match-payments.ts'

export type PaymentStatus = 'waiting' | 'credited' | 'dismissed'

export type ReceivedPaymentRow = WaitingPayment & {
  transactionId: string
  status: PaymentStatus
  keptAt: Date | null
  receivedAt: Date
  receivedBy: string
  receivedById: string
  raw: string
  source: Source
}

const PAYMENT = `p.id, p.network, p.transaction_id as "transactionId", p.amount_pesewas as "amountPesewas", p.payer_name as "payerName",
  p.by_agent as "byAgent", p.payer_phone as "payerPhone", p.typed_phone as "typedPhone", p.reference, p.sent_at as "sentAt", p.doubts,
  p.not_for as "notFor", p.status, p.kept_at as "keptAt", p.received_at as "receivedAt", p.forwarder_id as "forwarderId",
  coalesce((select f.name from forwarders f where f.id = p.forwarder_id and p.source = 'phone'), by.username) as "receivedBy", p.received_by as "receivedById", p.raw, p.source`
const FROM = 'received_payments p join users by on by.id = p.received_by'

/** The most payments that are matched at once, half of them the oldest: what nobody deals with must not hold up what comes in. */
const MOST_MATCHED = 1_000

export async function selectWaitingPayments(db: Queryable): Promise<ReceivedPaymentRow[]> {
  const { rows } = await db.query<ReceivedPaymentRow>(
    `select ${PAYMENT} from ${FROM} where p.seq in (
       (select seq from received_payments where status = 'waiting' order by seq limit ${MOST_MATCHED / 2})
       union (select seq from received_payments where status = 'waiting' order by seq desc limit ${MOST_MATCHED / 2})) order by p.seq`,
  )
  return rows
}

/** A payment, locked until the transaction ends. */
export async function lockPayment(tx: Tx, id: string): Promise<ReceivedPaymentRow | null> {
  const { rows } = await tx.query<ReceivedPaymentRow>(`select ${PAYMENT} from ${FROM} where p.id = $1 for update of p`, [id])
  return rows[0] ?? null
}

export type Source = 'message' | 'statement' | 'phone'
export type StoredPayment = ReceivedPaymentRow & { username: string | null; creditedAt: Date | null }

/** Payments with one of these transaction ids, with who got them. */
export async function selectByTransaction(db: Queryable, transactionIds: readonly string[]): Promise<StoredPayment[]> {
  const { rows } = await db.query<StoredPayment>(
    `select ${PAYMENT}, u.username, c.credited_at as "creditedAt"
     from ${FROM} left join payment_credits c on c.payment_id = p.id and c.taken_back_at is null left join users u on u.id = c.user_id
     where p.transaction_id = any ($1)`,
    [transactionIds],
  )
  return rows
}

const MOST_READ_AGAIN = 500

/** What waits because no form knew it, the oldest first, locked until the transaction ends. */
export async function lockUnknown(tx: Tx): Promise<ReceivedPaymentRow[]> {
  const { rows } = await tx.query<ReceivedPaymentRow>(`${UNKNOWN} for update of p`)
  return rows
}

/** The same, without locking them. */
export async function selectUnknown(db: Queryable): Promise<ReceivedPaymentRow[]> {
  return (await db.query<ReceivedPaymentRow>(UNKNOWN)).rows
}

const UNKNOWN = `select ${PAYMENT} from ${FROM} where p.status = 'waiting' and p.doubts @> array['unknown-form'] order by p.seq limit ${MOST_READ_AGAIN}`

/** Messages are read one paste after the other, until the transaction ends. */
export async function takeReadingTurn(tx: Tx) {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('received-payments', 0))`)
}

export type NewPayment = Omit<IncomingPayment, 'kind'> & { source: Source }

/** Adds payments, in one order for all so that two pastes cannot deadlock; those that were there already are left out of what it returns. */
export async function insertPayments(
  tx: Tx,
  payments: readonly NewPayment[],
  received: { by: string; at: Date; forwarderId: string | null },
): Promise<{ id: string; reference: string | null }[]> {
  const { rows } = await tx.query<{ id: string; reference: string | null }>(
    `insert into received_payments (network, transaction_id, amount_pesewas, payer_name, by_agent, payer_phone, typed_phone, reference,
       sent_at, balance_pesewas, doubts, raw, source, received_by, received_at, forwarder_id)
     select network, "transactionId", "amountPesewas", "payerName", "byAgent", "payerPhone", "typedPhone", reference,
       "sentAt", "balancePesewas", doubts, raw, source, $2, $3, $4
     from jsonb_to_recordset($1::jsonb) as t (network text, "transactionId" text, "amountPesewas" bigint, "payerName" text,
       "byAgent" boolean, "payerPhone" text, "typedPhone" text, reference text, "sentAt" timestamptz, "balancePesewas" bigint,
       doubts text[], raw text, source text)
     order by "transactionId"
     on conflict (network, transaction_id) do nothing
     returning id, reference`,
    [JSON.stringify(payments), received.by, received.at, received.forwarderId],
  )
  return rows
}

/**
 * What a later message or a statement, read in by `by`, says about a payment that still waits. Whoever changes what it
 * says is the one who read the payment in: they are not the second person who credits it. One that was credited before stays as it was,
 * with a doubt. The network of one in unknown words was a guess.
 */
export async function updateFacts(tx: Tx, id: string, facts: NewPayment, by: string) {
  const { rowCount } = await tx.query(
    `update received_payments set amount_pesewas = $2, payer_name = $3, by_agent = $4, payer_phone = $5, typed_phone = $6, reference = $7,
       sent_at = coalesce($8, sent_at), balance_pesewas = $9, doubts = $10, raw = $11, source = $12,
       received_by = case when (amount_pesewas, payer_phone, typed_phone, reference) is distinct from ($2, $5, $6, $7) then $13 else received_by end,
       network = case when doubts @> array['unknown-form'] and not exists (
         select from received_payments o where o.network = $14 and o.transaction_id = received_payments.transaction_id) then $14 else network end
     where id = $1 and status = 'waiting'
       and (amount_pesewas = $2 or not exists (select from payment_credits c where c.payment_id = received_payments.id))`,
    [
      id,
      facts.amountPesewas,
      facts.payerName,
      facts.byAgent,
      facts.payerPhone,
      facts.typedPhone,
      facts.reference,
      facts.sentAt,
      facts.balancePesewas,
      facts.doubts,
      facts.raw,
      facts.source,
      by,
      facts.network,
    ],
  )
  if (rowCount === 0) await addDoubt(tx, id, 'changed')
}

/** Adds a doubt, in whatever state the payment is. */
export async function addDoubt(tx: Tx, id: string, doubt: Doubt) {
  await tx.query('update received_payments set doubts = array_append(array_remove(doubts, $2), $2) where id = $1', [id, doubt])
}

export async function removeDoubt(tx: Tx, id: string, doubt: Doubt) {
  await tx.query('update received_payments set doubts = array_remove(doubts, $2) where id = $1', [id, doubt])
}

/** Says which phone a payment that a person had read in came from as well. */
export async function updateForwarder(tx: Tx, id: string, forwarderId: string) {
  await tx.query('update received_payments set forwarder_id = coalesce(forwarder_id, $2) where id = $1', [id, forwarderId])
}

export async function updateStanding(tx: Tx, id: string, { status, keptAt }: { status: PaymentStatus; keptAt: Date | null }) {
  await tx.query('update received_payments set status = $2, kept_at = $3 where id = $1', [id, status, keptAt])
}

export async function addNotFor(tx: Tx, id: string, rechargeId: string) {
  await tx.query('update received_payments set not_for = array_append(array_remove(not_for, $2), $2) where id = $1', [id, rechargeId])
}

const RECENT_BALANCES = 60

/** The newest movements with balances of these networks. */
export async function selectRecentBalances(db: Queryable, networks: readonly string[]): Promise<(Movement & { network: MomoNetwork })[]> {
  const { rows } = await db.query<Movement & { network: MomoNetwork }>(
    `select n.network, m.* from unnest($1::text[]) n (network), lateral (
       select balance_pesewas as "balancePesewas", amount_pesewas as "changePesewas" from received_payments p
       where p.network = n.network and balance_pesewas is not null order by seq desc limit ${RECENT_BALANCES}) m`,
    [networks],
  )
  return rows
}

/** How long a decided request is still thought of. */
const RECENTLY = `interval '3 days'`
const MOST_CANDIDATES = 5_000
/** Of each customer's requests, the newest are enough. */
const NEWEST_OF_ASKER = 30

export type Clues = { references: readonly string[]; phones: readonly string[]; amounts: readonly number[]; now: Date }

/**
 * Requests that payments may be for: those named by a reference, pending ones of the same number or amount, and what was decided
 * lately for the same number or for a customer who is already among them.
 */
export async function selectCandidates(db: Queryable, { references, phones, amounts, now }: Clues): Promise<CandidateRequest[]> {
  const { rows } = await db.query<CandidateRequest>(
    `with named as (select id, user_id from recharges where recharge_id = any ($1)),
       waiting as (
         select r.id, r.user_id from recharges r join users u on u.id = r.user_id
         where r.status = 'pending' and (r.amount_pesewas = any ($3) or u.phone = any ($2) or u.id in (select user_id from confirmed_numbers where phone = any ($2))) order by r.seq desc limit ${MOST_CANDIDATES}
       ),
       askers as materialized (select id as user_id from users where phone = any ($2) union select user_id from confirmed_numbers where phone = any ($2)
         union select user_id from waiting),
       decided as (
         select r.id from askers a, lateral (
           select id, status, decided_at from recharges r where r.user_id = a.user_id order by seq desc limit ${NEWEST_OF_ASKER}
         ) r where r.status <> 'pending' and r.decided_at > $4::timestamptz - ${RECENTLY}
       ),
       found as materialized (select id from named union select id from waiting union select id from decided)
     select r.id, r.recharge_id as "rechargeId", r.user_id as "userId", u.username, u.phone, r.amount_pesewas as "amountPesewas", r.status,
       r.created_at as "createdAt", r.decided_at as "decidedAt", exists (select from payment_credits c where c.recharge_id = r.id) as paid
     from found f, lateral (select * from recharges r where r.id = f.id offset 0) r, lateral (select * from users u where u.id = r.user_id offset 0) u
     order by r.seq`,
    [references, phones, amounts, now],
  )
  return rows
}

const CREDITED = `received_payments p, lateral (
  select user_id from payment_credits c where c.payment_id = p.id and c.taken_back_at is null offset 0
) c where p.network = n.network and lower(p.payer_name) = n.name and p.status = 'credited' and not p.by_agent`

/**
 * Who was credited with payments of these payers before. Names are shared: one that ever went to several customers says nothing, however
 * often it went to one of them.
 */
export async function selectKnownPayers(db: Queryable, payerNames: readonly string[]): Promise<KnownPayer[]> {
  const { rows } = await db.query<KnownPayer>(
    `select first.user_id as "userId", n.network, first.payer_name as "payerName"
     from (select name, network from unnest($1::text[]) name, unnest(array['MTN', 'Telecel', 'AirtelTigo', 'GhanaPay', 'Other']) network) n,
       lateral (select c.user_id, p.payer_name from ${CREDITED} limit 1) first,
       lateral (select count(*) as others from (select from ${CREDITED} and c.user_id <> first.user_id limit 1) other) other
     where other.others = 0`,
    [[...new Set(payerNames.map((name) => name.toLowerCase()))]],
  )
  return rows
}

/** Which of these requests were approved by hand, with no received payment. */
export async function selectApprovedByHand(db: Queryable, rechargeIds: readonly string[]): Promise<string[]> {
  if (rechargeIds.length === 0) return []
  const { rows } = await db.query<{ rechargeId: string }>(
    `select recharge_id as "rechargeId" from recharges r where recharge_id = any ($1) and status = 'approved'
       and not exists (select from payment_credits c where c.recharge_id = r.id)`,
    [rechargeIds],
  )
  return rows.map(({ rechargeId }) => rechargeId)
}

export type CreditRow = {
  id: number
  userId: string
  username: string
  rechargeId: string | null
  creditedAt: Date
}

/** Who has a payment's money, or null. */
export async function selectCredit(db: Queryable, paymentId: string): Promise<CreditRow | null> {
  const { rows } = await db.query<CreditRow>(
    `select c.id, c.user_id as "userId", u.username, c.recharge_id as "rechargeId", c.credited_at as "creditedAt"
     from payment_credits c join users u on u.id = c.user_id where c.payment_id = $1 and c.taken_back_at is null`,
    [paymentId],
  )
  return rows[0] ?? null
}

export async function countCredits(db: Queryable, paymentId: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>('select count(*) from payment_credits where payment_id = $1', [paymentId])
  return rows[0]?.count ?? 0
}

/**
 * Whether a payment was credited to another customer than this one before, names another's request, or came with a number that another
 * has confirmed and names no request of this one.
 */
export async function speaksForAnother(
  tx: Tx,
  { paymentId, userId, references, phones }: { paymentId: string; userId: string; references: string[]; phones: string[] },
): Promise<boolean> {
  const { rows } = await tx.query<{ speaks: boolean }>(
    `select exists (select from payment_credits where payment_id = $1 and user_id <> $2)
       or exists (select from recharges where recharge_id = any ($3) and user_id <> $2)
       or exists (select from confirmed_numbers where phone = any ($4) and user_id <> $2)
         and not exists (select from recharges where recharge_id = any ($3) and user_id = $2) as speaks`,
    [paymentId, userId, references, phones],
  )
  return rows[0]?.speaks ?? true
}

/** True when a received payment was credited for this request, even if it was taken back. */
export async function isPaid(db: Queryable, rechargeId: string): Promise<boolean> {
  const { rowCount } = await db.query('select from payment_credits where recharge_id = $1', [rechargeId])
  return rowCount !== 0
}

export type NewCredit = {
  paymentId: string
  amountPesewas: number
  userId: string
  rechargeId: string | null
  entryKey: string
  /** Null for what the shop credits by itself. */
  by: string | null
  at: Date
}

export async function insertCredit(tx: Tx, credit: NewCredit) {
  await tx.query(
    `insert into payment_credits (payment_id, amount_pesewas, user_id, recharge_id, entry_key, credited_by, credited_at, automatic)
     values ($1, $2, $3, $4, $5, $6, $7, $6::uuid is null)`,
    [credit.paymentId, credit.amountPesewas, credit.userId, credit.rechargeId, credit.entryKey, credit.by, credit.at],
  )
}

export async function updateTakenBack(tx: Tx, creditId: number, by: string, at: Date) {
  await tx.query('update payment_credits set taken_back_at = $3, taken_back_by = $2 where id = $1', [creditId, by, at])
}

/** Doubts that call a credited payment into question; each comes with `reversal` or `fork`. */
export const QUESTIONS: readonly Doubt[] = ['fork', 'contradicted', 'reversal']

export type QuestionedRow = ReceivedPaymentRow & { username: string; creditedAt: Date }

/** Credited payments that a later message calls into question. */
export async function selectQuestioned(db: Queryable): Promise<QuestionedRow[]> {
  const { rows } = await db.query<QuestionedRow>(
    `select ${PAYMENT}, u.username, c.credited_at as "creditedAt"
     from ${FROM} join payment_credits c on c.payment_id = p.id and c.taken_back_at is null join users u on u.id = c.user_id
     where p.status = 'credited' and (p.doubts @> array['reversal'] or p.doubts @> array['fork']) order by p.seq desc limit 50`,
  )
  return rows
}

export type ListedRow = ReceivedPaymentRow & {
  creditedTo: string | null
  creditedFor: string | null
  creditedAt: Date | null
  creditedBy: string | null
}

/** Must match the index received_payments_words. */
const WORDS = `(p.transaction_id || ' ' || coalesce(p.payer_name, '') || ' ' || coalesce(p.payer_phone, '') || ' ' || coalesce(p.reference, '') || ' ' || shown_amount(p.amount_pesewas))`

/** Received payments whose own words, or whose customer's name, match $1. */
const FOUND = `select p.seq from received_payments p where ${WORDS} ilike any ($1)
  union select p.seq from users u join payment_credits c on c.user_id = u.id join received_payments p on p.id = c.payment_id
    where ${USER_WORDS} ilike any ($1) and u.username ilike any ($1)`

export async function selectPayments(db: Queryable, { search, limit, offset }: Page): Promise<{ payments: ListedRow[]; total: number }> {
  const patterns = likePatterns(search)
  const matches = patterns === null ? '$1::text[] is null' : `p.seq in (${FOUND})`
  const [page, count] = await Promise.all([
    db.query<ListedRow>(
      `select ${PAYMENT}, u.username as "creditedTo", r.recharge_id as "creditedFor", c.credited_at as "creditedAt",
         (select username from users where id = c.credited_by) as "creditedBy"
       from (select * from received_payments p where ${matches} order by p.seq desc limit $2 offset $3) p
       join users by on by.id = p.received_by
       left join payment_credits c on c.payment_id = p.id and c.taken_back_at is null
       left join users u on u.id = c.user_id left join recharges r on r.id = c.recharge_id
       order by p.seq desc`,
      [patterns, limit, offset],
    ),
    patterns === null
      ? db.query<{ total: number }>(`select rows as total from list_counts where list = 'received_payments'`)
      : db.query<{ total: number }>(`select count(*) as total from (${FOUND}) found`, [patterns]),
  ])
  return { payments: page.rows, total: count.rows[0]?.total ?? 0 }
}

export type WaitingRequests = { count: number; pesewas: number; oldest: Date | null }

export async function selectWaitingRequests(db: Queryable): Promise<WaitingRequests> {
  const { rows } = await db.query<WaitingRequests>(
    `select count(*) as count, coalesce(sum(amount_pesewas), 0) as pesewas, min(created_at) as oldest from recharges where status = 'pending'`,
  )
  return rows[0] as WaitingRequests
}

/** Remembers which transactions a message has said to be taken back. */
export async function insertReversals(tx: Tx, transactionIds: readonly string[], now: Date) {
  await tx.query(
    'insert into read_reversals (transaction_id, read_at) select distinct id, $2::timestamptz from unnest($1::text[]) as id on conflict do nothing',
    [transactionIds, now],
  )
}

/** Which of these transactions a message has said to be taken back. */
export async function selectReversed(tx: Tx, transactionIds: readonly string[]): Promise<Set<string>> {
  const { rows } = await tx.query<{ id: string }>('select transaction_id as id from read_reversals where transaction_id = any ($1)', [
    transactionIds,
  ])
  return new Set(rows.map(({ id }) => id))
}
