import type { UserLevel, UserStatus } from '../../../../shared/users.ts'
import type { Queryable } from '../../../platform/db.ts'
import { likePattern } from '../../../platform/http/lists.ts'
import { findAmongNewest, USER_WORDS } from '../../people/users/users.sql.ts'

export type CustomerLineRow = {
  id: string
  seq: number
  username: string
  phone: string
  email: string
  level: UserLevel
  status: UserStatus
  balancePesewas: number
}

const LINE = `u.id, u.seq, u.username, u.phone, u.email, u.level, u.status, w.balance_pesewas as "balancePesewas"`

export type Words = { texts: string[]; phonesOnly: boolean }

/** As phone numbers are kept, so that a longer one can't have it in it. */
const WHOLE_NUMBER = /^0\d{9}$/
/** The index on words needs three characters. */
const INDEXED_FROM = 3

/** Users that match, newest first, beginning below the user numbered `before`; all of them without words. */
export async function selectCustomers(
  db: Queryable,
  { words, before, limit }: { words: Words | null; before: number | null; limit: number },
): Promise<CustomerLineRow[]> {
  if (words === null) {
    const { rows } = await db.query<CustomerLineRow>(
      `select ${LINE} from users u join wallets w on w.user_id = u.id where $1::bigint is null or u.seq < $1 order by u.seq desc limit $2`,
      [before, limit],
    )
    return rows
  }
  if (words.phonesOnly && words.texts.every((text) => WHOLE_NUMBER.test(text))) {
    const { rows } = await db.query<CustomerLineRow>(
      `select ${LINE} from users u join wallets w on w.user_id = u.id
       where u.phone = any ($3) and ($1::bigint is null or u.seq < $1) order by u.seq desc limit $2`,
      [before, limit, words.texts],
    )
    return rows
  }
  const matches = `${USER_WORDS} ilike any ($3)${words.phonesOnly ? ' and u.phone like any ($3)' : ''}`
  const values = [before, limit, words.texts.map(likePattern)]
  const newest = await findAmongNewest(async (among) => {
    const { rows } = await db.query<CustomerLineRow>(
      `select ${LINE}
       from (select * from users where $1::bigint is null or seq < $1 order by seq desc limit $4) u join wallets w on w.user_id = u.id
       where ${matches} order by u.seq desc limit $2`,
      [...values, among],
    )
    return rows
  }, limit)
  if (newest) return newest
  const isIndexed = words.texts.every(({ length }) => length >= INDEXED_FROM)
  const { rows } = await db.query<CustomerLineRow>(
    isIndexed
      ? `with found as materialized (select u.seq from users u where ${matches} and ($1::bigint is null or u.seq < $1))
         select ${LINE} from users u join wallets w on w.user_id = u.id
         where u.seq in (select seq from found order by seq desc limit $2) order by u.seq desc`
      : `select ${LINE} from users u join wallets w on w.user_id = u.id
         where ${matches} and ($1::bigint is null or u.seq < $1) order by u.seq desc limit $2`,
    values,
  )
  return rows
}

export async function selectCustomersById(db: Queryable, ids: readonly string[]): Promise<CustomerLineRow[]> {
  const { rows } = await db.query<CustomerLineRow>(
    `select ${LINE} from users u join wallets w on w.user_id = u.id where u.id = any ($1::uuid[])`,
    [ids],
  )
  return rows
}

export async function countCustomers(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ total: number }>(`select rows as total from list_counts where list = 'users'`)
  return rows[0]?.total ?? 0
}

/** What a typed text may name besides a user; null for what it cannot be. */
export type Named = { orderNumber: number | null; rechargeId: string | null; reference: string | null; receiver: string | null }

/** By what a customer was found: the order's number, a recharge's, a payment's reference, a receiver's number. */
export type Trace = { userId: string; by: 'order' | 'recharge' | 'payment' | 'receiver'; name: string }

/** Orders for one receiver that are looked at: a popular number has many buyers, and one agent may have most of its orders. */
const MOST_ORDERS = 500
const MOST_BUYERS = 5

/** Who bought that order, asked for that top-up, paid that, or bought for that number; each by an index. */
export async function selectTraces(db: Queryable, { orderNumber, rechargeId, reference, receiver }: Named): Promise<Trace[]> {
  const { rows } = await db.query<Trace>(
    `(select o.user_id as "userId", 'order' as by, o.seq::text as name from orders o where o.seq = $1::bigint)
     union all (select o.user_id, 'order', o.seq || ', ' || o.reference from orders o where o.reference = $3)
     union all (select r.user_id, 'recharge', r.recharge_id from recharges r where r.recharge_id = $2)
     union all (select p.user_id, 'payment', p.reference from payments p where p.reference = $3)
     union all (select user_id, 'receiver', $4::text from (
       select o.user_id, max(o.seq) as newest
       from (select user_id, seq from orders where receiver = $4 and user_id is not null order by seq desc limit ${MOST_ORDERS}) o
       group by o.user_id order by newest desc limit ${MOST_BUYERS}) buyers)`,
    [orderNumber, rechargeId, reference, receiver],
  )
  return rows
}

