import type { Queryable, Tx } from '../../../platform/db.ts'

/** What is credited without a person, in pesewas; 0 for nothing. See the table. */
export type CreditRulesRow = {
  mostPesewas: number
  dailyPesewas: number
  unsignedPesewas: number
  claimPesewas: number
  silentMinutes: number
}

const RULES = `most_pesewas as "mostPesewas", daily_pesewas as "dailyPesewas", unsigned_pesewas as "unsignedPesewas",
  claim_pesewas as "claimPesewas", silent_minutes as "silentMinutes"`

export async function selectCreditRules(db: Queryable): Promise<CreditRulesRow> {
  const { rows } = await db.query<CreditRulesRow>(`select ${RULES} from credit_rules`)
  return rows[0] as CreditRulesRow
}

export async function lockCreditRules(tx: Tx): Promise<CreditRulesRow> {
  const { rows } = await tx.query<CreditRulesRow>(`select ${RULES} from credit_rules for update`)
  return rows[0] as CreditRulesRow
}

export async function updateCreditRules(tx: Tx, rules: CreditRulesRow) {
  await tx.query(
    'update credit_rules set most_pesewas = $1, daily_pesewas = $2, unsigned_pesewas = $3, claim_pesewas = $4, silent_minutes = $5',
    [rules.mostPesewas, rules.dailyPesewas, rules.unsignedPesewas, rules.claimPesewas, rules.silentMinutes],
  )
}

/** True when a payment waits that its phone's balances have proven and nothing speaks against. */
export async function hasProvenPayments(db: Queryable): Promise<boolean> {
  const { rowCount } = await db.query(
    `select from received_payments where status = 'waiting' and doubts = '{}' and forwarder_id is not null and source = 'phone' limit 1`,
  )
  return rowCount !== 0
}

/** What the shop has credited by itself since then. Whoever asks next waits until this transaction ends, so that the sum holds. */
export async function sumAutomatic(tx: Tx, since: Date): Promise<number> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('automatic credits', 0))`)
  const { rows } = await tx.query<{ pesewas: number }>(
    'select coalesce(sum(amount_pesewas), 0)::bigint as pesewas from payment_credits where automatic and credited_at >= $1 and taken_back_at is null',
    [since],
  )
  return rows[0]?.pesewas ?? 0
}

/** How far a phone's messages are believed: it is still the shop's, and its app signs them. */
export async function selectTrust(tx: Tx, forwarderId: string): Promise<{ signs: boolean } | null> {
  const { rows } = await tx.query<{ signs: boolean }>(
    `select app = 'sms-gateway' as signs from forwarders where id = $1 and ended_at is null for share`,
    [forwarderId],
  )
  return rows[0] ?? null
}

/** Customers whom nothing may be credited to without a person, such as banned ones, are not active. */
export async function isActiveUser(tx: Tx, userId: string): Promise<boolean> {
  const { rowCount } = await tx.query(`select from users where id = $1 and status = 'Active' for share`, [userId])
  return rowCount !== 0
}

const HEARD_WITHIN_MS = 24 * 3_600_000

/**
 * Up to how many pesewas a payment is credited without a person at present: 0 unless a phone that was heard of lately has a wallet whose
 * messages all follow from one another.
 */
export async function selectByItself(db: Queryable, now: Date): Promise<number> {
  const { rows } = await db.query<{ pesewas: number }>(
    `select coalesce(max(case when f.app = 'sms-gateway' then r.most_pesewas else least(r.most_pesewas, r.unsigned_pesewas) end), 0)::bigint as pesewas
     from credit_rules r, forwarders f join momo_wallets w on w.forwarder_id = f.id
     where f.ended_at is null and f.silent_since is null and f.seen_at > $1 and w.balance_pesewas is not null
       and not exists (select from wallet_movements m where m.forwarder_id = w.forwarder_id and m.network = w.network
         and m.proven_at is null and m.left_out_at is null)`,
    [new Date(now.getTime() - HEARD_WITHIN_MS)],
  )
  return rows[0]?.pesewas ?? 0
}
