import type { StaffRole } from '../../../shared/staff-rules.ts'
import type { Queryable } from '../../platform/db.ts'

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

/** Whether anybody but this user may move money, or does the work of another role, and so may do what they may not do alone. */
export async function hasSecondPerson(db: Queryable, userId: string, role: StaffRole = 'finance'): Promise<boolean> {
  const { rowCount } = await db.query(
    `select from staff_roles r join users u on u.id = r.user_id
     where r.role in ($2, 'owner') and u.level = 'Admin' and u.status = 'Active' and u.id <> $1 limit 1`,
    [userId, role],
  )
  return rowCount === 1
}
