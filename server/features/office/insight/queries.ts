import { isoDay } from '../../../../shared/dates.ts'
import type { InsightFigures, InsightQuery, InsightReply } from '../../../../shared/insight.ts'
import { toCedis } from '../../../../shared/money.ts'
import { NETWORKS } from '../../../../shared/networks.ts'
import type { Queryable } from '../../../platform/db.ts'
import type { Filter } from '../profit/narrow.sql.ts'
import { otherPesewas } from '../profit/present.ts'
import { selectOtherLines } from '../profit/profit.sql.ts'
import { type Days, findRangeBefore } from './find-range-before.ts'
import { gatherHours, gatherHourTimes, gatherTimes } from './gather-days.ts'
import {
  type CountRow,
  type GroupRow,
  selectAgents,
  selectCountedSince,
  selectGroups,
  selectLapsed,
  selectOfAgent,
  selectOfPackage,
  selectPackages,
  selectPartOfDay,
  selectRange,
  selectSlow,
  type TimesRow,
} from './insight.sql.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const NOTHING: CountRow = { orders: 0, net: 0, costed: 0, cost: 0, uncosted: 0 }
type DayRow = Pick<GroupRow, 'gross' | 'refunded'>

/**
 * Sales, profit and delivery times of a range of days, from folded totals, so that it costs the same whatever the shop has sold before.
 * A range that is not over is compared with the one before up to the same hour.
 */
export async function readInsight(
  db: Queryable,
  { from, to, network, supplier, agent, offer }: InsightQuery,
  now: Date,
): Promise<InsightReply> {
  const days = { from, to }
  const before = findRangeBefore(days)
  const filter: Filter = { network: network ?? null, supplier: supplier ?? null }
  const isWhole = agent === undefined && offer === undefined
  // Agents take two queries, one after the other, so they come first.
  const isOfAll = isWhole && filter.network === null && filter.supplier === null
  const [agents, range, groups, groupsBefore, packages, other, since, lapsed, slow] = await Promise.all([
    offer === undefined ? selectAgents(db, from, to, filter) : null,
    isWhole ? selectRange(db, from, to, filter) : null,
    selectSums(db, days, filter, { agent, offer }),
    selectGroupsBefore(db, days, before, filter, { agent, offer }, now),
    agent === undefined ? selectPackages(db, from, to, filter) : null,
    isOfAll ? selectOtherLines(db, { from, until: to }) : null,
    selectCountedSince(db),
    selectLapsed(db),
    selectSlow(db, new Date(now.getTime() - 30 * DAY_MS)),
  ])
  const times = range && gatherTimes(range)
  const hourTimes = range && gatherHourTimes(range)
  const byDay = groups.filter(({ day }) => day !== null)
  const totals = sum(byDay)
  const profitOf = (row: CountRow, date?: string) => {
    if (other === null) return null
    const fees = other.filter(({ day }) => date === undefined || day === date).reduce((all, one) => all + otherPesewas(one), 0)
    return toCedis(row.costed - row.cost + fees)
  }
  return {
    readAt: now.toISOString(),
    countedSince: since?.toISOString() ?? null,
    totals: { ...present(totals), profit: profitOf(totals), ...presentPrice(totals.orders, byDay) },
    before: { ...before, ...present(sum(groupsBefore)) },
    days: listDays(days).map((date, index) => {
      const row = byDay.find(({ day }) => day === date) ?? NOTHING
      return {
        date,
        ...present(row),
        profit: profitOf(row, date),
        before: present(groupsBefore.find(({ day }) => day === shiftDay(before.from, index)) ?? NOTHING),
        medianMinutes: times?.find(({ day }) => day === date)?.median ?? null,
      }
    }),
    hours: range && gatherHours(range).map((sums, hour) => ({ hour, ...present(sums), medianMinutes: findMedian(hourTimes ?? [], hour) })),
    networks: byValue(groups.flatMap((row) => (row.network === null ? [] : [{ network: row.network, ...present(row) }]))),
    suppliers: byValue(groups.flatMap((row) => (row.supplier === null ? [] : [{ supplier: row.supplier, ...present(row) }]))),
    packages: packages?.map((row) => ({ network: row.network, offer: row.offer, ...present(row) })) ?? null,
    agents: agents?.map((row) => ({ id: row.id, username: row.username, ...present(row) })) ?? null,
    times: times && presentTimes(times),
    lapsed: lapsed.map(({ lastOrderAt, ...buyer }) => ({ ...buyer, lastOrderAt: lastOrderAt.toISOString() })),
    slow: [
      ...findSlowHours(hourTimes ?? [], times ?? []),
      ...slow.map(({ what, hour, minutes }) => ({ what, network: null, supplier: null, hour, medianMinutes: minutes })),
    ],
  }
}

type Narrower = { agent: string | undefined; offer: string | undefined }

