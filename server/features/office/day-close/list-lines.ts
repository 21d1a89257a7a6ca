import { type Cell, csvCedis } from '../../../../shared/csv.ts'
import { formatDateTime } from '../../../../shared/dates.ts'
import type { DaySheet, EARNED_LINES, WALLET_LINES, WholeClose } from '../../../../shared/day-close.ts'

const WALLETS: Record<(typeof WALLET_LINES)[number], string> = {
  'mobile-money': 'Mobile money',
  card: 'Card',
  credit: 'Manual credit',
  sales: 'Paid for orders',
  refunds: 'Refunds',
  debit: 'Manual debit',
  'taken-back': 'Taken back by card payers',
  rewards: 'Rewards for invited customers',
  other: 'Other',
}
const EARNED: Record<(typeof EARNED_LINES)[number], string> = {
  delivered: 'Delivered',
  sales: 'Delivered',
  uncosted: 'Without a cost yet',
  cost: 'Cost of sales',
  'late-costs': 'Earlier orders whose cost is known now',
  refunded: 'Refunded after delivery',
  surcharges: 'Card surcharge',
  'upgrade-fees': 'Agent upgrades',
  'provider-fees': 'Card provider fees',
  'dispute-losses': 'Lost to disputes',
  'withdrawal-fees': 'Fees of withdrawals',
  'referral-rewards': 'Rewards for invited customers',
  'checker-losses': 'Faulty checkers replaced or voided',
}

/** A sheet as lines of a spreadsheet, with what was counted if it was signed. */
export function listLines(sheet: DaySheet, close: WholeClose | null): Cell[][] {
  return [
    ['From', formatDateTime(new Date(sheet.from))],
    ['Until', formatDateTime(new Date(sheet.until))],
    ...(close ? [['Signed by', close.signedBy, formatDateTime(new Date(close.signedAt)), close.note]] : [['Not signed']]),
    [],
    ["Customers' wallets", 'Count', 'Amount'],
    ['Opening', null, csvCedis(sheet.wallets.opening)],
    ...sheet.wallets.lines.map(({ what, count, amount }) => [WALLETS[what], count, csvCedis(amount)]),
    ['Closing', null, csvCedis(sheet.wallets.closing)],
    [],
    ['Earned', 'Count', 'Amount'],
    ...sheet.earned.lines.map(({ what, count, amount }) => [EARNED[what], count || null, csvCedis(amount)]),
    ...(sheet.earned.sales === undefined ? [] : [['Sales', null, csvCedis(sheet.earned.sales)]]),
    ...(sheet.earned.grossProfit === undefined ? [] : [['Gross profit', null, csvCedis(sheet.earned.grossProfit)]]),
    ['Profit', null, csvCedis(sheet.earned.profit)],
    [],
    ...(close
      ? [
          ['Counted', 'Expected', 'Counted', 'Difference', 'Why'],
          ...close.counted.map(({ name, expected, counted, note }) => [
            name,
            expected === null ? null : csvCedis(expected),
            csvCedis(counted),
            expected === null ? null : csvCedis(counted - expected),
            note,
          ]),
          [],
        ]
      : []),
    ['Network', 'Orders', 'Sales', 'Cost of sales', 'Gross profit', 'Without a cost'],
    ...sheet.networks.map(({ network, orders, sales, cost, profit, uncostedOrders }) => [
      network,
      orders,
      csvCedis(sales),
      csvCedis(cost),
      csvCedis(profit),
      uncostedOrders,
    ]),
  ]
}
