import type { StatementRow } from '../../../../shared/received-payments.ts'
import type { Table } from './read-table.ts'

/** What a column of a statement may hold. `in` and `out` are amounts in columns of their own. */
export const COLUMN_NAMES = {
  transactionId: 'Transaction ID',
  at: 'Date and time',
  amount: 'Amount',
  in: 'Money in',
  out: 'Money out',
  type: 'Kind of transaction',
  status: 'Status',
  payer: 'From: name',
  payerPhone: 'From: number',
  reference: 'Reference',
  balance: 'Balance after',
  balanceBefore: 'Balance before',
} as const
export type ColumnName = keyof typeof COLUMN_NAMES

/** Which column holds what; a name that is missing is in none. */
export type Columns = Partial<Record<ColumnName, number>>

/** How headings of statements call each column, the best name first. */
const HEADINGS: Record<ColumnName, readonly RegExp[]> = {
  transactionId: [/^f[_ ]?id$/i, /financial trans/i, /trans(action|\.)?\s*(id|no|number|ref)/i, /receipt/i, /^id$/i],
  at: [/transaction date|completion time|date.*time/i, /date/i, /time/i],
  in: [/paid in|money in|credit|deposit/i],
  out: [/withdrawn|money out|debit|paid out/i],
  balanceBefore: [/bal\w* before|opening/i],
  balance: [/bal\w* after|closing/i, /balance/i],
  amount: [/^amount/i, /amount|value/i],
  type: [/trans\.? ?type|type|details|description/i],
  status: [/status/i],
  payer: [/from name|sender name|payer name|^from$|^name$|customer/i, /name/i],
  payerPhone: [/from no|sender (no|number|msisdn)|from (number|msisdn)|msisdn|phone|mobile/i],
  reference: [/^ref\.?$|^reference$/i, /ref(erence)?|note|message|narration/i],
}
/** The order in which columns are chosen, since each holds one thing. */
const ORDER: readonly ColumnName[] = [
  'balanceBefore',
  'balance',
  'transactionId',
  'at',
  'payerPhone',
  'payer',
  'in',
  'out',
  'amount',
  'status',
  'type',
  'reference',
]

/** Guesses the columns from the headings. What is wrong is for a person to correct. */
export function guessColumns(headings: readonly string[]): Columns {
  const columns: Columns = {}
  const taken = new Set<number>()
  for (const name of ORDER) {
    for (const pattern of HEADINGS[name]) {
      const at = headings.findIndex((heading, index) => !taken.has(index) && pattern.test(heading.trim()))
      if (at < 0) continue
      columns[name] = at
      taken.add(at)
      break
    }
  }
  return columns
}

export type ReadRows = { rows: StatementRow[]; skipped: number; problem: string | null }

/** The rows in the chosen columns. A row without a transaction ID or an amount is skipped. */
export function readRows(table: Table, columns: Columns): ReadRows {
  if (columns.transactionId === undefined) return { rows: [], skipped: 0, problem: 'Choose the column with the transaction ID.' }
  if (columns.amount === undefined && columns.in === undefined)
    return { rows: [], skipped: 0, problem: 'Choose the column with the amount.' }
  const rows: StatementRow[] = []
  let skipped = 0
  for (const cells of table.rows) {
    const text = (name: ColumnName) => (columns[name] === undefined ? '' : (cells[columns[name]] ?? '').trim())
    const id = text('transactionId').replace(/^'/, '').replace(/\.0$/, '')
    // A spreadsheet that showed the number as 8.37E+10 has lost its last digits.
    if (/^\d(\.\d+)?e\+?\d+$/i.test(id)) {
      return {
        rows: [],
        skipped,
        problem: 'The transaction IDs are cut off. Format that column as text or number in the spreadsheet, and save again.',
      }
    }
    const amount = amountOf(text)
    if (!/^[A-Za-z0-9.-]{4,40}$/.test(id) || amount === null) {
      skipped++
      continue
    }
    rows.push({
      kind: kindOf(text, amount),
      transactionId: id,
      amount: Math.abs(amount) / 100,
      payer: text('payer').slice(0, 120) || null,
      payerPhone: text('payerPhone').slice(0, 40) || null,
      reference: text('reference').slice(0, 200) || null,
      at: timeOf(text('at')),
      balance: cedisOf(text('balance')),
    })
  }
  return { rows, skipped, problem: rows.length === 0 ? 'No row has both a transaction ID and an amount. Check the columns.' : null }
}

type Read = (name: ColumnName) => string

/** In pesewas, below zero for money out. */
function amountOf(text: Read): number | null {
  const [into, out, amount] = [pesewasOf(text('in')), pesewasOf(text('out')), pesewasOf(text('amount'))]
  return into || (out ? -Math.abs(out) : null) || amount || null
}

function kindOf(text: Read, amount: number): StatementRow['kind'] {
  if (/fail|revers|cancel|declin|pending/i.test(text('status'))) return 'failed'
  const [before, after] = [pesewasOf(text('balanceBefore')), pesewasOf(text('balance'))]
  if (amount < 0) return 'out'
  if (before !== null && after !== null && before !== after) return after > before ? 'in' : 'out'
  if (pesewasOf(text('in'))) return 'in'
  return /cash.?out|payment to|paid|sent|transfer to|withdraw|debit|airtime|bundle|fee/i.test(text('type')) ? 'out' : 'in'
}

function cedisOf(text: string): number | null {
  const pesewas = pesewasOf(text)
  return pesewas === null ? null : pesewas / 100
}

function pesewasOf(text: string): number | null {
  const match = /^\(?(-?)\s*(?:GHS|GH¢|¢)?\s*(-?)(\d[\d,]*)(?:\.(\d+))?\)?$/i.exec(text.trim())
  if (!match) return null
  const [, sign, inner, whole = '', fraction = ''] = match
  const pesewas = Math.round(Number(`${whole.replaceAll(',', '')}.${fraction || '0'}`) * 100)
  return sign || inner || text.trim().startsWith('(') ? -pesewas : pesewas
}

/** Days first, as in Ghana, and in its time, which is UTC. */
function timeOf(text: string): string | null {
  const local = /^(\d{1,2})[/.-](\d{1,2}|[A-Za-z]{3})[/.-](\d{2,4})(?:,?\s+(\d{1,2}):(\d\d)(?::(\d\d))?\s*([ap]m)?)?/i.exec(text)
  const iso = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d))?)?/.exec(text)
  if (!local && !iso) return null
  const [day, month, year, hours, minutes, seconds] = iso
    ? [iso[3], iso[2], iso[1], iso[4], iso[5], iso[6]]
    : [local?.[1], monthOf(local?.[2] ?? ''), local?.[3], local?.[4], local?.[5], local?.[6]]
  const half = /pm/i.test(local?.[7] ?? '') && Number(hours) < 12 ? 12 : 0
  const fullYear = Number(year) < 100 ? 2000 + Number(year) : Number(year)
  const at = new Date(
    Date.UTC(fullYear, Number(month) - 1, Number(day), Number(hours ?? 0) + half, Number(minutes ?? 0), Number(seconds ?? 0)),
  )
  return Number.isNaN(at.getTime()) ? null : at.toISOString()
}

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')

function monthOf(text: string): string {
  const named = MONTHS.indexOf(text.toLowerCase())
  return named < 0 ? text : String(named + 1)
}
