import type { BatchColumn, NumberFormat } from '../../../../../shared/batch-rules.ts'
import type { BatchFormat } from '../../../../../shared/batches.ts'
import { offerVolumeMb } from '../../../../../shared/offers.ts'
import type { Order } from '../../../../../shared/orders.ts'

const HEADERS: Record<BatchColumn, string> = { number: 'Number', gb: 'GB', mb: 'MB', offer: 'Offer', reference: 'Reference' }

type Line = Pick<Order, 'receiver' | 'offer' | 'reference'>

/** The lines of a portal's file, cell by cell, as text: a number that a spreadsheet took for one would lose its leading zero. */
export function composeBatchList(orders: readonly Line[], { columns, withHeader, numberFormat }: BatchFormat): string[][] {
  const lines = orders.map((order) => columns.map((column) => cellOf(order, column, numberFormat)))
  return withHeader ? [columns.map((column) => HEADERS[column]), ...lines] : lines
}

/** Quotes only what needs it. What a spreadsheet would run as a formula is no number or volume of ours. */
export function composeCsv(lines: readonly string[][]): string {
  return `${lines.map((cells) => cells.map(quoted).join(',')).join('\r\n')}\r\n`
}

function quoted(cell: string): string {
  const safe = /^[=@\t\r]|^[+-](?!\d+$)/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

function cellOf({ receiver, offer, reference }: Line, column: BatchColumn, format: NumberFormat): string {
  const megabytes = offerVolumeMb(offer)
  switch (column) {
    case 'number':
      return numberAs(receiver, format)
    case 'gb':
      return megabytes === null ? offer : String(megabytes / 1000)
    case 'mb':
      return megabytes === null ? offer : String(megabytes)
    case 'offer':
      return offer
    case 'reference':
      return reference
  }
}

export function numberAs(receiver: string, format: NumberFormat): string {
  if (format === 'local') return receiver
  return `${format === 'plus' ? '+' : ''}233${receiver.slice(1)}`
}
