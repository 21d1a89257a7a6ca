import type { FloatState } from '../../../shared/floats.ts'
import { NETWORKS, type Network } from '../../../shared/networks.ts'
import type { Shop } from '../../../shared/shop.ts'
import type { SupplierName } from '../../../shared/suppliers.ts'
import type { SmsGateway } from '../../integrations/sms/sms-gateway.ts'
import type { Suppliers } from '../../integrations/supplier/suppliers.ts'
import { selectUsedToday } from '../../platform/day-caps.sql.ts'
import type { Queryable } from '../../platform/db.ts'
import { type SettingsRow, selectSettings } from '../settings/settings.sql.ts'
import { type SupplierHealth, selectHealth } from '../supplier/health.sql.ts'
import { countHourlyRate, countSpending, type Spending } from './count-spending.ts'
import { findEnd, openOn, startOfDay } from './find-end.ts'
import { floatOfNetwork, type ReadingRow, selectFloatSettings, selectHeld, selectReadings } from './floats.sql.ts'

/** What the shop needs to know of itself to say how long its floats last. */
export type FloatDeps = { suppliers: Suppliers; sms: SmsGateway; hours: Shop['hours'] }

export type Floats = { floats: FloatRow[]; alarmHours: number; day: { opens: Date; closes: Date } | null }

export type FloatRow = {
  key: string
  kind: 'supplier' | 'sms' | 'by-hand'
  networks: Network[]
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
  const [settings, readings, health, held, float, sent] = await Promise.all([
    selectSettings(db),
    selectReadings(db, day),
    selectHealth(db),
    selectHeld(db, now),
    selectFloatSettings(db),
    selectUsedToday(db, 'sms_days', now.toISOString().slice(0, 10)),
  ])
  const byKey = Map.groupBy(readings, ({ key }) => key)
  const today = openOn(day, hours)
  const opens = today?.opens ?? day
  const about = (key: string) => ({ key, howToTopUp: float.howToTopUp[key] ?? '', readings: byKey.get(key) ?? [], opens, hours, now })

  // Orders may still wait at a supplier that was taken out of the configuration.
  const names = new Set([...suppliers.keys(), ...held.map(({ supplier }) => supplier)])
  const floats = [...names].map((name) => {
    const known = { ...measure(about(name)), held: held.find(({ supplier }) => supplier === name) ?? NOTHING_HELD }
    const standing = health.find((supplier) => supplier.name === name) ?? null
    return {
      ...known,
      kind: 'supplier' as const,
      networks: routedTo(settings, name),
      health: standing,
      state: stateOf(known, standing, { alarmHours: float.alarmHours, closes: today?.closes ?? null, now }),
    }
  })
  const others = [
    ...(sms.sender ? [{ ...measureMessages(about('sms'), sent), kind: 'sms' as const, networks: [] }] : []),
    ...NETWORKS.filter((network) => byKey.has(floatOfNetwork(network))).map((network) => ({
      ...measure(about(floatOfNetwork(network))),
      kind: 'by-hand' as const,
      networks: [network],
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
type Measured = Omit<FloatRow, 'kind' | 'networks' | 'state' | 'health' | 'held'>

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

function routedTo({ supplierRoutes }: SettingsRow, name: SupplierName): Network[] {
  return NETWORKS.filter((network) => supplierRoutes[network] === name)
}
