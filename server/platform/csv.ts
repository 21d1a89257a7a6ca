import { spacedPhone } from '../../shared/phones.ts'

/** A cell: text, a number as it stands, or nothing. */
export type Cell = string | number | null

/** Excel takes a file for UTF-8 only when it begins so. */
export const BYTE_ORDER_MARK = '\uFEFF'

/** One line of RFC 4180, its line end included. */
export function csvLine(cells: Cell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  const text = startsFormula(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A spreadsheet runs what begins like this; a quote before it makes it text (CWE-1236). */
function startsFormula(text: string): boolean {
  return /^[=+\-@\t\r\n＝＋－＠]/.test(text)
}

/** As the screens show it: of ten digits in a row a spreadsheet makes a number, and drops the zero that they begin with. */
export function csvPhone(phone: string): string {
  return spacedPhone(phone)
}

/** An amount of pesewas as a number with two decimals, as a spreadsheet reads it. */
export function csvAmount(pesewas: number): number {
  return pesewas / 100
}
