import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { openEmptyDatabase } from '../../../../test/database.ts'
import { pick, randomFrom } from '../../../../test/random.ts'
import type { Queryable } from '../../../platform/db.ts'
import { createLog } from '../../../platform/log.ts'
import { listMigrations, migrate } from '../../../platform/migrate.ts'
import type { Filter } from '../profit/narrow.sql.ts'
import { gatherHours, gatherHourTimes, gatherTimes } from './gather-days.ts'
import { selectPackages, selectRange } from './insight.sql.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openTestShop()
})
afterAll(() => shop.close())

type Delivery = {
  at: string
  network: string
  supplier: string
  offer: string
  net: number
  costed: number
  cost: number
  uncosted: number
  boughtHour: number
  minutes: number | null
}

const ALL: Filter = { network: null, supplier: null }
const FILTERS: Filter[] = [
  ALL,
  { network: 'MTN', supplier: null },
  { network: null, supplier: 'hubnet' },
  { network: 'Telecel', supplier: 'by-hand' },
  { network: null, supplier: 'reloadly' },
]
/** As rough_minutes.sql has them, where they differ. */
const ROUGH = new Map([
  [7, 10],
  [100, 120],
])

/** As insight_deltas has them, on some of the days from 2026-01-01 on. A refund has no minutes, and of reloadly there are only refunds. */
function makeDeliveries(seed: number, count: number, daysLong: number): Delivery[] {
  const random = randomFrom(seed)
  const whole = (below: number) => Math.floor(random() * below)
  // No deliveries on two days of seven, and all of Telecel's before the third week.
  return Array.from({ length: count }, () => {
    const day = whole(daysLong / 7) * 7 + whole(5)
    const network = day < 21 ? pick(['MTN', 'Telecel'], random) : 'MTN'
    const minutes = random() < 0.1 ? null : pick([1, 2, 5, 7, 15, 30, 60, 100, 1440], random)
    // Together more than 32 bits hold.
    const net = minutes === null ? -whole(500) : whole(2_000_000_000)
    const isCosted = random() < 0.8
    return {
      at: new Date(Date.UTC(2026, 0, 1 + day, whole(24), whole(60))).toISOString(),
      network,
      supplier: pick(minutes === null ? ['by-hand', 'hubnet', 'reloadly'] : ['by-hand', 'hubnet'], random),
      offer: `${1 + whole(15)}GB`,
      net,
      costed: isCosted ? net : 0,
      cost: isCosted && minutes !== null ? whole(net) : 0,
      uncosted: isCosted || minutes === null ? 0 : 1,
      boughtHour: whole(24),
      minutes,
    }
  })
}

/** On a day without a delivery. */
const REFUND: Delivery = {
  at: '2026-01-14T10:00:00.000Z',
  network: 'MTN',
  supplier: 'hubnet',
  offer: '1GB',
  net: -500,
  costed: -500,
  cost: 0,
  uncosted: 0,
  boughtHour: 9,
  minutes: null,
}

async function deliver(db: Queryable, deliveries: Delivery[]) {
  await db.query(
    `insert into insight_deltas (at, network, supplier, offer, orders, net_pesewas, costed_pesewas, cost_pesewas, uncosted_orders, bought_hour, minutes)
     select at, network, supplier, offer, (minutes is not null)::integer, net, costed, cost, uncosted,
       case when minutes is null then null else "boughtHour" end, minutes
     from jsonb_to_recordset($1) as d (
       at timestamptz, network text, supplier text, offer text, net bigint, costed bigint, cost bigint, uncosted integer, "boughtHour" smallint, minutes integer
     )`,
    [JSON.stringify(deliveries)],
  )
}

function nearestRank(minutes: number[], share: number): number {
  return minutes.toSorted((one, other) => one - other)[Math.ceil(minutes.length * share) - 1] as number
}

