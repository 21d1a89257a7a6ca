import { toCedis } from '../../../../shared/money.ts'
import type { StaffRole } from '../../../../shared/staff-rules.ts'
import type { ListedUser, User } from '../../../../shared/users.ts'
import type { UserRow } from './users.sql.ts'

/** One's own record, with one's roles if one works for the shop. */
export function presentSelf(row: UserRow, roles: readonly StaffRole[]): User {
  return { ...presentUser(row), ...(row.level === 'Admin' && { roles: [...roles] }) }
}

/** A user as staff without a view of wallets see them. */
export function presentUserWithoutWallet(row: UserRow): ListedUser {
  const { balance: _balance, balanceVersion: _version, totalPurchase: _total, ...rest } = presentUser(row)
  return rest
}

/** A user as themself or staff who see wallets see them. */
export function presentUser(row: UserRow): User {
  return {
    _id: row.id,
    username: row.username,
    email: row.email,
    phone: row.phone,
    userLevel: row.level,
    isAdmin: row.level === 'Admin',
    status: row.status,
    totalPurchase: toCedis(row.totalPurchasePesewas),
    balance: toCedis(row.balancePesewas),
    balanceVersion: row.balanceVersion,
    createdAt: row.createdAt.toISOString(),
    ...(row.sells && { sells: true }),
  }
}
