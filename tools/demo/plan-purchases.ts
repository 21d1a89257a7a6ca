import type { Network } from '../../shared/networks.ts'
import type { Person } from './plan-people.ts'
import type { Random } from './random.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

export type PlannedLine = { network: Network; receiver: string; offer: string }
export type PlannedPurchase = { at: Date; person: Person; lines: PlannedLine[] }

/** Sundays are quiet, Fridays and Saturdays are not. Sunday first. */
const OF_WEEKDAY = [0.72, 0.95, 0.94, 0.98, 1.02, 1.22, 1.15]
/** When people buy, by hour in Ghana, from 5am to 11pm. */
const OF_HOUR: readonly (readonly [number, number])[] = [
  ...([
    [5, 1],
    [6, 3],
    [7, 6],
    [8, 9],
    [9, 10],
    [10, 9],
    [11, 8],
    [12, 8],
    [13, 6],
  ] as const),
  ...([
    [14, 5],
    [15, 5],
    [16, 6],
    [17, 8],
    [18, 9],
    [19, 10],
    [20, 8],
    [21, 5],
    [22, 3],
  ] as const),
]
/** Small bundles sell most. */
const OF_SIZE = [30, 22, 14, 8, 9, 4, 5, 5, 3, 2, 1, 1, 1, 1, 1]

/** What is bought on one day, in order of time. The shop has grown to `ordersToday` from a third of it. */
export function planPurchases(
  random: Random,
  day: { start: Date; daysAgo: number; days: number; ordersToday: number },
  people: readonly Person[],
  offers: Record<Network, readonly string[]>,
): PlannedPurchase[] {
  const grown = 1 / 3 + ((2 / 3) * (day.days - day.daysAgo)) / day.days
  const weekday = OF_WEEKDAY[day.start.getUTCDay()] as number
  let left = Math.max(1, Math.round(day.ordersToday * grown * weekday * (0.9 + random.next() * 0.2)))
  const buyers = people.filter(
    ({ joinedDaysAgo, stoppedDaysAgo }) => joinedDaysAgo >= day.daysAgo && (stoppedDaysAgo === null || day.daysAgo >= stoppedDaysAgo),
  )
  if (buyers.length === 0) return []
  const weighted = buyers.map((person) => [person, person.weight] as const)
  const purchases: PlannedPurchase[] = []
  while (left > 0) {
    const person = random.pick(weighted)
    const count = Math.min(
      left,
      person.isAgent
        ? random.between(1, 9)
        : random.pick([
            [1, 90],
            [2, 8],
            [3, 2],
          ]),
    )
    const at = new Date(day.start.getTime() + random.pick(OF_HOUR) * HOUR_MS + random.between(0, HOUR_MS - 1))
    purchases.push({ at, person, lines: Array.from({ length: count }, () => planLine(random, person, offers)) })
    left -= count
  }
  return purchases.sort((a, b) => a.at.getTime() - b.at.getTime())
}

/** What has come in lately and waits, whatever the hour: a demo is opened in the evening too. */
export function planLastHour(random: Random, { people, offers, now, count, lastMs }: LastHour): PlannedPurchase[] {
  const weighted = people
    .filter(({ stoppedDaysAgo }) => stoppedDaysAgo === null)
    .map((person) => [person, person.isAgent ? 14 : 1] as const)
  return Array.from({ length: count }, () => {
    const person = random.pick(weighted)
    const at = new Date(now.getTime() - random.between(60_000, lastMs - 60_000))
    return { at, person, lines: Array.from({ length: random.between(1, 2) }, () => planLine(random, person, offers)) }
  }).sort((a, b) => a.at.getTime() - b.at.getTime())
}

type LastHour = {
  people: readonly Person[]
  offers: Record<Network, readonly string[]>
  now: Date
  count: number
  /** How long ago the first of them may have come. */
  lastMs: number
}

function planLine(random: Random, person: Person, offers: Record<Network, readonly string[]>): PlannedLine {
  const network = random.pick(person.networks.filter(([name]) => offers[name].length > 0))
  const offer = random.pick(offers[network].map((name, index) => [name, OF_SIZE[index] ?? 1] as const))
  return { network, offer, receiver: receiverFor(random, person, network, offer) }
}

/** Airtime names its network in the offer; the rest goes to a number of MTN or of the offer's own network. */
function receiverFor(random: Random, person: Person, network: Network, offer: string): string {
  const named = (['AirtelTigo', 'Telecel'] as const).find((one) => network === one || offer.startsWith(one))
  const numbers = person.receivers[named ?? 'MTN'] as string[]
  return numbers[random.between(0, numbers.length - 1)] as string
}

/** Midnight in Ghana, which is midnight UTC, so many days before `now`. */
export function startOfDayAgo(now: Date, daysAgo: number): Date {
  return new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS - daysAgo * DAY_MS)
}
