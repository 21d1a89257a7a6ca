import type { PayoutNetwork } from '../../../../shared/withdrawal-rules.ts'
import type { WithdrawalStatus } from '../../../../shared/withdrawals.ts'
import type { Queryable, Tx } from '../../../platform/db.ts'
import { likePatterns, type Page } from '../../../platform/http/lists.ts'

export type WithdrawalRow = {
  id: string
  seq: number
  shopId: string
  requestedBy: string
  reference: string
  amountPesewas: number
  feePesewas: number
  network: PayoutNetwork
  phone: string
  name: string
  newNumber: boolean
  status: WithdrawalStatus
  reason: string | null
  providerNote: string | null
  recipientCode: string | null
  sentAt: Date | null
  asks: number
  askAt: Date | null
  notFound: number
  notFoundAt: Date | null
  handTransactionId: string | null
  createdAt: Date
  endedAt: Date | null
}

const WITHDRAWAL = `w.id, w.seq, w.shop_id as "shopId", w.requested_by as "requestedBy", w.reference, w.amount_pesewas as "amountPesewas",
  w.fee_pesewas as "feePesewas", w.network, w.phone, w.name, w.new_number as "newNumber", w.status, w.reason, w.provider_note as "providerNote",
  w.recipient_code as "recipientCode", w.sent_at as "sentAt", w.asks, w.ask_at as "askAt", w.not_found as "notFound",
  w.not_found_at as "notFoundAt", w.hand_transaction_id as "handTransactionId", w.created_at as "createdAt", w.ended_at as "endedAt"`

type NewWithdrawal = Pick<
  WithdrawalRow,
  'shopId' | 'requestedBy' | 'reference' | 'amountPesewas' | 'feePesewas' | 'network' | 'phone' | 'name' | 'newNumber' | 'status' | 'reason'
> & { key: string; now: Date }

/** Null when the key was used before. */
export async function insertWithdrawal(tx: Tx, row: NewWithdrawal): Promise<WithdrawalRow | null> {
  const { rows } = await tx.query<WithdrawalRow>(
    `insert into withdrawals as w (shop_id, requested_by, key, reference, amount_pesewas, fee_pesewas, network, phone, name, new_number, status,
       reason, unapproved, ask_at, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $11 = 'ready', case when $11 = 'ready' then $13::timestamptz end, $13)
     on conflict (shop_id, key) do nothing returning ${WITHDRAWAL}`,
    [
      row.shopId,
      row.requestedBy,
      row.key,
      row.reference,
      row.amountPesewas,
      row.feePesewas,
      row.network,
      row.phone,
      row.name,
      row.newNumber,
      row.status,
      row.reason,
      row.now,
    ],
  )
  return rows[0] ?? null
}

export async function selectWithdrawalByKey(db: Queryable, shopId: string, key: string): Promise<WithdrawalRow | null> {
  const { rows } = await db.query<WithdrawalRow>(`select ${WITHDRAWAL} from withdrawals w where w.shop_id = $1 and w.key = $2`, [
    shopId,
    key,
  ])
  return rows[0] ?? null
}

export async function selectWithdrawal(db: Queryable, id: string): Promise<WithdrawalRow | null> {
  const { rows } = await db.query<WithdrawalRow>(`select ${WITHDRAWAL} from withdrawals w where w.id = $1`, [id])
  return rows[0] ?? null
}

export async function selectWithdrawalByReference(db: Queryable, reference: string): Promise<WithdrawalRow | null> {
  const { rows } = await db.query<WithdrawalRow>(`select ${WITHDRAWAL} from withdrawals w where w.reference = $1`, [reference])
  return rows[0] ?? null
}

export async function lockWithdrawal(tx: Tx, id: string): Promise<WithdrawalRow | null> {
  const { rows } = await tx.query<WithdrawalRow>(`select ${WITHDRAWAL} from withdrawals w where w.id = $1 for update`, [id])
  return rows[0] ?? null
}

/** `freeAt`: from when on a confirmed number needs no person; null for one that is not confirmed. `isClosed`: the owner closed the shop. */
export type Standing = { open: number; isKnown: boolean; freeAt: Date | null; isClosed: boolean }

