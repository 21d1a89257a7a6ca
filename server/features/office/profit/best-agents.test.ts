import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { openEmptyDatabase } from '../../../../test/database.ts'
import { randomFrom } from '../../../../test/random.ts'
import type { Queryable, Tx } from '../../../platform/db.ts'
import { createLog } from '../../../platform/log.ts'
import { listMigrations, migrate } from '../../../platform/migrate.ts'
import { type AgentRow, selectBestAgents } from './best-agents.sql.ts'
import { findBestAgents, findLikelyAgents } from './find-best-agents.ts'
import type { Filter } from './narrow.sql.ts'
import type { Days } from './profit.sql.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openTestShop()
})
afterAll(() => shop.close())

const MOST = 12
const ALL: Filter = { network: null, supplier: null }
/** All, and those of a network, a supplier and both; these for every third range. */
const CHOICES: Filter[] = [
  ALL,
  { network: 'Telecel', supplier: null },
  { network: null, supplier: 'hubnet' },
  { network: 'MTN', supplier: 'hubnet' },
]
const AGENTS = 400

/** Undone afterwards: these agents have sold what nobody has bought. */
async function withAgents(work: (tx: Tx) => Promise<void>, count = AGENTS) {
  const tx = await shop.database.db.connect()
  try {
    await tx.query('begin')
    await addAgents(tx, count)
    await work(tx)
  } finally {
    await tx.query('rollback')
    tx.release()
  }
}

async function addAgents(db: Queryable, count = AGENTS) {
  await db.query(
    `insert into users (username, username_skeleton, email, phone, password_hash, level, created_at)
     select 'agent ' || n, 'ranked-' || n, 'agent' || n || '@example.com', '0' || 599000000 + n, 'none', 'Agent', now() from generate_series(1, $1) n`,
    [count],
  )
}

/** Deliveries of four months, 2026-01 to 2026-04: each agent's on some days. `weight` says how much the n-th sells, from 0 to 1. */
async function sell(db: Queryable, seed: number, weight: (n: number) => number) {
  const random = randomFrom(seed)
  const rows = Array.from({ length: AGENTS }, (_, n) => n).flatMap((n) =>
    Array.from({ length: 120 }, (_, day) => day)
      .filter(() => random() < 0.05 + weight(n) / 2)
      .map((day) => {
        const orders = 1 + Math.floor(random() * 40 * weight(n))
        const sales = orders * (300 + Math.floor(random() * 500))
        const refunded = random() < 0.1 ? Math.floor(random() * sales * 2) : 0
        const of = { network: random() < 0.6 ? 'MTN' : 'Telecel', supplier: random() < 0.7 ? 'by-hand' : 'hubnet' }
        return { n: n + 1, day, ...of, orders, sales, refunded }
      }),
  )
  await db.query(
    `insert into delivery_deltas (day, network, supplier, agent_id, orders, sales_pesewas, cost_pesewas, refunded_orders, refunded_pesewas)
     select '2026-01-01'::date + day, network, supplier, u.id, orders, sales, sales / 2, (refunded > 0)::integer, refunded
     from jsonb_to_recordset($1) as r (n integer, day integer, network text, supplier text, orders integer, sales bigint, refunded bigint)
     join users u on u.username_skeleton = 'ranked-' || n`,
    [JSON.stringify(rows)],
  )
}

/** What the same query answers by adding up every agent's days. */
async function byHand(db: Queryable, { from, until }: Days, { network, supplier }: Filter) {
  const { rows } = await db.query<{ agentId: string; orders: number; sales: number; refunded: number }>(
    `select agent_id as "agentId", sum(orders)::integer as orders, sum(sales_pesewas)::float8 as sales, sum(refunded_pesewas)::float8 as refunded
     from delivery_counts
     where day between $1 and $2 and agent_id is not null and network = coalesce($3, network) and supplier = coalesce($4, supplier) group by 1`,
    [from, until, network, supplier],
  )
  const worth = (row: (typeof rows)[number]) => row.sales - row.refunded
  return rows
    .filter(({ orders }) => orders > 0)
    .sort((one, other) => worth(other) - worth(one) || (one.agentId < other.agentId ? -1 : 1))
    .slice(0, MOST)
}

const shown = (rows: AgentRow[]) =>
  rows.map(({ agentId, orders, salesPesewas, refundedPesewas }) => ({ agentId, orders, sales: salesPesewas, refunded: refundedPesewas }))

/** Thirty of them sell much. */
const FEW = (n: number) => (n < 30 ? 10 / (10 + n) : 0.01)

