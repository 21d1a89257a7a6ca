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
  return `\ufeff${[heading, ...rows].map((cells) => cells.map(toCell).join(',')).join('\r\n')}\r\n`
}

/** A cell that a spreadsheet would take for a formula begins with an apostrophe. */
function toCell(value: string | number): string {
  const text = /^[=+\-@\t\r]/.test(String(value)) ? `'${value}` : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
