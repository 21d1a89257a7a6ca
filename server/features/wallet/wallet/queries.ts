import { findOwnWallet } from '../../../ledger/ledger.ts'
import type { Queryable } from '../../../platform/db.ts'
import type { Page } from '../../../platform/http/lists.ts'
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
