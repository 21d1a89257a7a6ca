import { startOfDay } from '../../../../shared/dates.ts'
import type { FloatState } from '../../../../shared/floats.ts'
import { NETWORKS, type Network } from '../../../../shared/networks.ts'
import type { Shop } from '../../../../shared/shop.ts'
import type { SmsGateway } from '../../../integrations/sms/sms-gateway.ts'
import type { Suppliers } from '../../../integrations/supplier/suppliers.ts'
import { selectUsedToday } from '../../../platform/day-caps.sql.ts'
import type { Queryable } from '../../../platform/db.ts'
import { openOn } from '../../../platform/work-hours.ts'
import { type SupplierHealth, selectHealth } from '../supplier/health.sql.ts'
import { countHourlyRate, countSpending, type Spending } from './count-spending.ts'
import { findEnd } from './find-end.ts'
import {
  floatOfNetwork,
  type ReadingRow,
  type SpentRow,
  selectFloatSettings,
  selectHeld,
  selectReadings,
  selectSpentByHand,
  selectSpentToday,
} from './floats.sql.ts'
import { supplierOrderOf } from './read-supplier-order.ts'
import { selectSupplierRules } from './supplier-order.sql.ts'

/** What the shop needs to know of itself to say how long its floats last. */
export type FloatDeps = { suppliers: Suppliers; sms: SmsGateway; hours: Shop['hours'] }

export type Floats = { floats: FloatRow[]; alarmHours: number; day: { opens: Date; closes: Date } | null }

export type FloatRow = {
  key: string
  kind: 'supplier' | 'sms' | 'by-hand'
  networks: Network[]
  /** Networks whose orders come here when the suppliers before it cannot take them. */
  backsUp: Network[]
  state: FloatState
  /** Pesewas, or messages. */
  amount: number | null
  readAt: Date | null
  withoutCost: number
  health: SupplierHealth | null
  perHour: number | null
  rateFrom: 'deliveries' | 'balance' | null
  emptyAt: Date | null
  /** Hours of the shop's opening until it is used up at today's rate. */
  hoursLeft: number | null
  held: { orders: number; pesewas: number; costPesewas: number | null }
  howToTopUp: string
  today: Spending | null
}

const NOTHING_HELD = { orders: 0, pesewas: 0, costPesewas: 0 }
const HOUR_MS = 3_600_000
/** Messages sent in less than this say little about a day. */
const SHORTEST_HOURS = 0.5

/** Every float of the shop at `now`: its suppliers, the SMS service, and each portal whose balance somebody has entered. */
export async function readFloats(db: Queryable, { suppliers, sms, hours }: FloatDeps, now: Date): Promise<Floats> {
  const day = startOfDay(now)
  const today = openOn(day, hours)
  const opens = today?.opens ?? day
  const [rules, readings, health, held, float, sent, spentToday, spentByHand] = await Promise.all([
    selectSupplierRules(db),
    selectReadings(db, day),
    selectHealth(db),
    selectHeld(db, now),
    selectFloatSettings(db),
    selectUsedToday(db, 'sms_days', now.toISOString().slice(0, 10)),
    selectSpentToday(db, day, opens),
    selectSpentByHand(db),
  ])
  const byKey = Map.groupBy(readings, ({ key }) => key)
  const spentAt = (isMeant: (row: SpentRow) => boolean) => sumSpent(spentToday.filter(isMeant))
  const about = (key: string) => ({ key, howToTopUp: float.howToTopUp[key] ?? '', readings: byKey.get(key) ?? [], opens, hours, now })

  // Orders may still wait at a supplier that was taken out of the configuration.
  const names = new Set([...suppliers.keys(), ...held.map(({ supplier }) => supplier)])
  const floats = [...names].map((name) => {
    const known = {
      ...measureSupplier(
        about(name),
        spentAt(({ supplier }) => supplier === name),
      ),
      held: held.find(({ supplier }) => supplier === name) ?? NOTHING_HELD,
    }
    const standing = health.find((supplier) => supplier.name === name) ?? null
    return {
      ...known,
      kind: 'supplier' as const,
      networks: NETWORKS.filter((network) => supplierOrderOf(rules, network)[0] === name),
      backsUp: NETWORKS.filter((network) => supplierOrderOf(rules, network).indexOf(name) > 0),
      health: standing,
      state: stateOf(known, standing, { alarmHours: float.alarmHours, closes: today?.closes ?? null, now }),
    }
  })
  const others = [
    ...(sms.sender ? [{ ...measureMessages(about('sms'), sent), kind: 'sms' as const, networks: [], backsUp: [] }] : []),
    ...NETWORKS.filter((network) => byKey.has(floatOfNetwork(network))).map((network) => ({
      ...measurePortal(
        about(floatOfNetwork(network)),
        spentAt((row) => row.supplier === 'by-hand' && row.network === network),
        spentByHand.find(({ key }) => key === floatOfNetwork(network)) ?? { spent: 0, withoutCost: 0 },
      ),
      kind: 'by-hand' as const,
      networks: [network],
      backsUp: [],
    })),
  ].map((known) => ({
    ...known,
    held: NOTHING_HELD,
    health: null,
    state: stateOf(known, null, { alarmHours: float.alarmHours, closes: today?.closes ?? null, now }),
  }))
  return { floats: [...floats, ...others], alarmHours: float.alarmHours, day: today }
}

