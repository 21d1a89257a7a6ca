import type { StaffRole } from '../../../../shared/staff-rules.ts'
import type { Queryable, Tx } from '../../../platform/db.ts'
import type { StaffRules } from '../second-factor/staff-rules.sql.ts'

export type StaffRow = { id: string; username: string; phone: string; roles: StaffRole[]; hasCode: boolean; lastSeenAt: Date | null }

/** Everybody who works here, owners first. They are few, so the list has no pages. */
export async function selectStaff(db: Queryable, now: Date): Promise<StaffRow[]> {
  const { rows } = await db.query<StaffRow>(
    `select u.id, u.username, u.phone, array(select role from staff_roles r where r.user_id = u.id order by role) as roles,
       exists (select from second_factors f where f.user_id = u.id and f.confirmed_at is not null) as "hasCode",
       (select max(s.last_used_at) from sessions s where s.user_id = u.id and s.expires_at > $1) as "lastSeenAt"
     from users u where u.level = 'Admin' and u.status = 'Active'
     order by exists (select from staff_roles r where r.user_id = u.id and r.role = 'owner') desc, u.seq`,
    [now],
  )
  return rows
}

export async function lockStaffRules(tx: Tx) {
  await tx.query('select from staff_rules for update')
}

export async function updateStaffRules(tx: Tx, rules: StaffRules, now: Date) {
  await tx.query(
    `update staff_rules set second_factor_required = $1, password_above_pesewas = $2, second_person_above_pesewas = $3, updated_at = $4`,
    [rules.secondFactorRequired, rules.passwordAbovePesewas, rules.secondPersonAbovePesewas, now],
  )
}