/** What the rows of a range have to add up to. */
function byHand(deliveries: Delivery[], from: string, to: string, { network, supplier }: Filter) {
  const meant = deliveries.filter(
    (one) =>
      one.at.slice(0, 10) >= from &&
      one.at.slice(0, 10) <= to &&
      (network ?? one.network) === one.network &&
      (supplier ?? one.supplier) === one.supplier,
  )
  const sums = (some: Delivery[]) => {
    const sum = (of: 'net' | 'costed' | 'cost' | 'uncosted') => some.reduce((all, one) => all + one[of], 0)
    return {
      orders: some.filter(({ minutes }) => minutes !== null).length,
      net: sum('net'),
      costed: sum('costed'),
      cost: sum('cost'),
      uncosted: sum('uncosted'),
    }
  }
  const hours = Array.from({ length: 24 }, (_, hour) => sums(meant.filter(({ at }) => new Date(at).getUTCHours() === hour)))
  const packages = [...Map.groupBy(meant, (one) => `${one.network} ${one.offer}`)]
    .map(([name, ones]) => ({ name, ...sums(ones) }))
    .filter(({ orders }) => orders > 0)
    .sort((one, other) => other.net - one.net)
    .slice(0, 12)
  const medians = (keyOf: (one: Delivery) => string, isRough = false) => {
    const groups = Map.groupBy(
      meant.filter(({ minutes }) => minutes !== null),
      keyOf,
    )
    return Object.fromEntries(
      [...groups].map(([key, ones]) => {
        const minutes = ones.map((one) => one.minutes as number).map((one) => (isRough ? (ROUGH.get(one) ?? one) : one))
        return [key, [minutes.length, nearestRank(minutes, 0.5), nearestRank(minutes, 0.9)]]
      }),
    )
  }
  return {
    hours,
    packages,
    hourTimes: {
      ...medians(({ boughtHour }) => `${boughtHour}`, true),
      ...medians((one) => `${one.network} ${one.supplier} ${one.boughtHour}`, true),
    },
    times: { ...medians(({ at }) => at.slice(0, 10)), ...medians((one) => `${one.network} ${one.supplier}`) },
  }
}

async function read(db: Queryable, from: string, to: string, filter: Filter) {
  const rows = await selectRange(db, from, to, filter)
  const byKey = (times: ReturnType<typeof gatherTimes>) =>
    Object.fromEntries(
      times.map(({ day, network, supplier, hour, orders, median, nineOfTen }) => [
        day ?? [network, supplier, hour].filter((part) => part !== null).join(' '),
        [orders, median, nineOfTen],
      ]),
    )
  const packages = await selectPackages(db, from, to, filter)
  return {
    hours: gatherHours(rows),
    packages: packages.map(({ network, offer, ...sums }) => ({ name: `${network} ${offer}`, ...sums })),
    hourTimes: byKey(gatherHourTimes(rows)),
    times: byKey(gatherTimes(rows)),
  }
}

const RANGES = [
  ['2026-01-01', '2026-03-25'],
  ['2025-12-01', '2026-01-05'],
  ['2026-01-02', '2026-01-02'],
  ['2026-01-20', '2026-02-18'],
  // Begins and ends on days without a delivery.
  ['2026-01-06', '2026-02-11'],
  ['2026-03-20', '2026-04-30'],
  ['2025-10-01', '2025-12-31'],
  ['2026-05-01', '2026-05-31'],
] as const

