import { useQueries } from '@tanstack/react-query'
import type { Order } from '../../../../shared/orders.ts'
import { ofUser } from '../../../lib/session.ts'
import { createStored } from '../../../lib/stored.ts'
import { ordersQuery } from '../../orders/api.ts'

/** The list that was paid for last: its lines as they were written, and their orders as they were placed. */
export type PlacedBulk = { at: string; lines: { number: number; text: string }[]; orders: Order[] }

export const placedBulk = ofUser(createStored<PlacedBulk | null>('placedBulk', null, isPlaced), null)

const PAGE = 50

/** The last list with its orders as they stand now. They are among the newest, and announcements keep them current. */
export function usePlacedBulk(): PlacedBulk | null {
  const placed = placedBulk.use()
  const pages = placed ? Math.ceil(placed.orders.length / PAGE) + 1 : 0
  const answers = useQueries({
    queries: Array.from({ length: pages }, (_, index) => ordersQuery({ page: index + 1, pageSize: PAGE, mine: 'true' })),
  })
  if (!placed) return null
  const now = new Map(answers.flatMap(({ data }) => data?.rows ?? []).map((order) => [order._id, order]))
  return { ...placed, orders: placed.orders.map((order) => now.get(order._id) ?? order) }
}

function isPlaced(value: unknown): boolean {
  if (value === null) return true
  if (typeof value !== 'object') return false
  const { at, lines, orders } = value as Partial<PlacedBulk>
  return typeof at === 'string' && Array.isArray(lines) && Array.isArray(orders)
}
