import { findWallet, type Wallet } from '../../ledger/ledger.ts'
import type { Queryable } from '../../platform/db.ts'
import type { Page } from '../../platform/http/lists.ts'
import { type StatementRow, selectStatement } from './statement.sql.ts'

/**
 * The movements of a user's wallet that match, newest first, and how many there are. The account comes from a statement of its
 * own: from a subquery PostgreSQL cannot estimate its postings, and may read the whole ledger.
 * @throws Error when the user has no wallet.
 */
export async function readStatement(
  db: Queryable,
  userId: string,
  page: Page & { month: string | null },
): Promise<{ lines: StatementRow[]; total: number }> {
  const { accountId } = await findOwnWallet(db, userId)
  return selectStatement(db, { ...page, accountId })
}

/** What a user may spend, in pesewas: also what is set aside for an order. @throws Error as `findOwnWallet` does. */
export async function readSpendable(db: Queryable, userId: string): Promise<number> {
  const { balancePesewas, reservedPesewas } = await findOwnWallet(db, userId)
  return balancePesewas + reservedPesewas
}

/** @throws Error when the user has no wallet: everyone gets one when they register. */
export async function findOwnWallet(db: Queryable, userId: string): Promise<Wallet> {
  const wallet = await findWallet(db, userId)
  if (!wallet) throw new Error(`user ${userId} has no wallet`)
  return wallet
}