/** How many withdrawals of a shop are open, and whether a number was paid before or was confirmed. */
export async function selectStanding(
  tx: Tx,
  { shopId, network, phone }: { shopId: string; network: PayoutNetwork; phone: string },
): Promise<Standing> {
  const { rows } = await tx.query<Standing>(
    `select (select count(*)::int from withdrawals where shop_id = $1 and ended_at is null) as open,
       exists (select from withdrawals where shop_id = $1 and network = $2 and phone = $3 and status = 'paid'
         and created_at > coalesce(removed.at, '-infinity')) as "isKnown",
       (select free_at from payout_numbers where shop_id = $1 and phone = $3 and removed.at is null) as "freeAt",
       exists (select from agent_shops where id = $1 and closed_at is not null) as "isClosed"
     from (select max(removed_at) as at from payout_number_removals where shop_id = $1 and phone = $3) removed`,
    [shopId, network, phone],
  )
  return rows[0] as Standing
}

export type Change = Partial<{
  status: WithdrawalStatus
  reason: string | null
  providerNote: string | null
  recipientCode: string
  sentAt: Date
  asks: number
  askAt: Date | null
  notFound: number
  notFoundAt: Date | null
  handTransactionId: string
  paidLateAt: Date
  decidedBy: string
  decidedAt: Date
  endedAt: Date
}>

const COLUMNS: Record<keyof Change, string> = {
  status: 'status',
  reason: 'reason',
  providerNote: 'provider_note',
  recipientCode: 'recipient_code',
  sentAt: 'sent_at',
  asks: 'asks',
  askAt: 'ask_at',
  notFound: 'not_found',
  notFoundAt: 'not_found_at',
  handTransactionId: 'hand_transaction_id',
  paidLateAt: 'paid_late_at',
  decidedBy: 'decided_by',
  decidedAt: 'decided_at',
  endedAt: 'ended_at',
}

/** Changes a withdrawal, if it has the status expected. Null when it has another one by now. */
export async function updateWithdrawal(
  db: Queryable,
  { id, status }: Pick<WithdrawalRow, 'id' | 'status'>,
  change: Change,
): Promise<WithdrawalRow | null> {
  const fields = Object.keys(change) as (keyof Change)[]
  const { rows } = await db.query<WithdrawalRow>(
    `update withdrawals w set ${fields.map((field, at) => `${COLUMNS[field]} = $${at + 3}`).join(', ')}
     where w.id = $1 and w.status = $2 returning ${WITHDRAWAL}`,
    [id, status, ...fields.map((field) => change[field])],
  )
  return rows[0] ?? null
}

/**
 * Marks a withdrawal that nobody has decided as waiting, if its agent was banned or the owner closed the shop since it was asked for; returns
 * whether it did. Agent and shop are locked, so that a ban or a closing either waits for what follows in the transaction or is seen.
 */
export async function holdOfBarred(tx: Tx, { id }: Pick<WithdrawalRow, 'id'>, reason: string): Promise<boolean> {
  const { rows } = await tx.query<{ barred: boolean }>(
    `select (u.status <> 'Active' or s.closed_at is not null) as barred
     from withdrawals w join users u on u.id = w.requested_by join agent_shops s on s.id = w.shop_id
     where w.id = $1 and w.decided_by is null and w.sent_at is null for share of u, s`,
    [id],
  )
  if (!rows[0]?.barred) return false
  await tx.query(`update withdrawals set status = 'approval', reason = $2, ask_at = null where id = $1 and status = 'ready'`, [id, reason])
  return true
}

/** Claims withdrawals that are due, to be sent or asked about, by moving their time on, so that no other process claims them too. */
export async function claimDueWithdrawals(
  db: Queryable,
  { now, nextAt, limit, toSend }: { now: Date; nextAt: Date; limit: number; toSend: boolean },
): Promise<WithdrawalRow[]> {
  const { rows } = await db.query<WithdrawalRow>(
    `update withdrawals w set ask_at = $2 where w.id in (
       select id from withdrawals where ask_at <= $1 and (status = 'ready') = $4 order by ask_at limit $3 for update skip locked
     ) returning ${WITHDRAWAL}`,
    [now, nextAt, limit, toSend],
  )
  return rows
}

export async function selectOwnWithdrawals(
  db: Queryable,
  { shopId, limit, offset }: { shopId: string; limit: number; offset: number },
): Promise<{ withdrawals: WithdrawalRow[]; total: number }> {
  const [page, count] = await Promise.all([
    db.query<WithdrawalRow>(`select ${WITHDRAWAL} from withdrawals w where w.shop_id = $1 order by w.seq desc limit $2 offset $3`, [
      shopId,
      limit,
      offset,
    ]),
    db.query<{ total: number }>('select count(*) as total from withdrawals where shop_id = $1', [shopId]),
  ])
  return { withdrawals: page.rows, total: count.rows[0]?.total ?? 0 }
}