const RANGES: Days[] = [
  { from: '2026-01-14', until: '2026-02-12' },
  { from: '2026-01-01', until: '2026-04-30' },
  { from: '2026-01-31', until: '2026-04-01' },
  { from: '2026-02-02', until: '2026-03-01' },
  { from: '2026-02-28', until: '2026-03-20' },
  { from: '2025-12-20', until: '2026-01-20' },
  { from: '2026-03-17', until: '2026-05-31' },
  { from: '2026-02-01', until: '2026-02-28' },
  { from: '2026-02-02', until: '2026-02-08' },
  // Its first and its last week lack a day.
  { from: '2026-01-13', until: '2026-02-14' },
  // A month without its last day.
  { from: '2026-03-01', until: '2026-03-30' },
]

test('the best of any range and month are those of its days, folded, added up or neither', async () => {
  await withAgents(async (tx) => {
    const compare = async () => {
      for (const [place, days] of RANGES.entries()) {
        for (const of of place % 3 === 0 ? CHOICES : [ALL]) {
          const best = shown(await selectBestAgents(tx, days, of, MOST))
          expect([days, of, best]).toEqual([days, of, await byHand(tx, days, of)])
        }
      }
    }
    await sell(tx, 20261126, FEW)
    await compare()
    await tx.query('select fold_delivery_deltas()')
    await compare()
    await tx.query('select add_up_days($1, 10000)', [new Date('2026-05-02')])
    await compare()
    // One who has sold nearly nothing sells most, another has more refunded than sold, and it is not folded yet.
    await tx.query(
      `insert into delivery_deltas (day, network, supplier, agent_id, orders, sales_pesewas, refunded_orders, refunded_pesewas)
       select day, 'MTN', 'by-hand', u.id, 400, 9000000, 1, case u.username_skeleton when 'ranked-1' then 9900000 else 0 end
       from unnest('{2026-01-20, 2026-02-10, 2026-03-18}'::date[]) day
       join users u on u.username_skeleton in ('ranked-${AGENTS}', 'ranked-1')`,
    )
    await compare()
    // Their days and weeks have changed since they were added up, and then some of them again have not.
    const refundOrSell = (sales: number, refunded: number) =>
      tx.query(
        `insert into delivery_deltas (day, network, supplier, agent_id, orders, sales_pesewas, refunded_pesewas)
         select '2026-02-03', 'MTN', 'hubnet', id, ($1 > 0)::integer, $1, $2 from users where username_skeleton = 'ranked-2'`,
        [sales, refunded],
      )
    await refundOrSell(0, 9_000_000)
    await tx.query('select fold_delivery_deltas()')
    await compare()
    await tx.query('select add_up_days($1, 4)', [new Date('2026-05-02')])
    await compare()
    // What is not folded alone would make one of the best.
    await refundOrSell(1_000_000, 0)
    await compare()
    // As after an upgrade, when a month was not added up yet.
    await tx.query(`delete from agent_months where month = '2026-02-01'`)
    await tx.query(`insert into stale_days values ('months', '2026-02-01')`)
    await compare()
  })
})

test('who has lost more than others have refunds alone is among the best, since these have no delivery', async () => {
  await withAgents(async (tx) => {
    await tx.query(
      `insert into delivery_deltas (day, network, supplier, agent_id, orders, sales_pesewas, refunded_orders, refunded_pesewas)
       select '2026-02-20', 'MTN', 'by-hand', id, (n <= 4)::integer, case when n <= 4 then 1000 else 0 end, (n >= 4)::integer,
         case when n < 4 then 0 when n = 4 then 9000 else 300 end
       from (select id, row_number() over (order by id) as n from users where username_skeleton like 'ranked-%') agents where n <= 30`,
    )
    await tx.query('select fold_delivery_deltas()')
    for (const days of RANGES) {
      const best = shown(await selectBestAgents(tx, days, ALL, MOST))
      expect([days, best]).toEqual([days, await byHand(tx, days, ALL)])
      if (days.from <= '2026-02-20' && days.until >= '2026-02-20') expect(best).toHaveLength(4)
    }
  })
})

test('the best are right from the upgrade that brought their lists on, while these are made', async () => {
  const log = createLog('silent')
  const empty = await openEmptyDatabase()
  const db = new pg.Client({ connectionString: empty.url })
  try {
    await migrate(empty.url, log, { upTo: (await listMigrations()).indexOf('0125-sums-of-ranges') })
    await db.connect()
    await addAgents(db)
    await sell(db, 20261127, FEW)
    await db.query('insert into delivery_totals select * from delivery_deltas')
    await db.query('delete from delivery_deltas')
    await db.query(`insert into stale_days select 'months', generate_series('2026-01-01'::timestamp, '2026-04-01', '1 month')`)
    await migrate(empty.url, log)
    for (const most of [0, 15, 40, 1000]) {
      await db.query('select add_up_days($1, $2)', [new Date('2026-05-04'), most])
      for (const days of RANGES) {
        const best = shown(await selectBestAgents(db, days, ALL, MOST))
        expect([most, days, best]).toEqual([most, days, await byHand(db, days, ALL)])
      }
    }
    const { rows } = await db.query('select days, count(distinct starts_on)::integer as count from agent_lists group by 1 order by 1')
    expect(rows).toEqual([
      { days: 1, count: 120 },
      { days: 7, count: 18 },
    ])
  } finally {
    await db.end()
    await empty.close()
  }
})

