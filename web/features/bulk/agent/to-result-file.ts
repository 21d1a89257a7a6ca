import { BYTE_ORDER_MARK, csvLine } from '../../../../shared/csv.ts'
import type { Order } from '../../../../shared/orders.ts'

/** A line that was paid for, with its order. */
export type SentLine = { number: number; text: string; order: Order }

/** The lines as CSV for a spreadsheet, with a mark at its beginning by which Excel knows its letters. */
export function toResultFile(lines: readonly SentLine[]): string {
  const rows = lines.map(({ number, text, order }) => [
    number,
    text,
    order.receiver,
    order.network,
    order.offer,
    order.totalAmount.toFixed(2),
    order.status,
    order.number,
  ])
  const heading = ['Line', 'Written', 'Number', 'Network', 'Offer', 'Price', 'Status', 'Order']
  return BYTE_ORDER_MARK + [heading, ...rows].map(csvLine).join('')
}
