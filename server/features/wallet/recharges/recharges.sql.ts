import { RECHARGE_ID_DIGITS, type RechargeStatus } from '../../../../shared/recharges.ts'
import type { Queryable, Tx } from '../../../platform/db.ts'
import { likePatterns, type Page } from '../../../platform/http/lists.ts'
import { USER_WORDS } from '../../people/users/users.sql.ts'

export type RechargeRow = {
  id: string
  rechargeId: string
  userId: string
  username: string
  phone: string
  amountPesewas: number
  status: RechargeStatus
  createdAt: Date
  /** When the customer said that they have sent the money. */
  saidPaidAt: Date | null
  declineReason: string | null
  /** What came in and was credited; null until it is approved. */
  creditedPesewas: number | null
}

const RECHARGE = `r.id, r.recharge_id as "rechargeId", r.user_id as "userId", u.username, u.phone, r.amount_pesewas as "amountPesewas", r.status,
  r.created_at as "createdAt", r.said_paid_at as "saidPaidAt", r.decline_reason as "declineReason",
  case when r.status = 'approved' then coalesce(r.credited_pesewas, r.amount_pesewas) end as "creditedPesewas"`

/** False, and nothing inserted, when another request has this reference. */
export async function insertRecharge(
  db: Queryable,
  recharge: { rechargeId: string; userId: string; amountPesewas: number; now: Date },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into recharges (recharge_id, user_id, amount_pesewas, created_at) values ($1, $2, $3, $4)
     on conflict (recharge_id) do nothing`,
    [recharge.rechargeId, recharge.userId, recharge.amountPesewas, recharge.now],
  )
  return rowCount === 1
}

export async function selectRecharge(db: Queryable, rechargeId: string): Promise<RechargeRow | null> {
  const { rows } = await db.query<RechargeRow>(
    `select ${RECHARGE} from recharges r join users u on u.id = r.user_id where r.recharge_id = $1`,
    [rechargeId],
  )
  return rows[0] ?? null
}

/** One recharge by its id or its eight-digit reference, locked until the transaction ends. */
export async function lockRecharge(tx: Tx, idOrRechargeId: string): Promise<RechargeRow | null> {
  const column = idOrRechargeId.length === RECHARGE_ID_DIGITS ? 'recharge_id' : 'id'
  const { rows } = await tx.query<RechargeRow>(
    `select ${RECHARGE} from recharges r join users u on u.id = r.user_id where r.${column} = $1 for update of r`,
    [idOrRechargeId],
  )
  return rows[0] ?? null
}

/** The oldest pending recharge of a user for this amount, locked; null when there is none. */
export async function lockPendingOf(tx: Tx, userId: string, amountPesewas: number): Promise<RechargeRow | null> {
  const { rows } = await tx.query<RechargeRow>(
    `select ${RECHARGE} from recharges r join users u on u.id = r.user_id
     where r.user_id = $1 and r.status = 'pending' and r.amount_pesewas = $2 order by r.seq limit 1 for update of r`,
    [userId, amountPesewas],
  )
  return rows[0] ?? null
}

export async function updateRechargeDecision(
  tx: Tx,
  id: string,
  decision: {
    status: 'approved' | 'declined'
    decidedAt: Date
    decidedBy: string | null
    declineReason?: string | null
    creditedPesewas?: number
  },
) {
  await tx.query(
    `update recharges set status = $2, decided_at = $3, decided_by = $4, decline_reason = $5, credited_pesewas = $6 where id = $1`,
    [id, decision.status, decision.decidedAt, decision.decidedBy, decision.declineReason ?? null, decision.creditedPesewas ?? null],
  )
}

/** Makes a declined recharge pending again. */
export async function updateReopened(tx: Tx, id: string, at: Date) {
  await tx.query(
    `update recharges set status = 'pending', decided_at = null, decided_by = null, decline_reason = null, reopened_at = $2 where id = $1`,
    [id, at],
  )
}

export async function updateSaidPaid(tx: Tx, id: string, at: Date) {
  await tx.query('update recharges set said_paid_at = $2 where id = $1', [id, at])
}

export type RechargeFilter = Page & { userId: string | null; status: RechargeStatus | null }

/** Must match the index recharges_words. */
const WORDS = `(r.recharge_id || ' ' || shown_time(r.created_at) || ' ' || shown_amount(r.amount_pesewas))`

/** The filter of a recharge list: $1 the requester, $2 status, $3 LIKE patterns over the shown columns; null for any. Own lists show no name. */
export const matchRecharges = `($1::uuid is null or r.user_id = $1) and ($2::text is null or r.status = $2)
    and ($3::text[] is null or ${WORDS} ilike any ($3) or r.status ilike any ($3)
      or ($1::uuid is null and (u.username ilike any ($3) or u.phone ilike any ($3))))`

/** The same filter for a search over all recharges, using the indexes on words, status and user. */
const FOUND_RECHARGES = `select r.seq from recharges r where ($2::text is null or r.status = $2) and ${WORDS} ilike any ($3)
  union select r.seq from recharges r where ($2::text is null or r.status = $2) and r.status ilike any ($3)
  union select r.seq from users u join recharges r on r.user_id = u.id
    where ($2::text is null or r.status = $2) and ${USER_WORDS} ilike any ($3) and (u.username ilike any ($3) or u.phone ilike any ($3))`

export async function selectRecharges(db: Queryable, filter: RechargeFilter): Promise<{ recharges: RechargeRow[]; total: number }> {
  const values = [filter.userId, filter.status, likePatterns(filter.search)]
  const amongAll = filter.userId === null && filter.search !== null
  const matches = amongAll ? `$1::uuid is null and r.seq in (${FOUND_RECHARGES})` : matchRecharges
  const [page, count] = await Promise.all([
    db.query<RechargeRow>(
      `select ${RECHARGE} from recharges r join users u on u.id = r.user_id where ${matches} order by r.seq desc limit $4 offset $5`,
      [...values, filter.limit, filter.offset],
    ),
    db.query<{ total: number }>(`select count(*) as total from recharges r join users u on u.id = r.user_id where ${matches}`, values),
  ])
  return { recharges: page.rows, total: count.rows[0]?.total ?? 0 }
}

/** A user's pending requests, whether none of theirs was ever approved, and whether they have confirmed a number. */
export type Standing = { pending: number; pendingPesewas: number; isNewcomer: boolean; hasNumber: boolean }

export async function selectStanding(db: Queryable, userId: string): Promise<Standing> {
  const { rows } = await db.query<Standing>(
    `select count(*) as pending, coalesce(sum(amount_pesewas), 0) as "pendingPesewas",
       not exists (select from recharges where user_id = $1 and status = 'approved') as "isNewcomer",
       exists (select from confirmed_numbers where user_id = $1) as "hasNumber"
     from recharges where user_id = $1 and status = 'pending'`,
    [userId],
  )
  return rows[0] as Standing
}

/** Locks some pending requests from before a time, of users of whom none was ever approved, and returns them. */
export async function lockUnpaid(tx: Tx, before: Date): Promise<RechargeRow[]> {
  const { rows } = await tx.query<RechargeRow>(
    `select ${RECHARGE} from recharges r join users u on u.id = r.user_id
     where r.status = 'pending' and coalesce(r.reopened_at, r.created_at) < $1
       and not exists (select from recharges a where a.user_id = r.user_id and a.status = 'approved')
     order by r.seq limit 500 for update of r skip locked`,
    [before],
  )
  return rows
}

/** Serializes the requests of one user, so that each counts the ones before. */
export async function takeRechargeTurn(tx: Tx, userId: string) {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('recharge of ' || $1, 0))`, [userId])
}
