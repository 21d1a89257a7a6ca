import type { ListRole } from './heading-words.ts'
import { NO_NUMBER } from './phrases.ts'
import { readAmount } from './read-amount.ts'
import { type Answers, Questions, type ReadRow, type Reply } from './read-column.ts'
import { readQuantity } from './read-quantity.ts'
import { longerProblem, normalHeading, type TableRows, TOTAL } from './read-table.ts'
import { readVolume } from './read-volume.ts'
import { valueIn } from './reading.ts'
import { FINE, speaksAgainst, watchUnread } from './unread-columns.ts'

const ISO_TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

/**
 * The rows of a table as lines of a list: name, network, number, size with its unit, how many, and what other columns say against an order, in small
 * letters, until it is answered. Without headings, and of a row with more cells than headings, all cells, as they stand.
 */
export function toListRows(table: TableRows<ListRole>, answers: Answers = {}): Reply<ListRole> & { rows: ReadRow[] } {
  const { headings, rows, columns } = table
  const unit = /(?:^| )(gb|gbs|gigs?|gigabytes|mb|mbs|megabytes)$/.exec(normalHeading(headings[columns.size ?? -1] ?? ''))?.[1]
  const bare = unit === undefined ? undefined : unit.startsWith('m') ? 'MB' : 'GB'
  const hasHeadings = headings.some((heading) => heading !== '')
  const asked = new Questions(answers)
  const { money, ...read } = columns
  const unread = watchUnread({ headings, rows }, Object.values(read), asked, (cell, heading, at) =>
    at === money
      ? /\p{L}/u.test(cell) && !ISO_TIME.test(cell) && !FINE.test(normalHeading(cell)) && valueIn(readAmount(cell)) === null
      : speaksAgainst(cell, heading, { isDone: true }),
  )
  const lines = rows.flatMap(({ line, cells }) => {
    const at = (role: ListRole) => (columns[role] === undefined ? '' : (cells[columns[role]] ?? ''))
    const reason = longerProblem(headings, cells)
    const beside = hasHeadings && reason === null ? unread(cells) : null
    const parts = beside
      ? [
          at('name'),
          at('network'),
          lacksNumber(cells, at('number'), at('size')) ? NO_NUMBER : at('number'),
          sizeText(at('size'), bare),
          quantityText(at('quantity')),
          ...beside.open.map((cell) => cell.toLowerCase()),
        ]
      : cells.filter((cell) => !ISO_TIME.test(cell)).map((cell) => sizeText(cell, undefined))
    const text = parts
      .map((part) => part.replace(/\s+/g, ' '))
      .filter(Boolean)
      .join(' ')
    return text === '' || beside?.isOut ? [] : [{ line, text, reason }]
  })
  return { rows: lines, questions: asked.open(), missing: missingIn(table) }
}

function lacksNumber(cells: readonly string[], number: string, size: string): boolean {
  return !/[\p{L}\p{N}]/u.test(number) && /\p{N}/u.test(size) && !cells.some((cell) => TOTAL.test(normalHeading(cell)))
}

/** A size may be missing only where no other column could be one. */
function missingIn({ headings, columns }: TableRows<ListRole>): ListRole[] {
  if (headings.every((heading) => heading === '')) return []
  const told = new Set<number | undefined>([columns.number, columns.size, columns.name, columns.network, columns.quantity])
  const isOpen = headings.some((heading, at) => heading !== '' && !told.has(at))
  return [...(columns.number === undefined ? ['number' as const] : []), ...(columns.size === undefined && isOpen ? ['size' as const] : [])]
}

/** Signs by which a size is only nearly that; in a line they are decoration. */
const ROUGHLY: Record<string, string> = {
  ...{ '~': 'more or less', '≈': 'more or less', '±': 'more or less' },
  ...{ '<': 'less than', '≤': 'less than', '>': 'more than', '≥': 'more than' },
}

/** An amount below zero, as spreadsheets write it. */
const BELOW_ZERO = /^(?:[-\u2212\u2013](?=[\d.])(.{1,9})|\(([\d.,]{1,6} ?[gm]?b?)\)|(\d[\d.,]{0,5})-)$/i

/** "1,5" is one and a half, since its column and its comma are known here; a bare number gets its heading's unit. */
function sizeText(cell: string, bare: 'GB' | 'MB' | undefined): string {
  const [, sign = '', rest = ''] = /^([~≈±<>≤≥])\s*(?=\d)(.*)$/.exec(cell) ?? []
  if (sign) return `${ROUGHLY[sign]} ${sizeText(rest, bare)}`
  const below = BELOW_ZERO.exec(cell)
  if (below) return `minus ${sizeText(below.slice(1).find(Boolean) ?? '', bare)}`
  const text = cell.replace(/^(\d{1,3}),(\d{1,2})(?= ?[gm]|$)/i, '$1.$2')
  return bare && /^\d[\d.,]*$/.test(text) && valueIn(readVolume(text, { bare })) !== null ? `${text}${bare}` : text
}

/** One is not worth a word; what is no number stays, and is asked about. */
function quantityText(cell: string): string {
  const count = valueIn(readQuantity(cell, { bare: true }))
  return count === 1 ? '' : count === null ? cell : `x${count}`
}
