import { toCedis } from '../../../shared/money.ts'
import type { StatementLine } from '../../../shared/wallet.ts'
import type { EntryKind } from '../../ledger/ledger.ts'
import type { StatementRow } from './statement.sql.ts'

const KIND: Record<EntryKind, StatementLine['kind']> = {
  order: 'Order',
  'order-refund': 'Refund',
  recharge: 'Recharge',
  'card-payment': 'Card payment',
  'card-surcharge': 'Card surcharge',
  'card-refund': 'Card refund',
  'dispute-lost': 'Card dispute',
  'dispute-recovered': 'Card dispute',
  'agent-upgrade': 'Overpaid agent upgrade',
  'admin-credit': 'Credit by the shop',
  'admin-debit': 'Debit by the shop',
}

export function presentStatementLine(row: StatementRow): StatementLine {
  const isByShop = row.kind === 'admin-credit' || row.kind === 'admin-debit'
  return {
    id: `${row.entryId}-${row.line}`,
    createdAt: row.createdAt.toISOString(),
    kind: KIND[row.kind],
    reference: row.reference,
    details: isByShop ? null : row.memo,
    amount: toCedis(row.amountPesewas),
    balance: toCedis(row.balanceAfterPesewas),
  }
}
