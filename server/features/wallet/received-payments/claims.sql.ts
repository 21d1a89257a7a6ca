import type { Queryable, Tx } from '../../../platform/db.ts'

export type ClaimRow = {
  id: string
  transactionId: string
  createdAt: Date
  expiresAt: Date
  /** Who has the payment with this id; null while nobody has. */
  creditedTo: string | null
  creditedPesewas: number | null
}

const CLAIM = `c.id, c.transaction_id as "transactionId", c.created_at as "createdAt", c.expires_at as "expiresAt",
  p.user_id as "creditedTo", p.amount_pesewas as "creditedPesewas"`
/** Two networks may give the same id; a claim is of the one that its claimant got. */
const FROM = `payment_claims c left join lateral (
    select k.user_id, k.amount_pesewas from received_payments r join payment_credits k on k.payment_id = r.id and k.taken_back_at is null
    where r.transaction_id = c.transaction_id order by (k.user_id = c.user_id) desc limit 1) p on true`

export async function selectClaims(db: Queryable, userId: string, limit: number): Promise<ClaimRow[]> {
  const { rows } = await db.query<ClaimRow>(`select ${CLAIM} from ${FROM} where c.user_id = $1 order by c.seq desc limit $2`, [
    userId,
    limit,
  ])
  return rows
}

/** Whether the owner has written down a form of AirtelTigo's credits, whose ids may have letters, and it counts. */
export async function hasIdsWithLetters(tx: Tx): Promise<boolean> {
  const { rows } = await tx.query<{ known: boolean }>(
    `select exists (
       select from (
         select distinct on (name) is_on, kind, words from message_formats where network = 'AirtelTigo' order by name, version desc
       ) newest where is_on and kind = 'credit' and words is not null
     ) as known`,
  )
  return rows[0]?.known ?? false
}

/** The same claim made again is the one that is there, open for as long as a new one. */
export async function insertClaim(tx: Tx, claim: { userId: string; transactionId: string; now: Date; expiresAt: Date }): Promise<ClaimRow> {
  await tx.query(
    `insert into payment_claims (user_id, transaction_id, created_at, expires_at) values ($1, $2, $3, $4)
     on conflict (user_id, transaction_id) do update set expires_at = excluded.expires_at`,
    [claim.userId, claim.transactionId, claim.now, claim.expiresAt],
  )
  const { rows } = await tx.query<ClaimRow>(`select ${CLAIM} from ${FROM} where c.user_id = $1 and c.transaction_id = $2`, [
    claim.userId,
    claim.transactionId,
  ])
  return rows[0] as ClaimRow
}

/** The open claims of a customer for which no payment has come; their next claim waits until this transaction ends. */
export async function countOpenClaims(tx: Tx, userId: string, now: Date): Promise<number> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('claims of ' || $1, 0))`, [userId])
  const { rows } = await tx.query<{ count: number }>(
    `select count(*) as count from payment_claims c where c.user_id = $1 and c.expires_at > $2
       and not exists (select from received_payments p where p.transaction_id = c.transaction_id and p.status = 'credited')`,
    [userId, now],
  )
  return rows[0]?.count ?? 0
}

export type Claimant = { transactionId: string; userId: string; username: string; phone: string; claimedAt: Date }

/** Who claims payments with these ids, the earliest first. */
export async function selectClaimants(db: Queryable, transactionIds: readonly string[], now: Date): Promise<Claimant[]> {
  const { rows } = await db.query<Claimant>(
    `select c.transaction_id as "transactionId", c.user_id as "userId", u.username, u.phone, c.created_at as "claimedAt"
     from payment_claims c join users u on u.id = c.user_id where c.transaction_id = any ($1) and c.expires_at > $2 order by c.seq`,
    [transactionIds, now],
  )
  return rows
}