export type StaffWithdrawalRow = WithdrawalRow & {
  agentId: string
  username: string
  agentPhone: string
  shopName: string
  slug: string
  earnedPesewas: number
  decider: string | null
  confirmedAt: Date | null
}

const STAFF = `${WITHDRAWAL}, u.id as "agentId", u.username, u.phone as "agentPhone", s.name as "shopName", s.slug,
  e.balance_pesewas as "earnedPesewas", d.username as decider,
  (select n.confirmed_at from payout_numbers n where n.shop_id = w.shop_id and n.phone = w.phone
    and not exists (select from payout_number_removals r where r.shop_id = n.shop_id and r.phone = n.phone)) as "confirmedAt"`
const FROM = `withdrawals w join agent_shops s on s.id = w.shop_id join users u on u.id = s.owner_id join wallets e on e.shop_id = s.id
  left join users d on d.id = w.decided_by`

export async function selectStaffWithdrawal(db: Queryable, id: string): Promise<StaffWithdrawalRow | null> {
  const { rows } = await db.query<StaffWithdrawalRow>(`select ${STAFF} from ${FROM} where w.id = $1`, [id])
  return rows[0] ?? null
}

const MATCHES = `(not $1 or w.ended_at is null) and ($2::text[] is null or u.username ilike any ($2) or s.name ilike any ($2)
    or w.phone ilike any ($2) or w.name ilike any ($2) or (w.sent_at is not null and w.reference ilike any ($2)) or w.seq::text ilike any ($2)
    or w.hand_transaction_id ilike any ($2) or shown_amount(w.amount_pesewas) ilike any ($2))`

export function ownWithdrawalsForExport(shopId: string): { text: string; values: unknown[] } {
  return { text: `select ${WITHDRAWAL} from withdrawals w where w.shop_id = $1 order by w.seq desc`, values: [shopId] }
}

export function withdrawalsForExport({ open, search }: { open: boolean; search: string | null }): { text: string; values: unknown[] } {
  return { text: `select ${STAFF} from ${FROM} where ${MATCHES} order by w.seq desc`, values: [open, likePatterns(search)] }
}

/** Withdrawals of all agents: the open ones, the longest waiting first, or all, newest first. */
export async function selectWithdrawals(
  db: Queryable,
  { open, limit, offset, search }: Page & { open: boolean },
): Promise<{ withdrawals: StaffWithdrawalRow[]; total: number }> {
  const values = [open, likePatterns(search)]
  const order = open ? `(w.status <> 'approval'), w.seq` : 'w.seq desc'
  const [page, count] = await Promise.all([
    db.query<StaffWithdrawalRow>(`select ${STAFF} from ${FROM} where ${MATCHES} order by ${order} limit $3 offset $4`, [
      ...values,
      limit,
      offset,
    ]),
    db.query<{ total: number }>(`select count(*) as total from ${FROM} where ${MATCHES}`, values),
  ])
  return { withdrawals: page.rows, total: count.rows[0]?.total ?? 0 }
}

/** Withdrawals that a person decides, and those of which nobody knows whether the provider paid them. */
export async function selectWaitingWithdrawals(
  db: Queryable,
): Promise<{ toDecide: number; unclear: number; pesewas: number; oldest: Date | null }> {
  const { rows } = await db.query<{ toDecide: number; unclear: number; pesewas: number; oldest: Date | null }>({
    name: 'waiting-withdrawals',
    text: `select count(*) filter (where status = 'approval')::integer as "toDecide", count(*) filter (where status = 'unknown')::integer as unclear,
        coalesce(sum(amount_pesewas), 0)::bigint as pesewas, min(created_at) as oldest
      from withdrawals where ended_at is null and status in ('approval', 'unknown')`,
  })
  return rows[0] as { toDecide: number; unclear: number; pesewas: number; oldest: Date | null }
}

/** What of a shop went out without approval since a time, in pesewas. */
export async function selectUnapproved(db: Queryable, shopId: string, since: Date): Promise<number> {
  const { rows } = await db.query<{ pesewas: number }>(
    `select coalesce(sum(amount_pesewas), 0)::bigint as pesewas from withdrawals
     where shop_id = $1 and unapproved and created_at >= $2 and status not in ('failed', 'declined', 'cancelled', 'reversed')`,
    [shopId, since],
  )
  return rows[0]?.pesewas ?? 0
}