/** As agents_of_days.sql packs them. */
function pack(...agents: [seq: number, orders: number, net: number][]): Buffer {
  return Buffer.concat(
    agents.map(([seq, orders, net]) => {
      const packed = Buffer.alloc(16)
      packed.writeInt32BE(seq)
      packed.writeInt32BE(orders, 4)
      packed.writeBigInt64BE(BigInt(net), 8)
      return packed
    }),
  )
}

test('the best of several lists are found whatever the size and sign of their amounts, with all who have as much as the last', () => {
  const lists = [
    pack([1, 2, 5_000_000_000], [2, 1, -1], [3, 1, 2_999_999_999], [70_000, 0, 9_000_000_000], [5, 0, -3_000_000_000]),
    pack([1, 1, -4_000_000_000], [2, 0, 3_000_000_001]),
    pack([5, 1, 3_999_999_999], [6, 1, 999_999_999], [7, 1, -2_147_483_649], [8, 1, -5]),
  ]
  const best = (most: number) => findBestAgents(lists, most).toSorted((one, other) => one - other)
  expect(best(1)).toEqual([2])
  expect(best(3)).toEqual([1, 2, 3])
  expect(best(4)).toEqual([1, 2, 3, 5, 6])
  expect(best(6)).toEqual([1, 2, 3, 5, 6, 8])
  expect(best(12)).toEqual([1, 2, 3, 5, 6, 7, 8])
  expect(findBestAgents([], 12)).toEqual([])
})

test('whoever may be among the best is likely, whatever the others of each list have', () => {
  const random = randomFrom(7)
  const whole = (below: number) => Math.floor(random() * below)
  let told = 0
  for (let round = 0; round < 400; round++) {
    const isSteep = random() < 0.5
    const lists = Array.from({ length: 1 + whole(6) }, () =>
      Array.from({ length: whole(40) }, (_, at): [number, number, number] => {
        const orders = random() < 0.1 ? 0 : 1 + whole(3)
        const net = orders === 0 || random() < 0.1 ? -whole(300) : whole(isSteep ? 40_000 / (1 + at * at) : 1_000)
        return [1 + at, orders, net]
      }).toSorted((one, other) => other[2] - one[2]),
    )
    const places = 5 + whole(20)
    const likely = findLikelyAgents(
      lists.map((list) => ({
        best: pack(...list.slice(0, places)),
        othersMost: list[places]?.[2] ?? 0,
        othersLeast: (list.length > places && list.at(-1)?.[2]) || 0,
      })),
      4,
    )
    if (likely === null) continue
    told += 1
    const best = findBestAgents(
      lists.map((list) => pack(...list)),
      4,
    )
    expect([round, best.filter((seq) => !likely.includes(seq))]).toEqual([round, []])
  }
  expect(told).toBeGreaterThan(100)
})

test('who may be among the best of several lists is told by what others of each have at most and at least', () => {
  /** Each of the best has one delivery; `best` has their amounts by their number. */
  type List = { best: Record<string, number>; othersMost: number; othersLeast: number }
  const likely = (most: number, ...lists: List[]) =>
    findLikelyAgents(
      lists.map(({ best, ...others }) => ({
        best: pack(...Object.entries(best).map(([seq, net]): [number, number, number] => [Number(seq), 1, net])),
        ...others,
      })),
      most,
    )
  const none = { othersMost: 0, othersLeast: 0 }
  // The second may have 40 more in the first list.
  expect(likely(1, { best: { 1: 100 }, othersMost: 40, othersLeast: 30 }, { best: { 2: 65 }, ...none })).toEqual([1, 2])
  // The second may have 50 less in the first list, so that the third has more.
  expect(likely(1, { best: { 1: 10 }, othersMost: -40, othersLeast: -50 }, { best: { 2: 100, 3: 55 }, ...none })).toEqual([2, 3])
  // Who is in neither may have 50 in both, as much as the best have.
  const others = { othersMost: 50, othersLeast: 0 }
  expect(likely(2, { best: { 1: 100, 3: 60 }, ...others }, { best: { 2: 100, 4: 60 }, ...others })).toBeNull()
  // The third has a delivery and has lost by it.
  expect(likely(3, { best: { 1: 100, 2: 50 }, othersMost: -1, othersLeast: -1 })).toBeNull()
})