export type SummaryRow = { ordersToday: number; pesewasToday: number; waitingTopUps: number; openReports: number }

/** More orders than anybody places in a day. */
const MOST_IN_A_DAY = 2_000

export async function selectSummary(db: Queryable, userId: string, today: Date): Promise<SummaryRow> {
  const { rows } = await db.query<SummaryRow>(
    `select day.orders as "ordersToday", day.pesewas as "pesewasToday",
       (select count(*) from recharges where user_id = $1 and status = 'pending') as "waitingTopUps",
       (select count(*) from reports r join orders o on o.id = r.order_id where r.status = 'open' and o.user_id = $1) as "openReports"
     from (
       select count(*) as orders, coalesce(sum(price_pesewas), 0) as pesewas
       from (select price_pesewas, created_at, status from orders where user_id = $1 order by seq desc limit ${MOST_IN_A_DAY}) newest
       where created_at >= $2 and status <> 'rejected'
     ) day`,
    [userId, today],
  )
  return rows[0] as SummaryRow
}

export type CreditRow = { entryId: number; amountPesewas: number; actorId: string | null; actor: string | null; createdAt: Date }

/** How many of a wallet's newest movements are searched for a credit to undo. */
const NEWEST_MOVEMENTS = 300

/** The newest credit by hand since then that was not undone. */
export async function selectLastCredit(db: Queryable, accountId: number, since: Date): Promise<CreditRow | null> {
  const { rows } = await db.query<CreditRow>(
    `select e.id as "entryId", p.amount_pesewas as "amountPesewas", e.actor_id as "actorId", a.username as actor, e.created_at as "createdAt"
     from (select entry_id, amount_pesewas from postings where account_id = $1 order by entry_id desc limit ${NEWEST_MOVEMENTS}) p
     join journal_entries e on e.id = p.entry_id left join users a on a.id = e.actor_id
     where e.kind = 'admin-credit' and e.key not like 'momo:%' and e.created_at >= $2
       and not exists (select from journal_entries undo where undo.key = 'credit-undo:' || e.id)
     order by e.id desc limit 1`,
    [accountId, since],
  )
  return rows[0] ?? null
}

/** A credit by hand of this wallet, and whether it was undone. A received payment is taken back on the Money screen instead. */
export async function selectCredit(
  db: Queryable,
  accountId: number,
  entryId: string,
): Promise<{ amountPesewas: number; createdAt: Date; undone: boolean } | null> {
  const { rows } = await db.query<{ amountPesewas: number; createdAt: Date; undone: boolean }>(
    `select p.amount_pesewas as "amountPesewas", e.created_at as "createdAt",
       exists (select from journal_entries undo where undo.key = 'credit-undo:' || e.id) as undone
     from journal_entries e join postings p on p.entry_id = e.id and p.account_id = $1
     where e.id = $2::bigint and e.kind = 'admin-credit' and e.key not like 'momo:%'`,
    [accountId, entryId],
  )
  return rows[0] ?? null
}

export type RechargeLineRow = {
  id: string
  seq: number
  rechargeId: string
  amountPesewas: number
  status: 'pending' | 'approved' | 'declined'
  createdAt: Date
  declineReason: string | null
}

export async function selectRechargesBefore(
  db: Queryable,
  userId: string,
  before: number | null,
  limit: number,
): Promise<RechargeLineRow[]> {
  const { rows } = await db.query<RechargeLineRow>(
    `select id, seq, recharge_id as "rechargeId", coalesce(credited_pesewas, amount_pesewas) as "amountPesewas", status, created_at as "createdAt",
       decline_reason as "declineReason"
     from recharges where user_id = $1 and ($2::bigint is null or seq < $2) order by seq desc limit $3`,
    [userId, before, limit],
  )
  return rows
}

export type ReportLineRow = {
  id: string
  seq: number
  orderId: string
  orderSeq: number
  network: string
  offer: string
  receiver: string
  status: 'open' | 'delivered' | 'resent' | 'refunded'
  openedAt: Date
}

export async function selectReportsBefore(db: Queryable, userId: string, before: number | null, limit: number): Promise<ReportLineRow[]> {
  const { rows } = await db.query<ReportLineRow>(
    `select r.id, r.seq, o.id as "orderId", o.seq as "orderSeq", o.network, o.offer, o.receiver, r.status, r.opened_at as "openedAt"
     from reports r join orders o on o.id = r.order_id
     where o.user_id = $1 and ($2::bigint is null or r.seq < $2) order by r.seq desc limit $3`,
    [userId, before, limit],
  )
  return rows
}

/** The numbers of a customer's orders below `before`, newest first. */
export async function selectOrderSeqsBefore(db: Queryable, userId: string, before: number | null, limit: number): Promise<number[]> {
  const { rows } = await db.query<{ seq: number }>(
    'select seq from orders where user_id = $1 and ($2::bigint is null or seq < $2) order by seq desc limit $3',
    [userId, before, limit],
  )
  return rows.map(({ seq }) => seq)
}
