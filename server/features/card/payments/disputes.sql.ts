import type { DisputeWebhookEvent, RefundWebhookEvent } from '../../../integrations/payments/card-payments.ts'
import type { Queryable, Tx } from '../../../platform/db.ts'
import { likePatterns, type Page } from '../../../platform/http/lists.ts'

export type DisputeOutcome = DisputeWebhookEvent['outcome']

/**
 * Stores a dispute event and returns the dispute's state and whether it changed. Events arrive in any order: a resolved
 * dispute is never reopened, and a clear outcome stays unless the provider has decided otherwise since. `outcome` is null, and nothing
 * changes, when the dispute is known as one of another payment.
 */
export async function upsertDispute(
  tx: Tx,
  dispute: DisputeWebhookEvent,
  now: Date,
): Promise<{ outcome: DisputeOutcome | null; isNews: boolean }> {
  const { rows: known } = await tx.query<{ outcome: DisputeOutcome }>('select outcome from disputes where provider_id = $1 for update', [
    dispute.id,
  ])
  // Events come in any order, so of two clear outcomes the one counts that the provider decided later. What was won back is not lost again.
  const isLater = `kept.outcome in ('won', 'lost') and excluded.outcome in ('won', 'lost') and kept.won_back_pesewas = 0
    and excluded.decided_at > coalesce(kept.decided_at, kept.resolved_at)`
  const { rows } = await tx.query<{ outcome: DisputeOutcome }>(
    `insert into disputes as kept (provider_id, reference, amount_pesewas, currency, category, status, resolution, outcome, payer_email,
       due_at, heard_at, resolved_at, decided_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, case when $8 <> 'open' then $11::timestamptz end, $12)
     on conflict (provider_id) do update set
       due_at = coalesce(kept.due_at, excluded.due_at), payer_email = coalesce(kept.payer_email, excluded.payer_email),
       amount_pesewas = case when kept.booked_pesewas > 0 then kept.amount_pesewas when excluded.outcome = 'open' and kept.outcome <> 'open'
         then kept.amount_pesewas else excluded.amount_pesewas end,
       status = case when kept.outcome in ('open', 'unclear') and (kept.outcome = 'open' or excluded.outcome <> 'open') then excluded.status else kept.status end,
       resolution = coalesce(kept.resolution, excluded.resolution),
       resolved_at = coalesce(kept.resolved_at, excluded.resolved_at),
       decided_at = case when kept.outcome in ('open', 'unclear') or (${isLater}) then excluded.decided_at else kept.decided_at end,
       outcome = case when ${isLater} then excluded.outcome when kept.outcome = 'open' or (kept.outcome = 'unclear' and excluded.outcome <> 'open') then excluded.outcome else kept.outcome end
     where kept.reference = excluded.reference
     returning outcome`,
    [
      dispute.id,
      dispute.reference,
      dispute.amountPesewas,
      dispute.currency,
      dispute.category,
      dispute.status,
      dispute.resolution,
      dispute.outcome,
      dispute.payerEmail,
      dispute.dueAt,
      now,
      dispute.decidedAt,
    ],
  )
  const outcome = rows[0]?.outcome ?? null
  return { outcome, isNews: outcome !== null && outcome !== known[0]?.outcome }
}

/**
 * Stores a refund event and returns whether it is news. Early events may lack an id; a later event with an id takes over
 * their record. A paid-out refund stays paid out. `isOfOther`, and nothing changes: it is known as a refund of another payment.
 */
export async function upsertRefund(tx: Tx, refund: RefundWebhookEvent, now: Date): Promise<{ isNews: boolean; isOfOther: boolean }> {
  const id = await nameRefund(tx, refund)
  const { rows: known } = await tx.query<{ status: string }>('select status from card_refunds where provider_id = $1 for update', [id])
  const { rows } = await tx.query<{ status: string }>(
    `insert into card_refunds as kept (provider_id, reference, amount_pesewas, currency, status, heard_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $6)
     on conflict (provider_id) do update set updated_at = excluded.updated_at, status = case
       when array_position(array['pending', 'processing', 'needs-attention', 'failed', 'processed'], excluded.status)
         > array_position(array['pending', 'processing', 'needs-attention', 'failed', 'processed'], kept.status) then excluded.status else kept.status end
     where kept.reference = excluded.reference
     returning status`,
    [id, refund.reference, refund.amountPesewas, refund.currency, refund.status, now],
  )
  const isOfOther = rows.length === 0
  return { isNews: !isOfOther && rows[0]?.status !== known[0]?.status, isOfOther }
}

