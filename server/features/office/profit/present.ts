import { toCedis } from '../../../../shared/money.ts'
import type { Delivered } from '../../../../shared/profit.ts'
import type { DeliveredRow, OtherRow } from './profit.sql.ts'

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

/** Sales in pesewas: what was delivered, less what was refunded afterwards. */
export function netPesewas(row: DeliveredRow): number {
  return row.salesPesewas - row.refundedPesewas
}

/** Sales of orders whose cost is known, less that cost, in pesewas. */
export function grossProfitPesewas(row: DeliveredRow): number {
  return row.salesPesewas - row.uncostedPesewas - row.costPesewas - (row.refundedPesewas - row.refundedUncostedPesewas)
}

export function addUp(rows: readonly DeliveredRow[]): DeliveredRow {
  return Object.fromEntries(COUNTED.map((name) => [name, rows.reduce((sum, row) => sum + row[name], 0)])) as DeliveredRow
}

export function presentDelivered(row: DeliveredRow): Delivered {
  return {
    orders: row.orders,
    delivered: toCedis(row.salesPesewas),
    sales: toCedis(netPesewas(row)),
    cost: toCedis(row.costPesewas),
    grossProfit: toCedis(grossProfitPesewas(row)),
    uncostedOrders: row.uncostedOrders,
    uncostedSales: toCedis(row.uncostedPesewas),
    refundedOrders: row.refundedOrders,
    refunded: toCedis(row.refundedPesewas),
  }
}

/** What is added to the gross profit to get the profit, in pesewas: fees from customers, less what the provider, payouts, disputes and rewards took. */
export function otherPesewas(row: OtherRow): number {
  const earned = row.surchargesPesewas + row.upgradeFeesPesewas + row.withdrawalFeesPesewas
  return earned - row.providerFeesPesewas - row.disputeLossesPesewas - row.referralRewardsPesewas - row.checkerLossesPesewas
}
