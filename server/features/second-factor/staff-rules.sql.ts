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

/** Whether anybody but this user may move money, and so approve what they propose. */
export async function hasSecondPerson(db: Queryable, userId: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `select from staff_roles r join users u on u.id = r.user_id
     where r.role in ('finance', 'owner') and u.level = 'Admin' and u.status = 'Active' and u.id <> $1 limit 1`,
    [userId],
  )
  return rowCount === 1
}
