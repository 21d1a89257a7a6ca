import type { Queryable, Tx } from '../../platform/db.ts'

/** A balance change that was proposed. `amountPesewas` is negative for a debit. */
export type ProposedChange = { userId: string; amountPesewas: number; note: string; showNote: boolean }

export type ApprovalRow = {
  id: string
  actionHash: string
  details: ProposedChange
  proposerId: string
  proposer: string
  username: string
  proposedAt: Date
  expiresAt: Date
  decision: 'approved' | 'declined' | null
}

const APPROVAL = `a.id, encode(a.action_hash, 'hex') as "actionHash", a.details, a.proposed_by as "proposerId", p.username as proposer,
  u.username, a.proposed_at as "proposedAt", a.expires_at as "expiresAt", a.decision`
const FROM = `approvals a join users p on p.id = a.proposed_by join users u on u.id = (a.details ->> 'userId')::uuid`

type NewApproval = {
  action: 'wallet.credit' | 'wallet.debit'
  actionHash: Buffer
  details: ProposedChange
  proposerId: string
  now: Date
  expiresAt: Date
}

/** False when the same stands proposed already. */
export async function insertApproval(tx: Tx, approval: NewApproval): Promise<boolean> {
  const { rowCount } = await tx.query(
    `insert into approvals (action, action_hash, details, proposed_by, proposed_at, expires_at) values ($1, $2, $3, $4, $5, $6)
     on conflict (action_hash) where decision is null do nothing`,
    [approval.action, approval.actionHash, approval.details, approval.proposerId, approval.now, approval.expiresAt],
  )
  return rowCount === 1
}

/** What became of the same proposal earlier; undefined when there was none. */
export async function selectDecision(tx: Tx, actionHash: Buffer): Promise<ApprovalRow['decision'] | undefined> {
  const { rows } = await tx.query<{ decision: ApprovalRow['decision'] }>(
    'select decision from approvals where action_hash = $1 order by proposed_at desc limit 1',
    [actionHash],
  )
  return rows[0]?.decision
}

const MOST_LISTED = 100

/** What waits for a second person, newest first. */
export async function selectOpenApprovals(db: Queryable, now: Date): Promise<ApprovalRow[]> {
  const { rows } = await db.query<ApprovalRow>(
    `select ${APPROVAL} from ${FROM} where a.decision is null and a.expires_at > $1 order by a.proposed_at desc, a.id limit ${MOST_LISTED}`,
    [now],
  )
  return rows
}

export async function lockApproval(tx: Tx, id: string): Promise<ApprovalRow | null> {
  const { rows } = await tx.query<ApprovalRow>(`select ${APPROVAL} from ${FROM} where a.id = $1 for update of a`, [id])
  return rows[0] ?? null
}

export async function updateDecision(
  tx: Tx,
  { id, decision, userId, now }: { id: string; decision: 'approved' | 'declined'; userId: string; now: Date },
) {
  await tx.query('update approvals set decision = $2, decided_by = $3, decided_at = $4 where id = $1', [id, decision, userId, now])
}

/** Whether the proposer may still move money. */
export async function mayMoveMoney(tx: Tx, userId: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    `select from staff_roles r join users u on u.id = r.user_id
     where u.id = $1 and r.role in ('finance', 'owner') and u.level = 'Admin' and u.status = 'Active' limit 1`,
    [userId],
  )
  return rowCount === 1
}
