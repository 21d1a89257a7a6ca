import { STATEMENT_WORDS } from '../../../../../shared/readers/heading-words.ts'
import { tally } from '../../../../../shared/readers/phrases.ts'
import { readTable } from '../../../../../shared/readers/read-table.ts'
import type { Sheet } from '../../../../../shared/readers/sheets.ts'

const FEWEST_COLUMNS = 3
const EVEN = 0.8

/** Whether a file has the rows of a statement, and not messages: by its headings, or because nearly all of its lines have as many cells. */
export function isStatement(text: string, sheets: readonly Sheet[]): boolean {
  const isBackup = /^\s*(?:<[?!a-z]|\{)/i.test(text) && !/^\s*<(?:!doctype html|html|table|meta)/i.test(text)
  if (isBackup) return false
  const { columns, rows } = readTable(sheets, STATEMENT_WORDS)
  if (Object.keys(columns).length >= 2) return true
  return tally(rows.map(({ cells }) => cells.length)).some(([cells, count]) => cells >= FEWEST_COLUMNS && count >= rows.length * EVEN)
}