/** The id under which a refund is stored: its own, or until an event names one, a name made from its payment and amount. */
async function nameRefund(tx: Tx, { id, reference, amountPesewas }: RefundWebhookEvent): Promise<string> {
  const unnamed = `${reference}:${amountPesewas}`
  if (id === null) {
    const { rows } = await tx.query<{ id: string }>(
      'select provider_id as id from card_refunds where reference = $1 and amount_pesewas = $2 order by seq limit 1',
      [reference, amountPesewas],
    )
    return rows[0]?.id ?? unnamed
  }
  const { rows } = await tx.query<{ status: string }>('select status from card_refunds where provider_id = $1 for update', [unnamed])
  // Once in the ledger, the name must not change.
  if (rows[0]?.status === 'processed') return unnamed
  if (rows[0]) {
    await tx.query(
      'update card_refunds set provider_id = $1 where provider_id = $2 and not exists (select from card_refunds where provider_id = $1)',
      [id, unnamed],
    )
  }
  return id
}

export type Return = { kind: 'dispute' | 'refund'; id: string; amountPesewas: number; currency: string }

/** Money returned to a payment's payer and not yet in the ledger, oldest first. */
export async function selectUnbookedReturns(tx: Tx, reference: string): Promise<Return[]> {
  const { rows } = await tx.query<Return>(
    `select 'dispute' as kind, provider_id as id, amount_pesewas as "amountPesewas", currency, heard_at from disputes
       where reference = $1 and outcome = 'lost' and booked_pesewas = 0
     union all
     select 'refund', provider_id, amount_pesewas, currency, heard_at from card_refunds
       where reference = $1 and status = 'processed' and booked_pesewas = 0
     order by heard_at, id`,
    [reference],
  )
  return rows
}

/** Records what was booked for a dispute or refund; `lossPesewas` is the part not compensated. What the payment caused follows. */
export async function markBooked(tx: Tx, reference: string, { kind, id, amountPesewas }: Return, lossPesewas: number, now: Date) {
  const table = kind === 'dispute' ? 'disputes' : 'card_refunds'
  await tx.query(`update ${table} set booked_pesewas = $2 where provider_id = $1`, [id, amountPesewas])
  await tx.query('select change_loss($1, $2, $3, $4)', [reference, amountPesewas, lossPesewas, now])
}

/** The lost disputes of a payment that the shop has won since: what was booked for each, in pesewas, and what the payment still lacks. */
export async function selectWonBack(tx: Tx, reference: string): Promise<{ id: string; amountPesewas: number; lossPesewas: number }[]> {
  const { rows } = await tx.query<{ id: string; amountPesewas: number; lossPesewas: number }>(
    `select d.provider_id as id, d.booked_pesewas as "amountPesewas", p.loss_pesewas as "lossPesewas"
     from disputes d join payments p using (reference) where d.reference = $1 and d.outcome = 'won' and d.booked_pesewas > 0 order by d.seq`,
    [reference],
  )
  return rows
}

/** Records that what a dispute had taken came back; `compensatedPesewas` of it end the loss. */
export async function markWonBack(
  tx: Tx,
  reference: string,
  { id, amountPesewas, compensatedPesewas, now }: { id: string; amountPesewas: number; compensatedPesewas: number; now: Date },
) {
  await tx.query('update disputes set booked_pesewas = 0, won_back_pesewas = $2 where provider_id = $1', [id, amountPesewas])
  await tx.query('select change_loss($1, -$2::bigint, -$3::bigint, $4)', [reference, amountPesewas, compensatedPesewas, now])
}

/**
 * Until the transaction ends, nobody else records a dispute, refund or payment under this reference, so concurrent ones see
 * each other. The payment's row may not exist yet, so it cannot be locked.
 */