type About = { key: string; howToTopUp: string; readings: ReadingRow[]; opens: Date; hours: Shop['hours']; now: Date }
type Measured = Omit<FloatRow, 'kind' | 'networks' | 'backsUp' | 'state' | 'health' | 'held'>

function measure({ key, howToTopUp, readings, opens, hours, now }: About): Measured {
  const last = readings.at(-1)
  const amount = last?.amount ?? null
  const perHour = countHourlyRate(readings, opens)
  return {
    key,
    howToTopUp,
    amount,
    readAt: last?.readAt ?? null,
    withoutCost: 0,
    today: countSpending(readings),
    ...lasts(amount, perHour, now, hours),
    rateFrom: perHour === null ? null : 'balance',
  }
}

type Spent = Pick<SpentRow, 'today' | 'sinceOpening' | 'withoutCost'>

function sumSpent(rows: SpentRow[]): Spent {
  return rows.reduce<Spent>(
    (all, { today, sinceOpening, withoutCost }) => ({
      today: all.today + today,
      sinceOpening: all.sinceOpening + sinceOpening,
      withoutCost: all.withoutCost + withoutCost,
    }),
    { today: 0, sinceOpening: 0, withoutCost: 0 },
  )
}

/** Spent in an hour since opening, at cost; null while a cost is missing, nothing was delivered, or the shop has just opened. */
function rateOf({ sinceOpening, withoutCost }: Spent, { opens, now }: About): number | null {
  const hours = (now.getTime() - opens.getTime()) / HOUR_MS
  return withoutCost > 0 || sinceOpening <= 0 || hours < SHORTEST_HOURS ? null : sinceOpening / hours
}

/**
 * By what was delivered, where all of it has a cost, or by what the balance lost, whichever is more: an order is charged when the
 * supplier takes it, and has a cost only when it is completed.
 */
function measureSupplier(about: About, spent: Spent): Measured {
  const known = measure(about)
  const perHour = rateOf(spent, about)
  if (perHour === null || (known.perHour !== null && known.perHour >= perHour)) return known
  return { ...known, ...lasts(known.amount, perHour, about.now, about.hours), rateFrom: 'deliveries' }
}

/** A portal without an API: what was counted there last, less what was delivered by hand since. */
function measurePortal(about: About, spent: Spent, since: { spent: number; withoutCost: number }): Measured {
  const known = measure(about)
  if (known.amount === null) return known
  const amount = known.amount - since.spent
  const perHour = rateOf(spent, about)
  const day = startOfDay(about.now)
  const entered = about.readings.filter(({ readAt }) => readAt >= day)
  const topUps = entered.reduce((sum, { amount: counted, expected }) => sum + (expected === null ? 0 : counted - expected), 0)
  // A portal that was first counted today begins its day with that.
  const isNew = about.readings.length === entered.length
  const opening = isNew ? (entered[0]?.amount ?? amount) : amount + spent.today - topUps
  return {
    ...known,
    amount,
    withoutCost: since.withoutCost,
    ...lasts(amount, perHour, about.now, about.hours),
    rateFrom: perHour === null ? null : 'deliveries',
    today: { opening, topUps, spent: opening + topUps - amount },
  }
}

/** Messages are counted as they are sent, so their rate needs no readings. */
function measureMessages(about: About, sent: number): Measured {
  const known = measure(about)
  const hours = (about.now.getTime() - about.opens.getTime()) / HOUR_MS
  if (hours < SHORTEST_HOURS) return known
  return { ...known, ...lasts(known.amount, sent / hours, about.now, about.hours), rateFrom: 'deliveries' }
}

function lasts(amount: number | null, perHour: number | null, now: Date, hours: Shop['hours']) {
  if (amount === null || perHour === null) return { perHour, emptyAt: null, hoursLeft: null }
  return { perHour, emptyAt: findEnd(amount, perHour, now, hours), hoursLeft: perHour > 0 ? Math.max(0, amount) / perHour : null }
}

type Limits = { alarmHours: number; closes: Date | null; now: Date }

function stateOf({ amount, hoursLeft, emptyAt }: Measured, health: SupplierHealth | null, { alarmHours, closes, now }: Limits): FloatState {
  if (health?.isTroubled) {
    if (health.cause === 'no-money') return 'finished'
    return health.openUntil ? 'stopped' : 'trying'
  }
  if (amount === null) return 'unknown'
  if (amount <= 0) return 'finished'
  if (hoursLeft !== null && hoursLeft < alarmHours) return 'low'
  return emptyAt !== null && closes !== null && now < closes && emptyAt < closes ? 'low' : 'enough'
}