test('a list has everyone who bought, the 400 with most sales less refunds apart', async () => {
  await withAgents(async (tx) => {
    // The n-th has 1000 less ten times n.
    await tx.query(
      `insert into delivery_totals
       select '2026-02-20', 'MTN', 'by-hand', u.id, n, 1000, 0, 0, 0, 0, 10 * n, 0 from generate_series(1, 450) n
       join users u on u.username_skeleton = 'ranked-' || n`,
    )
    const { rows } = await tx.query<{ network: string | null; best: Buffer; others: Buffer; most: number; least: number }>(
      `select network, best, others, others_most as most, others_least as least from agents_of_days('2026-02-16', '2026-02-22') order by network`,
    )
    const netsOf = (list: Buffer) => Array.from({ length: list.length / 16 }, (_, at) => Number(list.readBigInt64BE(16 * at + 8)))
    const nets = Array.from({ length: 450 }, (_, at) => 1000 - 10 * (at + 1))
    for (const { best, others, most, least } of rows)
      expect([netsOf(best), netsOf(others), most, least]).toEqual([nets.slice(0, 400), nets.slice(400), -3010, -3500])
    expect(rows.map(({ network }) => network)).toEqual(['MTN', null])
  }, 450)
})

test('one of the best may be none of the hundred best of what is not folded', async () => {
  await withAgents(async (tx) => {
    const add = (day: string, sales: string) =>
      tx.query(
        `insert into delivery_deltas (day, network, supplier, agent_id, orders, sales_pesewas)
         select $1::date, 'MTN', 'by-hand', u.id, 1, ${sales} from generate_series(1, 150) n join users u on u.username_skeleton = 'ranked-' || n`,
        [day],
      )
    await add('2026-02-20', 'case n when 150 then 550 when 12 then 500 else 1 end')
    await tx.query('select fold_delivery_deltas(), add_up_days($1, 1000)', [new Date('2026-02-24')])
    await add('2026-02-21', 'case when n < 12 then 5000 when n <= 100 then 100 else 99 end')
    const days = { from: '2026-02-19', until: '2026-02-21' }
    const best = shown(await selectBestAgents(tx, days, ALL, MOST))
    expect(best).toEqual(await byHand(tx, days, ALL))
    expect(best.at(-1)?.sales).toBe(649)
  }, 150)
})

test.each([
  ['that sell much more than others are found by the best of each list', 20_000, 'best-agents-lists'],
  ['that sell a little more than others are found by all of each list', 40, 'best-agents-whole-lists'],
])('agents %s, where a week and a day have more than these', async (_name, much, read) => {
  const count = 600
  await withAgents(async (tx) => {
    // Everyone buys in each week, and on one day of it.
    await tx.query(
      `insert into delivery_deltas (day, network, supplier, agent_id, orders, sales_pesewas, cost_pesewas, refunded_orders, refunded_pesewas)
       select '2026-01-01'::date + day, case when n % 3 = 0 then 'Telecel' else 'MTN' end, case when n % 5 = 0 then 'hubnet' else 'by-hand' end, u.id, 1,
         100 + $2::integer / n + (n * 7919 + day * 31) % 60, 10, (n % 10 = 0)::integer, case when n % 10 = 0 then n % 300 else 0 end
       from generate_series(1, $1) n join users u on u.username_skeleton = 'ranked-' || n
       cross join lateral (select week * 7 + case when week % 4 = 0 then 3 else n % 7 end as day from generate_series(0, 12) week) bought`,
      [count, much],
    )
    const compare = async () => {
      const names = new Set<string | undefined>()
      const db: Queryable = {
        query: ((query: { name?: string }) => {
          names.add(query.name)
          return tx.query(query as never)
        }) as Tx['query'],
      }
      for (const [place, days] of RANGES.entries()) {
        for (const of of place % 3 === 0 ? CHOICES : [ALL]) {
          const best = shown(await selectBestAgents(db, days, of, MOST))
          expect([days, of, best]).toEqual([days, of, await byHand(tx, days, of)])
        }
      }
      expect(names).toContain(read)
      if (read === 'best-agents-lists') expect([...names].filter((name) => name?.includes('whole-lists'))).toEqual([])
    }
    await compare()
    await tx.query('select fold_delivery_deltas()')
    await compare()
    await tx.query('select add_up_days($1, 10000)', [new Date('2026-05-02')])
    await compare()
  }, count)
})
