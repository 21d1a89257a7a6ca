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
/** Lists of pairs: minutes, and how many orders took so long. */
type Taken = { of: Of; lists: (readonly number[])[] }

/** How long deliveries took, by network and supplier, and by day. */
export function gatherTimes(rows: readonly DayRow[]): TimesRow[] {
  const taken = new Map<string, Taken>()
  for (const { day, network, supplier, minutes } of rows) {
    collect(taken, `${network} ${supplier}`, { network, supplier }, minutes)
    collect(taken, day, { day }, minutes)
  }
  return rank([...taken.values()])
}

/** How long they took by the hour of the day in which they were bought, and by network, supplier and hour. */
export function gatherHourTimes(rows: readonly DayRow[]): TimesRow[] {
  const taken = new Map<string, Taken>()
  for (const { network, supplier, hourMinutes } of rows) {
    for (const [hour, minutes] of Object.entries(hourMinutes)) {
      collect(taken, `${network} ${supplier} ${hour}`, { network, supplier, hour: Number(hour) }, minutes)
      collect(taken, hour, { hour: Number(hour) }, minutes)
    }
  }
  return rank([...taken.values()])
}

function collect(taken: Map<string, Taken>, key: string, of: Of, list: readonly number[]) {
  const known = taken.get(key)
  if (known) known.lists.push(list)
  else taken.set(key, { of, lists: [list] })
}

/** A week: delivery_minutes counts nothing as longer. */
const LONGEST_MINUTES = 10_080

/** Of each, the smallest number of minutes that half of the orders needed at most, and that nine of ten did. */
function rank(taken: readonly Taken[]): TimesRow[] {
  // One array for all of them, by minutes, is several times faster than a map for each.
  const ordersAt = new Float64Array(LONGEST_MINUTES + 1)
  return taken.flatMap(({ of, lists }) => {
    const steps: number[] = []
    let total = 0
    for (const list of lists) {
      for (let at = 0; at < list.length; at += 2) {
        const [minutes, orders] = [list[at] as number, list[at + 1] as number]
        if (ordersAt[minutes] === 0) steps.push(minutes)
        ordersAt[minutes] = (ordersAt[minutes] as number) + orders
        total += orders
      }
    }
    steps.sort((one, other) => one - other)
    const stepOf = (tenths: number) => {
      let soFar = 0
      const found = steps.find((minutes) => {
        soFar += ordersAt[minutes] as number
        return soFar * 10 >= total * tenths
      })
      return found ?? 0
    }
    const row = { ...NONE, ...of, orders: total, median: stepOf(5), nineOfTen: stepOf(9) }
    for (const minutes of steps) ordersAt[minutes] = 0
    return total === 0 ? [] : [row]
  })
}
