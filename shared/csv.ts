import { spacedPhone } from './phones.ts'

/** A cell: text, a number, an amount of money, or empty. */
export type Cell = string | number | { pesewas: number } | null

/** Excel recognises UTF-8 only by this mark. */
export const BYTE_ORDER_MARK = '\uFEFF'

/** One CSV line (RFC 4180), including its line end. */
export function csvLine(cells: Cell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  if (typeof cell === 'object') return (cell.pesewas / 100).toFixed(2)
  const text = startsFormula(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Spreadsheets run such text as a formula; a leading quote prevents that (CWE-1236). */
function startsFormula(text: string): boolean {
  return /^[=+\-@\t\r\n＝＋－＠]/.test(text)
}

/** Spaced, as on screen: a spreadsheet would read ten digits as a number and drop the leading zero. */
export function csvPhone(phone: string): string {
  return spacedPhone(phone)
}

/** Pesewas as a number of cedis with two decimals. */
export function csvAmount(pesewas: number): Cell {
  return { pesewas }
}

/** Cedis, as they are on the wire, with two decimals. */
export function csvCedis(cedis: number): Cell {
  return { pesewas: Math.round(cedis * 100) }
}
