import { toCedis } from '../../../shared/money.ts'
import type { StatementLine } from '../../../shared/wallet.ts'
import { KIND_NAMES, type StatementRow } from './statement.sql.ts'

export function presentStatementLine(row: StatementRow): StatementLine {
  const isByShop = row.kind === 'admin-credit' || row.kind === 'admin-debit'
  return {
    id: `${row.entryId}-${row.line}`,
    createdAt: row.createdAt.toISOString(),
    kind: KIND_NAMES[row.shownKind],
    reference: row.reference,
    details: isByShop ? row.note : row.memo,
    amount: toCedis(row.amountPesewas),
    balance: toCedis(row.balanceAfterPesewas),
  }
}
