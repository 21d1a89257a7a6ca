/** What somebody who works for the shop may do. An owner may do everything. */
export const STAFF_ROLES = ['orders', 'finance', 'products', 'support', 'owner'] as const
export type StaffRole = (typeof STAFF_ROLES)[number]

/** One role, any one of several, or `staff` for whoever has a role at all. */
export type WantedRole = StaffRole | readonly StaffRole[] | 'staff'

/** Who sees everybody's orders, and the people who bought them. */
export const SEES_ORDERS = ['orders', 'finance', 'support'] as const satisfies readonly StaffRole[]
/** Who sees wallet balances, statements and requests to credit a wallet. */
export const SEES_WALLETS = ['finance', 'support'] as const satisfies readonly StaffRole[]
/** Who sees what customers have paid in, what the shop holds for them, and what it earns. */
export const SEES_FINANCE = ['finance'] as const satisfies readonly StaffRole[]
/** Who sees what packages cost the shop, and so its profit. */
export const SEES_COSTS = ['finance', 'products'] as const satisfies readonly StaffRole[]
/** Agents' shops. */
export const SEES_SHOPS = ['finance', 'support', 'products'] as const satisfies readonly StaffRole[]
/** Who answers customers' reports. */
export const ANSWERS_REPORTS = ['orders', 'support'] as const satisfies readonly StaffRole[]

/** The roles that satisfy a wish; being an owner always does. */
export function rolesFor(wanted: WantedRole): StaffRole[] {
  if (wanted === 'staff') return [...STAFF_ROLES]
  return [...new Set<StaffRole>([...(typeof wanted === 'string' ? [wanted] : wanted), 'owner'])]
}

export function hasRole({ roles = [] }: { roles?: readonly StaffRole[] | undefined }, wanted: WantedRole): boolean {
  const enough = rolesFor(wanted)
  return roles.some((role) => enough.includes(role))
}