/** Sums by day, network and supplier: of all orders, of one agent or of one package. */
async function selectSums(db: Queryable, { from, to }: Days, filter: Filter, { agent, offer }: Narrower): Promise<GroupRow[]> {
  if (agent !== undefined) return selectOfAgent(db, from, to, filter, agent)
  return offer === undefined ? selectGroups(db, from, to, filter) : selectOfPackage(db, from, to, filter, offer)
}

/** By day, up to the hour in which the range has come. What is kept by the day is compared with whole days. */
async function selectGroupsBefore(
  db: Queryable,
  days: Days,
  before: Days,
  filter: Filter,
  narrower: Narrower,
  now: Date,
): Promise<GroupRow[]> {
  const end = Math.min(Date.parse(days.to) + DAY_MS, now.getTime())
  const past = end - Date.parse(days.from)
  if (past <= 0) return []
  const until = Math.min(Date.parse(before.from) + past, Date.parse(before.to) + DAY_MS)
  const lastDay = isoDay(new Date(until - 1))
  const isByHour = narrower.agent === undefined && narrower.offer === undefined
  // The hour that is not over counts in both.
  const hours = Math.ceil((until - Date.parse(lastDay)) / HOUR_MS)
  const [groups, part] = await Promise.all([
    selectSums(db, { from: before.from, to: lastDay }, filter, narrower),
    isByHour && hours < 24 ? selectPartOfDay(db, lastDay, hours, filter) : null,
  ])
  const byDay = groups.filter(({ day }) => day !== null)
  if (!part) return byDay
  const whole = byDay.filter(({ day }) => day !== lastDay)
  return [...whole, ...part.map((row) => ({ ...row, day: lastDay, network: null, supplier: null, gross: null, refunded: null }))]
}

function present({ orders, net, costed, cost, uncosted }: CountRow): InsightFigures {
  return { orders, sales: toCedis(net), grossProfit: toCedis(costed - cost), uncosted }
}

/** What was refunded is out of the sales but not out of the orders, so the average is of what was delivered. */
function presentPrice(orders: number, rows: readonly DayRow[]): { refunded: number | null; averagePrice: number | null } {
  if (rows.some(({ gross, refunded }) => gross === null || refunded === null)) return { refunded: null, averagePrice: null }
  const gross = rows.reduce((all, row) => all + (row.gross ?? 0), 0)
  return {
    refunded: rows.reduce((all, row) => all + (row.refunded ?? 0), 0),
    averagePrice: orders > 0 ? toCedis(Math.round(gross / orders)) : null,
  }
}

function sum(rows: readonly CountRow[]): CountRow {
  return rows.reduce(
    (all, row) => ({
      orders: all.orders + row.orders,
      net: all.net + row.net,
      costed: all.costed + row.costed,
      cost: all.cost + row.cost,
      uncosted: all.uncosted + row.uncosted,
    }),
    NOTHING,
  )
}

function byValue<T extends { sales: number; orders: number }>(rows: T[]): T[] {
  return rows.filter(({ orders, sales }) => orders !== 0 || sales !== 0).toSorted((one, other) => other.sales - one.sales)
}

function findMedian(times: TimesRow[], hour: number): number | null {
  return times.find((row) => row.network === null && row.hour === hour)?.median ?? null
}

function presentTimes(times: TimesRow[]): InsightReply['times'] {
  return times
    .flatMap(({ network, supplier, orders, median, nineOfTen }) =>
      network === null || supplier === null ? [] : [{ network, supplier, orders, medianMinutes: median, nineOfTenMinutes: nineOfTen }],
    )
    .toSorted((one, other) => NETWORKS.indexOf(one.network) - NETWORKS.indexOf(other.network) || one.medianMinutes - other.medianMinutes)
}

/** Fewer say nothing of an hour. */
const FEWEST = 5
const SLOW_MINUTES = 15
const MOST_SLOW = 3

/** The hours in which deliveries of a network took at least twice as long as usual, and a quarter of an hour, slowest first. */
function findSlowHours(hourTimes: TimesRow[], times: TimesRow[]): InsightReply['slow'] {
  return hourTimes
    .filter(({ network, supplier, orders, median }) => {
      const usual = times.find((row) => row.network === network && row.supplier === supplier)?.median ?? 0
      return network !== null && orders >= FEWEST && median >= SLOW_MINUTES && median >= 2 * usual
    })
    .toSorted((one, other) => other.median - one.median)
    .slice(0, MOST_SLOW)
    .map(({ network, supplier, hour, median }) => ({ what: 'delivery' as const, network, supplier, hour, medianMinutes: median }))
}

function listDays({ from, to }: Days): string[] {
  const count = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
  return Array.from({ length: count }, (_, index) => shiftDay(from, index))
}

function shiftDay(day: string, by: number): string {
  return isoDay(new Date(Date.parse(day) + by * DAY_MS))
}
