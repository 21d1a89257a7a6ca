import { STAFF_ROLES, type StaffRole } from '../../../../../shared/staff-rules.ts'

export const ROLE_NAMES: Record<StaffRole, string> = {
  owner: 'Owner',
  orders: 'Orders',
  finance: 'Finance',
  products: 'Prices',
  support: 'Support',
}

/** "Owner", or "Orders, Support"; "Owner" too for a session from before there were roles. */
export function roleNames({ roles = ['owner'] }: { roles?: readonly StaffRole[] | undefined }): string {
  if (roles.includes('owner')) return ROLE_NAMES.owner
  return (
    STAFF_ROLES.filter((role) => roles.includes(role))
      .map((role) => ROLE_NAMES[role])
      .join(', ') || 'No role'
  )
}
