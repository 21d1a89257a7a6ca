import type { Queryable, Tx } from '../../platform/db.ts'

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
    `select from received_payments where status = 'waiting' and doubts = '{}' and forwarder_id is not null limit 1`,
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
