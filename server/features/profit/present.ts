import { toCedis } from '../../../shared/money.ts'
import type { Delivered } from '../../../shared/profit.ts'
import type { DeliveredRow } from './profit.sql.ts'

const COUNTED = [
  'orders',
  'salesPesewas',
  'costPesewas',
  'uncostedOrders',
  'uncostedPesewas',
  'refundedOrders',
  'refundedPesewas',
  'refundedUncostedPesewas',
] as const

/** What orders whose cost is known have earned, in pesewas. */
export function earnedPesewas(row: DeliveredRow): number {
  return row.salesPesewas - row.uncostedPesewas - row.costPesewas - (row.refundedPesewas - row.refundedUncostedPesewas)
}

export function addUp(rows: readonly DeliveredRow[]): DeliveredRow {
  return Object.fromEntries(COUNTED.map((name) => [name, rows.reduce((sum, row) => sum + row[name], 0)])) as DeliveredRow
}

export function presentDelivered(row: DeliveredRow): Delivered {
  return {
    orders: row.orders,
    sales: toCedis(row.salesPesewas),
    cost: toCedis(row.costPesewas),
    profit: toCedis(earnedPesewas(row)),
    uncostedOrders: row.uncostedOrders,
    uncostedSales: toCedis(row.uncostedPesewas),
    refundedOrders: row.refundedOrders,
    refunded: toCedis(row.refundedPesewas),
  }
}
