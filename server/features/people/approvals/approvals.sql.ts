import type { Queryable, Tx } from '../../../platform/db.ts'

/** A balance change that was proposed. `amountPesewas` is negative for a debit. */
export type ProposedChange = { userId: string; amountPesewas: number; note: string; showNote: boolean }

/** What somebody may have to approve: a change of a balance, a recharge, a received payment, or prices. */
export type ApprovalAction = 'wallet.credit' | 'wallet.debit' | 'recharge.approve' | 'payment.credit' | 'prices.publish'

/**
 * `rechargeId` and `paymentId` are what a top-up is about; a payment without a recharge goes to the customer. A debit with `paymentId`
 * takes that payment back, one with `entryId` undoes that credit. Of prices, `userId` is the
 * proposer's, and `prices` says what takes an owner.
 */
export type Proposed = ProposedChange & {
  rechargeId?: string
  paymentId?: string
  entryId?: string
  prices?: string[]
  changes?: readonly object[]
  costs?: readonly object[]
  liveAt?: string | null
}

export type ApprovalRow = {
  id: string
  action: ApprovalAction
  actionHash: string
  details: Proposed
  proposerId: string
  proposer: string
  username: string
  proposedAt: Date
  expiresAt: Date
  decision: 'approved' | 'declined' | null
}

const APPROVAL = `a.id, a.action, encode(a.action_hash, 'hex') as "actionHash", a.details, a.proposed_by as "proposerId", p.username as proposer,
  u.username, a.proposed_at as "proposedAt", a.expires_at as "expiresAt", a.decision`
const FROM = `approvals a join users p on p.id = a.proposed_by join users u on u.id = (a.details ->> 'userId')::uuid`

type NewApproval = {
  action: ApprovalAction
  actionHash: Buffer
  details: Proposed
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
export async function selectProposal(tx: Tx, actionHash: Buffer): Promise<Pick<ApprovalRow, 'decision' | 'expiresAt'> | undefined> {
  const { rows } = await tx.query<Pick<ApprovalRow, 'decision' | 'expiresAt'>>(
    'select decision, expires_at as "expiresAt" from approvals where action_hash = $1 order by proposed_at desc limit 1',
    [actionHash],
  )
  return rows[0]
}

const MOST_LISTED = 100

/** A top-up that was declined, dismissed or credited meanwhile waits for nobody, nor does what was taken back. */
const STILL_OPEN = `(a.action <> 'recharge.approve'
    or exists (select from recharges r where r.id = (a.details ->> 'rechargeId')::uuid and r.status = 'pending'))
  and (a.action <> 'payment.credit'
    or exists (select from received_payments p where p.id = (a.details ->> 'paymentId')::uuid and p.status = 'waiting'))
  and (a.action <> 'wallet.debit' or a.details ->> 'paymentId' is null
    or exists (select from received_payments p where p.id = (a.details ->> 'paymentId')::uuid and p.status = 'credited'))
  and (a.details ->> 'entryId' is null or not exists (select from journal_entries e where e.key = 'credit-undo:' || (a.details ->> 'entryId')))`

/** What waits for a second person, newest first; prices wait for an owner. */
export async function selectOpenApprovals(db: Queryable, now: Date, { isOwner }: { isOwner: boolean }): Promise<ApprovalRow[]> {
  const { rows } = await db.query<ApprovalRow>(
    `select ${APPROVAL} from ${FROM} where a.decision is null and a.expires_at > $1 and ($2 or a.action <> 'prices.publish') and ${STILL_OPEN}
     order by a.proposed_at desc, a.id limit ${MOST_LISTED}`,
    [now, isOwner],
  )
  return rows
}

type PriceFacts = { changes: readonly object[]; costs: readonly object[]; liveAt: string | null }

/** How many proposals of prices one person has open, one after the other, and how many of these are exactly this. */
export async function countPriceProposals(
  tx: Tx,
  { proposerId, facts, now }: { proposerId: string; facts: PriceFacts; now: Date },
): Promise<{ all: number; same: number }> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('prices asked for by ' || $1, 0))`, [proposerId])
  const { rows } = await tx.query<{ all: number; same: number }>(
    `select count(*) as all, count(*) filter (where a.details -> 'changes' = $3::jsonb and a.details ->> 'liveAt' is not distinct from $4
       and coalesce(a.details -> 'costs', '[]') = $5::jsonb) as same
     from approvals a where a.action = 'prices.publish' and a.proposed_by = $1 and a.decision is null and a.expires_at > $2`,
    [proposerId, now, JSON.stringify(facts.changes), facts.liveAt, JSON.stringify(facts.costs)],
  )
  return rows[0] ?? { all: 0, same: 0 }
}

/** The open proposals of exactly this top-up, or of taking this back, locked. */
export async function lockApprovalsOf(
  tx: Tx,
  action: ApprovalAction,
  { rechargeId, paymentId, entryId, userId, amountPesewas }: Proposed,
  now: Date,
) {
  const { rows } = await tx.query<ApprovalRow>(
    `select ${APPROVAL} from ${FROM} where a.decision is null and a.expires_at > $1 and a.action = $2
       and a.details ->> 'rechargeId' is not distinct from $3 and a.details ->> 'paymentId' is not distinct from $4
       and a.details ->> 'entryId' is not distinct from $7
       and a.details ->> 'userId' = $5 and (a.details ->> 'amountPesewas')::bigint = $6
     order by a.proposed_at for update of a`,
    [now, action, rechargeId ?? null, paymentId ?? null, userId, amountPesewas, entryId ?? null],
  )
  return rows
}

/**
 * What somebody has moved alone since then, in pesewas, credits and debits added up, however they were made. Payments count that
 * nobody but themselves says are this customer's.
 */
export async function selectMovedAlone(tx: Tx, { actorId, since }: { actorId: string; since: Date }) {
  const { rows } = await tx.query<{ pesewas: number }>(
    `select coalesce(sum(case when action = 'payment.credit' then (after ->> 'amountPesewas')::bigint
         else abs((after ->> 'balancePesewas')::bigint - (before ->> 'balancePesewas')::bigint) end), 0)::bigint as pesewas
     from admin_actions
     where actor_id = $1 and created_at >= $2 and not coalesce(after ? 'proposedBy', false)
       and (action in ('wallet.credit', 'wallet.debit', 'wallet.credit-undone') or action = 'recharge.approve' and note = ''
         or action = 'payment.credit' and (note = '' or after ?| array['pasted', 'alone']))`,
    [actorId, since],
  )
  return rows[0]?.pesewas ?? 0
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

/** Whether a journal entry with this key was posted. */
export async function hasEntry(tx: Tx, key: string): Promise<boolean> {
  const { rowCount } = await tx.query('select from journal_entries where key = $1', [key])
  return rowCount === 1
}
