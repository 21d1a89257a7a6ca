import { RECHARGE_ID_DIGITS, type RechargeStatus } from '../../../shared/recharges.ts'
import type { Queryable, Tx } from '../../platform/db.ts'
import { likePattern, type Page } from '../../platform/http/lists.ts'

export type RechargeRow = {
  id: string
  rechargeId: string
  userId: string
  username: string
  amountPesewas: number
  status: RechargeStatus
  createdAt: Date
}

const RECHARGE = `r.id, r.recharge_id as "rechargeId", r.user_id as "userId", u.username, r.amount_pesewas as "amountPesewas", r.status,
  r.created_at as "createdAt"`

/** False, and nothing added, when another request has these digits. */
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

/** One recharge by its id or by the eight digits that people use, locked until the transaction ends. */
export async function lockRecharge(tx: Tx, idOrRechargeId: string): Promise<RechargeRow | null> {
  const column = idOrRechargeId.length === RECHARGE_ID_DIGITS ? 'recharge_id' : 'id'
  const { rows } = await tx.query<RechargeRow>(
    `select ${RECHARGE} from recharges r join users u on u.id = r.user_id where r.${column} = $1 for update of r`,
    [idOrRechargeId],
  )
  return rows[0] ?? null
}

export async function updateRechargeDecision(
  tx: Tx,
  id: string,
  decision: { status: 'approved' | 'declined'; decidedAt: Date; decidedBy: string },
) {
  await tx.query('update recharges set status = $2, decided_at = $3, decided_by = $4 where id = $1', [
    id,
    decision.status,
    decision.decidedAt,
    decision.decidedBy,
  ])
}

export type RechargeFilter = Page & { userId: string | null; status: RechargeStatus | null }

/** What a list of recharges matches: $1 the asker, $2 status, $3 a LIKE pattern over all fields; null for any. */
export const matchRecharges = `($1::uuid is null or r.user_id = $1) and ($2::text is null or r.status = $2)
    and ($3::text is null or r.recharge_id like $3 or u.username ilike $3 or r.status ilike $3
      or to_char(r.created_at at time zone 'UTC', 'DD/MM/YYYY HH24:MI:SS') like $3 or (r.amount_pesewas / 100.0)::numeric(20, 2)::text like $3)`

export async function selectRecharges(db: Queryable, filter: RechargeFilter): Promise<{ recharges: RechargeRow[]; total: number }> {
  const values = [filter.userId, filter.status, likePattern(filter.search)]
  const [page, count] = await Promise.all([
    db.query<RechargeRow>(
      `select ${RECHARGE} from recharges r join users u on u.id = r.user_id where ${matchRecharges} order by r.seq desc limit $4 offset $5`,
      [...values, filter.limit, filter.offset],
    ),
    db.query<{ total: number }>(
      `select count(*) as total from recharges r join users u on u.id = r.user_id where ${matchRecharges}`,
      values,
    ),
  ])
  return { recharges: page.rows, total: count.rows[0]?.total ?? 0 }
}

export async function countPending(db: Queryable, userId: string): Promise<number> {
  const { rows } = await db.query<{ total: number }>(`select count(*) as total from recharges where user_id = $1 and status = 'pending'`, [
    userId,
  ])
  return rows[0]?.total ?? 0
}
