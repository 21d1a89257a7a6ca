/** A row of a made-up statement, amounts as they stand in its cells. */
export type StatementCells = {
  transactionId: string
  amount: string
  direction?: string
  payer?: string
  payerPhone?: string
  reference?: string
  at?: string
  status?: string
}

const COLUMNS = ['transactionId', 'amount', 'direction', 'payer', 'payerPhone', 'reference', 'at', 'status'] as const
const HEADINGS = ['Transaction ID', 'Amount', 'Dr/Cr', 'From name', 'From number', 'Reference', 'Date', 'Status']

/** What the shop is sent of such a statement. */
export function statementBody(rows: readonly StatementCells[], network = 'MTN') {
  return {
    network,
    headings: HEADINGS,
    rows: rows.map((row) => COLUMNS.map((role) => (role === 'direction' ? (row.direction ?? 'CR') : (row[role] ?? '')))),
    columns: Object.fromEntries(COLUMNS.map((role, at) => [role, at])),
  }
}
