import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestShop, type TestShop } from '../../../test/app.ts'
import { randomFrom } from '../../../test/random.ts'
import type { Queryable, Tx } from '../../platform/db.ts'
import { type AgentRow, type Ranking, selectBestAgents } from './best-agents.sql.ts'
import type { Days } from './profit.sql.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openTestShop()
})
afterAll(() => shop.close())

const NET: Ranking = { by: 'net', most: 12 }
const SALES: Ranking = { by: 'sales', most: 20 }
const AGENTS = 400

/** Undone afterwards: these agents have sold what nobody has bought. */
async function withAgents(work: (tx: Tx) => Promise<void>) {
  const tx = await shop.database.db.connect()
  try {
    await tx.query('begin')
    await tx.query(
      `insert into users (username, username_skeleton, email, phone, password_hash, level, created_at)
       select 'agent ' || n, 'ranked-' || n, 'agent' || n || '@example.com', '0' || 599000000 + n, 'none', 'Agent', now() from generate_series(1, $1) n`,
      [AGENTS],
    )
    await work(tx)
  } finally {
    await tx.query('rollback')
    tx.release()
  }
}

/** Deliveries of four months, 2026-01 to 2026-04: each agent's on some days. `weight` says how much the n-th sells, from 0 to 1. */
async function sell(tx: Tx, seed: number, weight: (n: number) => number) {
  const random = randomFrom(seed)
  const rows = Array.from({ length: AGENTS }, (_, n) => n).flatMap((n) =>
    Array.from({ length: 120 }, (_, day) => day)
      .filter(() => random() < 0.05 + weight(n) / 2)
      .map((day) => {
        const orders = 1 + Math.floor(random() * 40 * weight(n))
        const sales = orders * (300 + Math.floor(random() * 500))
        const refunded = random() < 0.1 ? Math.floor(random() * sales * 2) : 0
        return { n: n + 1, day, network: random() < 0.6 ? 'MTN' : 'Telecel', orders, sales, refunded }
      }),
  )
  await tx.query(
    `insert into delivery_deltas (day, network, supplier, agent_id, orders, sales_pesewas, cost_pesewas, refunded_orders, refunded_pesewas)
     select '2026-01-01'::date + day, network, 'by-hand', u.id, orders, sales, sales / 2, (refunded > 0)::integer, refunded
     from jsonb_to_recordset($1) as r (n integer, day integer, network text, orders integer, sales bigint, refunded bigint)
     join users u on u.username_skeleton = 'ranked-' || n`,
    [JSON.stringify(rows)],
  )
}

/** What the same query answers by adding up every agent's days. */
async function byHand(tx: Tx, { from, until }: Days, { by, most }: Ranking) {
  const { rows } = await tx.query<{ agentId: string; orders: number; sales: number; refunded: number }>(
    `select agent_id as "agentId", sum(orders)::integer as orders, sum(sales_pesewas)::float8 as sales, sum(refunded_pesewas)::float8 as refunded
     from delivery_counts where day between $1 and $2 and agent_id is not null group by 1`,
    [from, until],
  )
  const worth = (row: (typeof rows)[number]) => row.sales - (by === 'net' ? row.refunded : 0)
  return rows
    .filter(({ orders }) => by === 'sales' || orders > 0)
    .sort((one, other) => worth(other) - worth(one) || (one.agentId < other.agentId ? -1 : 1))
    .slice(0, most)
}

const shown = (rows: AgentRow[]) =>
  rows.map(({ agentId, orders, salesPesewas, refundedPesewas }) => ({ agentId, orders, sales: salesPesewas, refunded: refundedPesewas }))

/** Reads them, and says by which ways. */
async function read(tx: Tx, days: Days, ranking: Ranking) {
  const ways: string[] = []
  const watched = new Proxy(tx as Queryable, {
    get: () => (query: { name: string }) => {
      if (query.name.startsWith('best-agents')) ways.push(query.name.replace(/^best-agents-|-by-.*$/g, ''))
      return tx.query(query as never)
    },
  })
  return { best: shown(await selectBestAgents(watched, days, ranking)), ways }
}

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
]

test.each([
  ['a few sell most', FEW, true],
  ['all sell alike', () => 0.3, false],
])('where %s, the best of any range are those of its days, folded or not', async (_name, weight, isRankedByFew) => {
  await withAgents(async (tx) => {
    const compare = async (expected?: string[]) => {
      for (const days of RANGES) {
        for (const ranking of [NET, SALES]) {
          const { best, ways } = await read(tx, days, ranking)
          expect([days, ranking.by, best]).toEqual([days, ranking.by, await byHand(tx, days, ranking)])
          if (expected && days === RANGES[0]) expect([ranking.by, ways]).toEqual([ranking.by, expected])
        }
      }
    }
    await sell(tx, 20261126, weight)
    await compare()
    await tx.query('select fold_delivery_deltas()')
    await compare(isRankedByFew ? ['among-likely'] : ['among-likely', 'of-range'])
    await tx.query('select add_up_days($1, 10000)', [new Date('2026-05-02')])
    await compare(isRankedByFew ? ['among-likely'] : ['among-likely', 'of-range'])
    // One who has sold nearly nothing sells most, and it is not folded yet.
    await tx.query(
      `insert into delivery_deltas (day, network, supplier, agent_id, orders, sales_pesewas)
       select day, 'MTN', 'by-hand', (select id from users where username_skeleton = 'ranked-${AGENTS}'), 400, 9000000
       from unnest('{2026-01-20, 2026-03-18}'::date[]) day`,
    )
    await compare()
  })
})

test('a month that is not added up yet is not relied upon', async () => {
  await withAgents(async (tx) => {
    await sell(tx, 7, FEW)
    await tx.query('select fold_delivery_deltas()')
    await tx.query(`delete from agent_months where month = '2026-02-01'`)
    await tx.query(`insert into stale_days values ('months', '2026-02-01')`)
    const [days] = RANGES as [Days]
    const { best, ways } = await read(tx, days, NET)
    expect(ways).toEqual(['among-likely', 'of-range'])
    expect(best).toEqual(await byHand(tx, days, NET))
  })
})

test('who earned more in these days than in their whole month, because of a refund, is still among the best', async () => {
  await withAgents(async (tx) => {
    await sell(tx, 8, FEW)
    // Sold much in the range, and had more than that refunded on a day of the month outside of it.
    await tx.query(
      `insert into delivery_deltas (day, network, supplier, agent_id, orders, sales_pesewas, refunded_orders, refunded_pesewas)
       select day, 'MTN', 'by-hand', (select id from users where username_skeleton = 'ranked-${AGENTS}'), orders, sales, refunds, refunded
       from (values ('2026-01-20'::date, 900, 9000000, 0, 0), ('2026-01-02', 0, 0, 900, 9900000)) as of (day, orders, sales, refunds, refunded)`,
    )
    await tx.query('select fold_delivery_deltas()')
    const [days] = RANGES as [Days]
    const { best, ways } = await read(tx, days, NET)
    expect(ways).toEqual(['among-likely'])
    expect(best).toEqual(await byHand(tx, days, NET))
    const { rows } = await tx.query<{ id: string }>(`select id from users where username_skeleton = 'ranked-${AGENTS}'`)
    expect(best[0]?.agentId).toBe(rows[0]?.id)
  })
})
