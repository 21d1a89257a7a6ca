import { readLine } from '../../../../shared/bulk-line.ts'
import type { SheetRows } from '../../../lib/read-sheet-file.ts'

/** What a heading calls the columns that a list needs. */
const COLUMNS = {
  number:
    /^(?:(?:phone|mobile|momo|tel|telephone|cell|contact|customer|beneficiary|receiver|recipient|whatsapp)\s*)?(?:numbers?|nos?|phones?|num)$|^(?:phone|mobile|tel|telephone|cell|msisdn|contacts?|receivers?|recipients?|beneficiary|momo)$/,
  size: /^(?:data|bundles?|packages?|offers?|size|volume|plan|gb|gigs?|mb)(?:\s*(?:size|bundles?|packages?|offers?|volume|plan|gb|gigs?|mb))*$/,
  name: /^(?:(?:full|first|customer|client|staff|beneficiary|receiver|recipient)\s*)?names?$|^(?:customers?|clients?|staff|surname)$/,
  network: /^(?:network|operator|telco|provider)$/,
} as const
const HEADING_WITHIN = 10
const ISO_TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

const MONEY = /\b(?:amounts?|prices?|costs?|ghs|cedis|paid|totals?|fees?|value)\b/

type Columns = { heading: number; cells: number[]; sizeIsMb: number | null; money: number | null }

/**
 * A file's sheets as the lines of a list: of the sheet with the most phone numbers the columns that its heading names, or all cells where it
 * names none. Empty where no sheet has a phone number.
 */
export function toListText(sheets: readonly SheetRows[]): { text: string; sheet: string; lines: number } {
  const counted = sheets.map((sheet) => ({ sheet, lines: sheet.rows.filter(hasNumber).length }))
  const { sheet, lines } = counted.reduce((best, one) => (one.lines > best.lines ? one : best), { sheet: { name: '', rows: [] }, lines: 0 })
  return { text: toLines(sheet.rows).join('\n'), sheet: sheet.name, lines }
}

function hasNumber(row: readonly string[]): boolean {
  return readLine(row.join(' ')).receiver !== null
}

function toLines(rows: readonly string[][]): string[] {
  const columns = findColumns(rows)
  const lines = columns
    ? rows
        .slice(columns.heading + 1)
        .map((row) => columns.cells.map((at) => cellText(row[at] ?? '', at === columns.sizeIsMb, at === columns.money)))
    : rows.map((row) => row.filter((cell) => !ISO_TIME.test(cell)).map((cell) => cellText(cell)))
  return lines.map((cells) => cells.filter((cell) => cell !== '').join(' ')).filter((line) => line !== '')
}

/** The row that names a column of numbers, and its columns: name, network, number, size. */
function findColumns(rows: readonly string[][]): Columns | null {
  for (const [heading, row] of rows.slice(0, HEADING_WITHIN).entries()) {
    const words = row.map((cell) =>
      cell
        .toLowerCase()
        .replace(/[^a-z]+/g, ' ')
        .trim(),
    )
    const find = (column: RegExp) => words.findIndex((word) => column.test(word))
    const [number, size] = [find(COLUMNS.number), find(COLUMNS.size)]
    const money = words.findIndex((word) => MONEY.test(word))
    if (number === -1 || (size === -1 && money === -1)) continue
    const cells = [find(COLUMNS.name), find(COLUMNS.network), number, size === -1 ? money : size].filter(
      (at, index, all) => at !== -1 && all.indexOf(at) === index,
    )
    return { heading, cells, sizeIsMb: /\bmb$/.test(words[size] ?? '') ? size : null, money: size === -1 ? money : null }
  }
  return null
}

/** An amount of money is no size. Line ends within a cell go, "1,5" is one and a half, and a bare number below "MB" is one of megabytes. */
function cellText(cell: string, isMb = false, isMoney = false): string {
  const text = cell.replace(/\s+/g, ' ').replace(/^(\d{1,3}),(\d{1,2})$/, '$1.$2')
  if (isMoney && /^\d[\d.,]*$/.test(text)) return `GHS ${text}`
  return isMb && /^\d+(?:\.\d+)?$/.test(text) ? `${text}MB` : text
}
