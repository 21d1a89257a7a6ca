import type { Decision } from '../../../../shared/orders.ts'
import { rolesFor, type WantedRole } from '../../../../shared/staff-rules.ts'
import type { Queryable, Tx } from '../../../platform/db.ts'

/** Null is never; `secondFactorRequired` is null until a process has decided by its mode. Amounts in pesewas. */
export type StaffRules = {
  secondFactorRequired: boolean | null
  passwordAbovePesewas: number | null
  secondPersonAbovePesewas: number | null
}

export async function selectStaffRules(db: Queryable): Promise<StaffRules> {
  const { rows } = await db.query<StaffRules>(
    `select second_factor_required as "secondFactorRequired", password_above_pesewas as "passwordAbovePesewas",
       second_person_above_pesewas as "secondPersonAbovePesewas" from staff_rules`,
  )
  return rows[0] as StaffRules
}

/** What one person does alone, of a kind, is added up one by one, so that two acts at once both count. */
export async function takeLimitTurn(tx: Tx, kind: 'moved' | 'refunded' | 'corrected', userId: string): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended($1 || ' by ' || $2, 0))`, [kind, userId])
}

/** Whether anybody but this user may move money, or does the work of another role, and so may do what they may not do alone. */
export async function hasSecondPerson(db: Queryable, userId: string, wanted: WantedRole = 'finance'): Promise<boolean> {
  const { rowCount } = await db.query(
    `select from staff_roles r join users u on u.id = r.user_id
     where r.role = any ($2) and u.level = 'Admin' and u.status = 'Active' and u.id <> $1 limit 1`,
    [userId, rolesFor(wanted)],
  )
  return rowCount === 1
}

/** Whose gain a decision is: of accounts, of phone numbers that pay or are paid, of agents' shops, or of whom an order's decision concerns. */
export type Gain =
  | { users?: (string | null)[]; phones?: (string | null)[]; shops?: (string | null)[] }
  | { orderId: string; status: Decision }

export async function gainsFrom(db: Queryable, userId: string, gain: Gain): Promise<boolean> {
  const { rows } =
    'orderId' in gain
      ? await db.query<{ gains: boolean }>('select gains_from_order($1, $2, $3) as gains', [userId, gain.orderId, gain.status])
      : await db.query<{ gains: boolean }>('select gains_from($1, $2, $3, $4) as gains', [
          userId,
          gain.users ?? [],
          gain.phones ?? [],
          gain.shops ?? [],
        ])
  return rows[0]?.gains ?? false
}

export async function isOnlyOwner(db: Queryable, userId: string): Promise<boolean> {
  const { rows } = await db.query<{ only: boolean }>('select is_only_owner($1) as only', [userId])
  return rows[0]?.only ?? false
}