test('a range is what was delivered in it, whatever of it is folded, added up, or in the running totals', async () => {
  const tx = await shop.database.db.connect()
  const known: Delivery[] = []
  const add = async (deliveries: Delivery[]) => {
    known.push(...deliveries)
    await deliver(tx, deliveries)
  }
  const compare = async (when: string) => {
    for (const [from, to] of RANGES)
      for (const filter of FILTERS)
        expect({ when, from, filter, ...(await read(tx, from, to, filter)) }).toEqual({
          when,
          from,
          filter,
          ...byHand(known, from, to, filter),
        })
  }
  const fold = () => tx.query('select fold_insight_deltas()')
  const addUp = (now: string, most: number) => tx.query('select add_up_days($1, $2)', [now, most])
  const lastWeek = async () => (await tx.query<{ week: string }>('select max(week)::text as week from insight_package_weeks')).rows[0]!.week
  const runsUntil = async () => (await tx.query<{ day: string }>('select max(day)::text as day from insight_running_totals')).rows[0]!.day
  try {
    await tx.query('begin')
    await add([...makeDeliveries(1, 400, 84), REFUND])
    await compare('not folded')
    await fold()
    await compare('folded')
    await addUp('2026-03-20T10:00:00Z', 20)
    expect(await runsUntil()).toBe(null)
    await compare('some days added up')
    for (let round = 0; round < 3; round++) await addUp('2026-03-20T10:00:00Z', 20)
    await compare('some running totals')
    for (let round = 0; round < 4; round++) await addUp('2026-03-20T10:00:00Z', 20)
    expect(await runsUntil()).toBe('2026-03-19')
    // Its last days are yet to come.
    expect(await lastWeek()).toBe('2026-03-09')
    await compare('all running totals')

    // A day long ago changes once more.
    await add([...makeDeliveries(2, 30, 14), ...makeDeliveries(3, 50, 84)])
    await compare('changed, not folded')
    await fold()
    await compare('changed, folded')
    await addUp('2026-03-30T10:00:00Z', 3)
    await compare('changed, some days added up')
    for (let round = 0; round < 8; round++) await addUp('2026-03-30T10:00:00Z', 20)
    expect(await runsUntil()).toBe('2026-03-23')
    expect(await lastWeek()).toBe('2026-03-23')
    await compare('changed, all added up')
    const { rows } = await tx.query('select * from stale_days')
    expect(rows).toEqual([])
  } finally {
    await tx.query('rollback')
    tx.release()
  }
})

test('a range is right from the upgrade that brought running totals on, while these are made', async () => {
  const log = createLog('silent')
  const empty = await openEmptyDatabase()
  const db = new pg.Client({ connectionString: empty.url })
  try {
    await migrate(empty.url, log, { upTo: (await listMigrations()).indexOf('0125-sums-of-ranges') })
    await db.connect()
    const known = makeDeliveries(4, 200, 84)
    await deliver(db, known)
    // As the version before has folded them and added up their days.
    const sums = 'sum(orders), sum(net_pesewas), sum(costed_pesewas), sum(cost_pesewas), sum(uncosted_orders)'
    for (const sql of [
      `insert into insight_hours select date_trunc('hour', at, 'UTC'), network, supplier, ${sums} from insight_deltas group by 1, 2, 3`,
      `insert into insight_packages select (at at time zone 'UTC')::date, network, supplier, offer, ${sums} from insight_deltas group by 1, 2, 3, 4`,
      `insert into insight_minutes
       select (at at time zone 'UTC')::date, network, supplier, minutes, count(*) from insight_deltas where minutes is not null group by 1, 2, 3, 4`,
      `insert into insight_days
       select day, network, supplier, '{}', ('[' || string_agg(minutes || ',' || orders, ',') || ']')::json, '{}' from insight_minutes group by 1, 2, 3`,
      `insert into delivery_totals select distinct day, 'MTN', 'by-hand', null::uuid, 0, 0, 0, 0, 0, 0, 0, 0 from insight_packages`,
      'delete from insight_deltas',
    ])
      await db.query(sql)
    await migrate(empty.url, log)
    for (const most of [0, 15, 40, 1000]) {
      await db.query('select add_up_days($1, $2)', [new Date('2026-03-30'), most])
      for (const [from, to] of RANGES)
        for (const filter of FILTERS) {
          const { hourTimes: _, ...found } = await read(db, from, to, filter)
          const { hourTimes: __, ...real } = byHand(known, from, to, filter)
          expect({ most, from, filter, ...found }).toEqual({ most, from, filter, ...real })
        }
    }
  } finally {
    await db.end()
    await empty.close()
  }
})
