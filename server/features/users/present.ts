import { toCedis } from '../../../shared/money.ts'
import type { User } from '../../../shared/users.ts'
import type { UserRow } from './users.sql.ts'

/** A user as themself or an admin sees them. */
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
  }
}
