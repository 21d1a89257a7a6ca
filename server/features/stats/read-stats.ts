import { isoDay } from '../../../shared/dates.ts'
import { toCedis } from '../../../shared/money.ts'
import type { OrderStatus } from '../../../shared/orders.ts'
import { type CountAndValue, SALES_DAYS, type WholeStats } from '../../../shared/stats.ts'
import type { Queryable } from '../../platform/db.ts'
import {
  type OrderCount,
  type OrderCounts,
  selectFunds,
  selectLockedOrders,
  selectOldestPendingOrder,
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
  const from = new Date(Math.min(lastMonth.getTime(), sunday.getTime(), firstSalesDay.getTime()))

  const counts = await selectOrderCounts(db, isoDay(from), isoDay(thisMonth))
  const funds = await selectFunds(db)
  const oldestOrder = await selectOldestPendingOrder(db)
  const locked = await selectLockedOrders(db)
  const recharges = await selectWaitingRecharges(db)
  const held = await selectWaitingHeldPayments(db)

  const ever = counts.days.filter(({ day }) => day === ALL_DAYS)
  const daily = counts.days.filter(({ day }) => day !== ALL_DAYS)
  const between = (start: Date, end?: Date) => daily.filter(({ day }) => day >= isoDay(start) && (end === undefined || day < isoDay(end)))
  const pending = sum(ever, 'pending')

  return {
    finance: { totalPayments: toCedis(funds.paymentsPesewas), totalFunds: toCedis(funds.walletsPesewas) },
    orders: {
      total: sum(ever),
      completed: sum(ever, 'completed'),
      rejected: sum(ever, 'rejected'),
      pending,
      today: { ...sum(between(today)), label: dayName.format(now) },
      thisWeek: sum(between(sunday)),
      thisMonth: { ...sum(between(thisMonth)), label: monthName.format(thisMonth) },
      lastMonth: { ...sum(between(lastMonth, thisMonth)), label: monthName.format(lastMonth) },
    },
    salesPerDay: Array.from({ length: SALES_DAYS }, (_, index) => {
      const date = isoDay(new Date(firstSalesDay.getTime() + index * DAY_MS))
      return { date, ...sum(sold(daily.filter(({ day }) => day === date))) }
    }),
    salesPerNetwork: perNetwork(sold(counts.networks)),
    waiting: {
      orders: { ...without(pending, locked), oldest: oldestOrder?.toISOString() ?? null },
      recharges: presentWaiting(recharges),
      heldPayments: presentWaiting(held),
    },
  }
}

function startOfDay(date: Date): Date {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()))
}

function sold<T extends OrderCount>(counts: T[]): T[] {
  return counts.filter(({ status }) => status !== 'rejected')
}

function sum(counts: OrderCount[], status?: OrderStatus): CountAndValue {
  const chosen = status === undefined ? counts : counts.filter((count) => count.status === status)
  return {
    count: chosen.reduce((total, { orders }) => total + orders, 0),
    value: toCedis(chosen.reduce((total, { pesewas }) => total + pesewas, 0)),
  }
}

/** The counts follow a moment later than the batches. */
function without({ count, value }: CountAndValue, { orders, pesewas }: { orders: number; pesewas: number }): CountAndValue {
  return { count: Math.max(count - orders, 0), value: Math.max(toCedis(Math.round(value * 100) - pesewas), 0) }
}

function perNetwork(counts: OrderCounts['networks']): WholeStats['salesPerNetwork'] {
  const networks = [...new Set(counts.map(({ network }) => network))]
  return networks
    .map((network) => ({ network, ...sum(counts.filter((count) => count.network === network)) }))
    .sort((one, other) => other.value - one.value)
}

function presentWaiting({ orders, pesewas, oldest }: WaitingRow) {
  return { count: orders, value: toCedis(pesewas), oldest: oldest?.toISOString() ?? null }
}
