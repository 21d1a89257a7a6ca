import type { BulkJobLine } from '../../../../../shared/bulk.ts'
import type { Order } from '../../../../../shared/orders.ts'

/** The lines with what is news of their orders; the same array where nothing is. A line whose order stands as before stays the same object. */
export function patchLines(
  lines: readonly BulkJobLine[],
  news: ReadonlyMap<string, Pick<Order, 'status' | 'refundReason'>>,
): readonly BulkJobLine[] {
  let isChanged = false
  const patched = lines.map((line) => {
    const order = line.order && news.get(line.order._id)
    if (!line.order || !order || order.status === line.order.status) return line
    isChanged = true
    return { ...line, order: { ...line.order, status: order.status, refundReason: order.refundReason ?? null } }
  })
  return isChanged ? patched : lines
}
