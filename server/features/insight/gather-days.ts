import type { CountRow, DayRow, GroupRow, TimesRow } from './insight.sql.ts'

const NONE = { day: null, network: null, supplier: null, hour: null }

/** Sums by day, by network, by supplier and by hour of the day. */
export function gatherGroups(rows: readonly DayRow[]): GroupRow[] {
  const groups = new Map<string, GroupRow>()
  for (const { day, network, supplier, hours } of rows) {
    const whole: CountRow = { orders: 0, net: 0, costed: 0, cost: 0, uncosted: 0 }
    for (const [hour, [orders, net, costed, cost, uncosted]] of Object.entries(hours)) {
      const row = { orders, net, costed, cost, uncosted }
      add(whole, row)
      addTo(groups, `hour ${hour}`, { hour: Number(hour) }, row)
    }
    addTo(groups, `day ${day}`, { day }, whole)
    addTo(groups, `network ${network}`, { network }, whole)
    addTo(groups, `supplier ${supplier}`, { supplier }, whole)
  }
  return [...groups.values()]
}

function addTo(groups: Map<string, GroupRow>, key: string, of: Partial<GroupRow>, row: CountRow) {
  const group = groups.get(key)
  if (group) add(group, row)
  else groups.set(key, { ...NONE, ...row, ...of })
}

function add(to: CountRow, row: CountRow) {
  to.orders += row.orders
  to.net += row.net
  to.costed += row.costed
  to.cost += row.cost
  to.uncosted += row.uncosted
}

type Of = Partial<Pick<TimesRow, 'day' | 'network' | 'supplier' | 'hour'>>
/** How many orders took so many minutes. */
type Taken = { of: Of; minutes: Map<number, number> }

/** How long deliveries took, by network and supplier, and by day. */
export function gatherTimes(rows: readonly DayRow[]): TimesRow[] {
  const taken = new Map<string, Taken>()
  for (const { day, network, supplier, minutes } of rows) {
    count(taken, `${network} ${supplier}`, { network, supplier }, minutes)
    count(taken, day, { day }, minutes)
  }
  return [...taken.values()].flatMap(rank)
}

/** How long they took by the hour of the day in which they were bought, and by network, supplier and hour. */
export function gatherHourTimes(rows: readonly DayRow[]): TimesRow[] {
  const taken = new Map<string, Taken>()
  for (const { network, supplier, hourMinutes } of rows) {
    for (const [hour, minutes] of Object.entries(hourMinutes)) {
      count(taken, `${network} ${supplier} ${hour}`, { network, supplier, hour: Number(hour) }, minutes)
    }
  }
  const ofHours = new Map<string, Taken>()
  for (const { of, minutes } of taken.values()) count(ofHours, `${of.hour}`, { hour: of.hour ?? null }, [...minutes].flat())
  return [...ofHours.values(), ...taken.values()].flatMap(rank)
}

/** Adds pairs of minutes and orders. */
function count(taken: Map<string, Taken>, key: string, of: Of, pairs: readonly number[]) {
  const known = taken.get(key)
  const found = known ?? { of, minutes: new Map<number, number>() }
  if (!known) taken.set(key, found)
  for (let at = 0; at < pairs.length; at += 2) {
    const [minutes, orders] = [pairs[at] as number, pairs[at + 1] as number]
    found.minutes.set(minutes, (found.minutes.get(minutes) ?? 0) + orders)
  }
}

/** The smallest number of minutes that half of the orders needed at most, and that nine of ten did. */
function rank({ of, minutes }: Taken): TimesRow[] {
  const steps = [...minutes].toSorted(([one], [other]) => one - other)
  const total = steps.reduce((sum, [, orders]) => sum + orders, 0)
  const stepOf = (tenths: number) => {
    let soFar = 0
    const found = steps.find(([, orders]) => {
      soFar += orders
      return soFar * 10 >= total * tenths
    })
    return found?.[0] ?? 0
  }
  return total === 0 ? [] : [{ ...NONE, ...of, orders: total, median: stepOf(5), nineOfTen: stepOf(9) }]
}
