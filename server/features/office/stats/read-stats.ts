import { isoDay, startOfDay } from '../../../../shared/dates.ts'
import { toCedis } from '../../../../shared/money.ts'
import type { OrderStatus } from '../../../../shared/orders.ts'
import { type CountAndValue, SALES_DAYS, type WholeStats } from '../../../../shared/stats.ts'
import type { Queryable } from '../../../platform/db.ts'
import { selectOldestToDecide, sumPending } from '../../orders/orders/segments.sql.ts'
import { netPesewas } from '../profit/present.ts'
import { type DeliveredOf, selectDeliveries } from '../profit/profit.sql.ts'
import {
  type OrderCount,
  selectFunds,
  selectOrderCounts,
  selectWaitingHeldPayments,
  selectWaitingRecharges,
  type WaitingRow,
} from './stats.sql.ts'

const ALL_DAYS = 'infinity'
const DAY_MS = 86_400_000
const dayName = new Intl.DateTimeFormat('en-GB', { weekday: 'long', timeZone: 'UTC' })
const monthName = new Intl.DateTimeFormat('en-GB', { month: 'long', timeZone: 'UTC' })

/** The admin statistics at `now`. Days are in UTC, which is Ghana's time all year; the week starts on Sunday. */
export async function readStats(db: Queryable, now: Date): Promise<WholeStats> {
  const today = startOfDay(now)
  const sunday = new Date(today.getTime() - today.getUTCDay() * DAY_MS)
  const thisMonth = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1))
  const lastMonth = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1))
  const firstSalesDay = new Date(today.getTime() - (SALES_DAYS - 1) * DAY_MS)
  const from = new Date(Math.min(lastMonth.getTime(), sunday.getTime()))

  const counts = await selectOrderCounts(db, isoDay(from))
  const lately = await selectDeliveries(db, { from: isoDay(firstSalesDay), until: isoDay(today) })
  const ofMonth = await selectDeliveries(db, { from: isoDay(thisMonth), until: isoDay(today) })
  const funds = await selectFunds(db)
  const { toDecide } = await sumPending(db)
  const oldestOrder = await selectOldestToDecide(db)
  const recharges = await selectWaitingRecharges(db)
  const held = await selectWaitingHeldPayments(db)

  const ever = counts.filter(({ day }) => day === ALL_DAYS)
  const daily = counts.filter(({ day }) => day !== ALL_DAYS)
  const between = (start: Date, end?: Date) => daily.filter(({ day }) => day >= isoDay(start) && (end === undefined || day < isoDay(end)))

  return {
    finance: { totalPayments: toCedis(funds.paymentsPesewas), totalFunds: toCedis(funds.walletsPesewas) },
    orders: {
      total: sum(ever),
      completed: sum(ever, 'completed'),
      rejected: sum(ever, 'rejected'),
      pending: sum(ever, 'pending'),
      today: { ...sum(between(today)), label: dayName.format(now) },
      thisWeek: sum(between(sunday)),
      thisMonth: { ...sum(between(thisMonth)), label: monthName.format(thisMonth) },
      lastMonth: { ...sum(between(lastMonth, thisMonth)), label: monthName.format(lastMonth) },
    },
    salesPerDay: Array.from({ length: SALES_DAYS }, (_, index) => {
      const date = isoDay(new Date(firstSalesDay.getTime() + index * DAY_MS))
      return { date, ...sales(lately.filter(({ day }) => day === date)) }
    }),
    salesPerNetwork: perNetwork(ofMonth),
    waiting: {
      orders: presentWaiting({ ...toDecide, oldest: oldestOrder }),
      recharges: presentWaiting(recharges),
      heldPayments: presentWaiting(held),
    },
  }
}

function sales(rows: DeliveredOf[]): CountAndValue {
  return {
    count: rows.reduce((total, { orders }) => total + orders, 0),
    value: toCedis(rows.reduce((total, row) => total + netPesewas(row), 0)),
  }
}

function sum(counts: OrderCount[], status?: OrderStatus): CountAndValue {
  const chosen = status === undefined ? counts : counts.filter((count) => count.status === status)
  return {
    count: chosen.reduce((total, { orders }) => total + orders, 0),
    value: toCedis(chosen.reduce((total, { pesewas }) => total + pesewas, 0)),
  }
}

function perNetwork(rows: DeliveredOf[]): WholeStats['salesPerNetwork'] {
  return rows
    .flatMap((row) => (row.network === null ? [] : [{ network: row.network, ...sales([row]) }]))
    .filter(({ count, value }) => count !== 0 || value !== 0)
    .sort((one, other) => other.value - one.value)
}

function presentWaiting({ orders, pesewas, oldest }: WaitingRow) {
  return { count: orders, value: toCedis(pesewas), oldest: oldest?.toISOString() ?? null }
}
