import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { findRunningPostgres } from '../server/platform/embedded-postgres.ts'
import { ask, closeShop, type OpenShop, openShop, signInAsAdmin } from '../test/process/open-shops.ts'
import { openHttpBuyers } from './buy-over-http.ts'
import { currentLoad, type Figure } from './figures.ts'
import { makeBuyers } from './make-buyers.ts'

// What each table and its indexes grow by in a year in quick motion: twelve months of orders that are bought over HTTP and delivered one by one by an
// admin, each month followed by the vacuum that autovacuum would have made in it: npm run node -- bench/growth.ts [--orders 2000] [--json].
// What expires by the clock (sessions, keys, old jobs) has no time to: it is read as growth here, and ends with its time in a shop.
const { values } = parseArgs({ options: { orders: { type: 'string', default: '2000' }, json: { type: 'boolean', default: false } } })
const orders = Number(values.orders)
const MONTHS = 12
const CLIENTS = 8
const ADMINS_AT_ONCE = 4

type Size = { table: string; heap: number; indexes: number }

const dataDir = await mkdtemp(join(tmpdir(), 'dwadi-growth-'))
let shop: OpenShop | undefined
try {
  shop = await openShop({ DATA_DIR: dataDir })
  const url = (await findRunningPostgres({ dataDir })) as string
  const db = new pg.Client({ connectionString: url })
  db.on('error', () => undefined)
  await db.connect()
  const buyers = await makeBuyers(url, 64, 100_000_000)
  const token = await signInAsAdmin(shop)
  const { buy, close } = await openHttpBuyers(shop.address, buyers, CLIENTS)
  const months: Size[][] = [await readSizes(db)]
  for (let month = 1; month <= MONTHS; month++) {
    const each = Math.ceil(orders / CLIENTS)
    await Promise.all(Array.from({ length: CLIENTS }, (_, client) => repeat(each, (turn) => buy(client, turn))))
    await deliverAll(shop, db, token)
    // The totals are folded by a loop every few seconds.
    await new Promise((resolve) => setTimeout(resolve, 5_000))
    await db.query('vacuum analyze')
    months.push(await readSizes(db))
    console.error(`month ${month}: ${(grown(months, month - 1, month) / orders / 1_024).toFixed(2)} KB an order`)
  }
  close()
  await db.end()
  const [first, last] = [grown(months, 1, 4) / (3 * orders), grown(months, MONTHS - 3, MONTHS) / (3 * orders)]
  const tables = largest(months)
  const figures: Figure[] = [
    {
      id: 'growth-order',
      name: 'The database grows for an order, in the last quarter of a year in quick motion, by',
      keep: 'at most',
      target: 10,
      value: last / 1_024,
      unit: 'KB',
      note: tables
        .slice(0, 6)
        .map(({ table, bytes }) => `${table} ${Math.round(bytes)} bytes`)
        .join(', '),
    },
    {
      id: 'growth-steady',
      name: 'The last quarter of such a year beside its first, in bytes for an order',
      keep: 'at most',
      target: 1.2,
      value: last / first,
      unit: '',
    },
  ]
  if (values.json) console.log(JSON.stringify({ load: currentLoad(), figures, tables }))
  else {
    for (const { table, bytes, early } of tables)
      console.log(`${table.padEnd(28)} ${early.toFixed(0).padStart(7)} ${bytes.toFixed(0).padStart(7)} bytes an order`)
    for (const { name, value, unit } of figures) console.log(`${name}: ${value.toFixed(2)} ${unit}`)
  }
} finally {
  if (shop) await closeShop(shop)
  await rm(dataDir, { recursive: true, force: true })
}

async function repeat(times: number, work: (turn: number) => Promise<void>) {
  for (let turn = 0; turn < times; turn++) await work(turn)
}

async function deliverAll(at: OpenShop, db: pg.Client, token: string) {
  const { rows } = await db.query<{ id: string }>(`select id from orders where status = 'pending' order by seq`)
  await Promise.all(
    Array.from({ length: ADMINS_AT_ONCE }, async () => {
      for (let next = rows.pop(); next; next = rows.pop()) {
        await ask(at, 'PUT', `/order/update-status/${next.id}`, { token, body: { status: 'completed' } })
      }
    }),
  )
}

async function readSizes(db: pg.Client): Promise<Size[]> {
  const { rows } = await db.query<Size>(
    `select n.nspname || '.' || c.relname as table, pg_table_size(c.oid)::float8 as heap, pg_indexes_size(c.oid)::float8 as indexes
     from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema')`,
  )
  return rows
}

function grown(months: Size[][], from: number, to: number): number {
  const total = (sizes: Size[]) => sizes.reduce((sum, { heap, indexes }) => sum + heap + indexes, 0)
  return total(months[to] as Size[]) - total(months[from] as Size[])
}

/** Bytes for an order that each table grew by with its indexes, in the first and the last quarter; the fastest first. */
function largest(months: Size[][]) {
  const sizeOf = (month: number, table: string) => {
    const found = months[month]?.find((size) => size.table === table)
    return found ? found.heap + found.indexes : 0
  }
  return (months.at(-1) as Size[])
    .map(({ table }) => ({
      table: table.replace(/^public\./, ''),
      early: (sizeOf(4, table) - sizeOf(1, table)) / (3 * orders),
      bytes: (sizeOf(MONTHS, table) - sizeOf(MONTHS - 3, table)) / (3 * orders),
    }))
    .toSorted((one, other) => other.bytes - one.bytes)
    .filter(({ bytes, early }) => bytes > 1 || early > 1)
}
