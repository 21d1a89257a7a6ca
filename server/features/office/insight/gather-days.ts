import type { CountRow, RangeRow, TimesRow } from './insight.sql.ts'

/** Sums by the hour of the day, from 0 to 23. */
export function gatherHours(rows: readonly RangeRow[]): CountRow[] {
  const sums = Array.from({ length: 24 }, (): CountRow => ({ orders: 0, net: 0, costed: 0, cost: 0, uncosted: 0 }))
  for (const { sign, hours } of rows) {
    for (const [hour, [orders, net, costed, cost, uncosted]] of Object.entries(hours)) {
      const sum = sums[Number(hour)] as CountRow
      sum.orders += sign * orders
      sum.net += sign * net
      sum.costed += sign * costed
      sum.cost += sign * cost
      sum.uncosted += sign * uncosted
    }
  }
  return sums
}

type Of = Partial<Pick<TimesRow, 'day' | 'network' | 'supplier' | 'hour'>>
/** Lists of pairs, to be added up or taken off: minutes, and how many orders took so long. */
type Taken = { of: Of; lists: { sign: 1 | -1; pairs: readonly number[] }[] }

/** How long deliveries took, by network and supplier, and by day. */
export function gatherTimes(rows: readonly RangeRow[]): TimesRow[] {
  const taken = new Map<string, Taken>()
  for (const { day, network, supplier, sign, minutes } of rows) {
    if (network !== null) collect(taken, `${network} ${supplier}`, { network, supplier }, { sign, pairs: minutes })
    if (day !== null) collect(taken, day, { day }, { sign, pairs: minutes })
  }
  return rank([...taken.values()])
}

/** How long they took by the hour of the day in which they were bought, and by network, supplier and hour. */
export function gatherHourTimes(rows: readonly RangeRow[]): TimesRow[] {
  const taken = new Map<string, Taken>()
  for (const { network, supplier, sign, hourMinutes } of rows) {
    for (const [hour, pairs] of Object.entries(hourMinutes)) {
      collect(taken, `${network} ${supplier} ${hour}`, { network, supplier, hour: Number(hour) }, { sign, pairs })
      collect(taken, hour, { hour: Number(hour) }, { sign, pairs })
    }
  }
  return rank([...taken.values()])
}

function collect(taken: Map<string, Taken>, key: string, of: Of, list: Taken['lists'][number]) {
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
  const isStep = new Uint8Array(LONGEST_MINUTES + 1)
  return taken.flatMap(({ of, lists }) => {
    const steps: number[] = []
    let total = 0
    for (const { sign, pairs } of lists) {
      for (let at = 0; at < pairs.length; at += 2) {
        const [minutes, orders] = [pairs[at] as number, sign * (pairs[at + 1] as number)]
        if (isStep[minutes] === 0) steps.push(minutes)
        isStep[minutes] = 1
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
    const row = { day: null, network: null, supplier: null, hour: null, ...of, orders: total, median: stepOf(5), nineOfTen: stepOf(9) }
    for (const minutes of steps) {
      ordersAt[minutes] = 0
      isStep[minutes] = 0
    }
    return total === 0 ? [] : [row]
  })
}