export async function lockReturnsOf(tx: Tx, reference: string) {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('returns of ' || $1, 0))`, [reference])
}

/** Why a payment's orders are on hold, from its known disputes and refunds; null when they are not. */
export async function selectHoldReason(tx: Tx, reference: string): Promise<string | null> {
  const { rows } = await tx.query<{ reason: string | null }>(
    `select case
       when exists (select from disputes where reference = $1 and outcome = 'lost') then 'the payer got the money back through their bank'
       when exists (select from disputes where reference = $1 and outcome in ('open', 'unclear')) then 'the payer disputes the card payment'
       when exists (select from card_refunds c where c.reference = $1 and c.status <> 'failed'
         and not exists (select from refunds r where r.provider_id = c.provider_id)) then 'the card payment was refunded at the provider'
     end as reason`,
    [reference],
  )
  return rows[0]?.reason ?? null
}

export async function updateHold(tx: Tx, reference: string, reason: string | null) {
  await tx.query('update payments set hold_reason = $2 where reference = $1', [reference, reason])
}

export type DisputeRow = {
  id: string
  kind: 'dispute' | 'refund'
  reference: string
  amountPesewas: number
  currency: string
  category: string
  status: string
  outcome: string
  payerEmail: string | null
  dueAt: Date | null
  heardAt: Date
  bookedPesewas: number
  holdReason: string | null
  user: { username: string; phone: string; email: string } | null
}

/** Disputes and refunds: those that need an answer first, most urgent first. */
export async function selectDisputes(db: Queryable, { limit, offset, search }: Page): Promise<{ disputes: DisputeRow[]; total: number }> {
  const all = `(
      select provider_id as id, 'dispute' as kind, reference, amount_pesewas, currency, category, status, outcome, payer_email, due_at, heard_at, booked_pesewas from disputes
      union all
      select provider_id, 'refund', reference, amount_pesewas, currency, 'refund', status, status, null, null, heard_at, booked_pesewas from card_refunds
    ) d left join payments p on p.reference = d.reference left join users u on u.id = p.user_id
    where $1::text[] is null or d.reference ilike any ($1) or u.username ilike any ($1) or u.phone ilike any ($1)
      or coalesce(u.email, d.payer_email) ilike any ($1) or shown_amount(d.amount_pesewas) ilike any ($1)`
  const patterns = likePatterns(search)
  const [page, count] = await Promise.all([
    db.query<DisputeRow>(
      `select d.id, d.kind, d.reference, d.amount_pesewas as "amountPesewas", d.currency, d.category, d.status, d.outcome,
         d.payer_email as "payerEmail", d.due_at as "dueAt", d.heard_at as "heardAt", d.booked_pesewas as "bookedPesewas",
         p.hold_reason as "holdReason",
         case when u.id is not null then jsonb_build_object('username', u.username, 'phone', u.phone, 'email', u.email) end as user
       from ${all} order by d.outcome not in ('open', 'unclear'), d.due_at nulls last, d.heard_at desc, d.id limit $2 offset $3`,
      [patterns, limit, offset],
    ),
    db.query<{ total: number }>(`select count(*) as total from ${all}`, [patterns]),
  ])
  return { disputes: page.rows, total: count.rows[0]?.total ?? 0 }
}

export type UnmatchedRow = {
  reference: string
  amountPesewas: number
  currency: string
  isTest: boolean
  payerEmail: string | null
  foundAt: Date
  /** The users with that e-mail address. */
  username: string | null
}

/** Stores money received under an unknown reference; false when it is already stored or the reference has become known. */
export async function insertUnmatched(
  db: Queryable,
  payment: Omit<UnmatchedRow, 'username' | 'foundAt'> & { now: Date },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into unmatched_payments (reference, amount_pesewas, currency, is_test, payer_email, found_at)
     select $1, $2, $3, $4, $5, $6 where not exists (select from payments where reference = $1) on conflict (reference) do nothing`,
    [payment.reference, payment.amountPesewas, payment.currency, payment.isTest, payment.payerEmail, payment.now],
  )
  return rowCount === 1
}

/** Unmatched money that is neither booked as a payment nor returned. */
export async function selectUnmatched(
  db: Queryable,
  { limit, offset, search }: Page,
): Promise<{ payments: UnmatchedRow[]; total: number }> {
  const matches = `not exists (select from payments p where p.reference = m.reference)
    and not exists (select from card_refunds r where r.reference = m.reference and r.status = 'processed' and r.amount_pesewas >= m.amount_pesewas)
    and ($1::text[] is null or m.reference ilike any ($1) or m.payer_email ilike any ($1))`
  const patterns = likePatterns(search)
  const [page, count] = await Promise.all([
    db.query<UnmatchedRow>(
      `select m.reference, m.amount_pesewas as "amountPesewas", m.currency, m.is_test as "isTest", m.payer_email as "payerEmail",
         m.found_at as "foundAt", (select u.username from users u where lower(u.email) = lower(m.payer_email) and u.email_confirmed_at is not null limit 1) as username
       from unmatched_payments m where ${matches} order by m.found_at desc, m.reference limit $2 offset $3`,
      [patterns, limit, offset],
    ),
    db.query<{ total: number }>(`select count(*) as total from unmatched_payments m where ${matches}`, [patterns]),
  ])
  return { payments: page.rows, total: count.rows[0]?.total ?? 0 }
}
