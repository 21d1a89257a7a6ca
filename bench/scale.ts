import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { buildApp } from '../server/app.ts'
import { ensureSampleCatalogue } from '../server/features/catalogue/products/ensure-sample-catalogue.ts'
import { insertChainLink } from '../server/features/office/reconciliation/reconciliation.sql.ts'
import { ensureFirstAdmin } from '../server/features/people/auth/ensure-first-admin.ts'
import { startSession } from '../server/features/people/sessions/start-session.ts'
import { checkInvariant, knowsNewer, readNewest } from '../server/ledger/invariants/check-invariant.ts'
import { INVARIANTS } from '../server/ledger/invariants/invariants.ts'
import { chooseOutside } from '../server/outside.ts'
import { readConfig } from '../server/platform/config.ts'
import { openPool } from '../server/platform/db.ts'
import { startEmbeddedPostgres } from '../server/platform/embedded-postgres.ts'
import { createLog } from '../server/platform/log.ts'
import { migrate } from '../server/platform/migrate.ts'
import type { Figure } from './figures.ts'
import { generateShop } from './generate-shop.ts'

/**
 * How long the lists, the statistics and the first byte of each export take with few orders and with many, on two
 * generated databases in one run, the calls interleaved. `--orders 1000000 --users 100000 --days 365 --calls 200 --json --check`.
 * `--folder DIR` keeps the generated shops there, and starts from those that are there on the same day; `--only Insight` measures what has that
 * in its name; `--steps` says how long each step of generating takes, `--check` how long the proof of the books
 * and the sealing of 100,000 entries do.
 */
const days = option('days', 365)
const few = { orders: 1_000, users: 100, days }
/** As few, and all of them of the last month: figures of these days are compared with those, and not with an empty page. */
const recent = { ...few, days: 30 }
const many = { orders: option('orders', 1_000_000), users: option('users', 100_000), days }
const calls = option('calls', 200)

const NEW_ENTRIES = 1_000
const SEALS = 20
const SEALED_AT_ONCE = 5_000
const HOUR_MS = 3_600_000

const log = createLog('silent')
const config = readConfig({ CARD: 'off', MAIL: 'off', ADMIN_PASSWORD: 'bench password' })
const kept = text('folder')
const folder = kept ?? (await mkdtemp(join(tmpdir(), 'dwadi-scale-')))
// Fewer checkpoints while the shops are generated; reading does not depend on it.
const postgres = await startEmbeddedPostgres({
  dataDir: folder,
  log,
  settings: { max_wal_size: '8GB', checkpoint_timeout: '30min', shared_buffers: text('memory') ?? '128MB' },
})
try {
  const shops = { few: await openShop(few), recent: await openShop(recent), many: await openShop(many) }
  const rows: Awaited<ReturnType<typeof compare>>[] = []
  for (const [name, path] of Object.entries(screens(many.orders, many.users))) {
    if (!name.includes(text('only') ?? '')) continue
    // One screen that fails doesn't hide what was found of the others.
    const row = await compare(name, path, shops).catch((error: Error) => console.error(`failed: ${name}: ${error.message}`))
    if (row) rows.push(row)
    else process.exitCode = 1
  }
  report(rows)
  await reportSizes(shops.many.db)
  if (process.argv.includes('--check')) await proveBooks(shops.many.db)
  for (const shop of Object.values(shops)) await shop.close()
} finally {
  await postgres.stop()
  if (kept === undefined) await rm(folder, { recursive: true, force: true })
}

/** Each screen's call, for an admin or for a customer with a usual number of orders; `{offset}` differs by size. */
function screens(orders: number, users: number): Record<string, Screen> {
  const deep = (count: number) => Math.max(1, Math.floor(count / 2 / 50))
  return {
    'My Transactions': { as: 'customer', path: () => '/api/order/allorders?page=1&pageSize=10' },
    'My Transactions, search': { as: 'customer', path: () => '/api/order/allorders?page=1&pageSize=10&search=024' },
    'Admin Orders': { as: 'admin', path: () => '/api/order/allorders?page=1&pageSize=50' },
    'Admin Orders, deep page': {
      as: 'admin',
      path: (size) => `/api/order/allorders?page=${deep(size === 'many' ? orders : few.orders)}&pageSize=50`,
    },
    'Admin Orders, pending': { as: 'admin', path: () => '/api/order/allorders?page=1&pageSize=50&status=pending' },
    'Admin Orders, rejected MTN': { as: 'admin', path: () => '/api/order/allorders?page=1&pageSize=10&status=rejected&network=MTN' },
    'Admin Orders, search a number': { as: 'admin', path: () => '/api/order/allorders?page=1&pageSize=50&search=0240007919' },
    'Admin Orders, search a reference': { as: 'admin', path: () => `/api/order/allorders?page=1&pageSize=50&search=${reference(500)}` },
    'Admin Orders, search a part of one': {
      as: 'admin',
      path: () => `/api/order/allorders?page=1&pageSize=50&search=${reference(500).slice(0, 14)}`,
    },
    'Admin Orders, search a word of many': { as: 'admin', path: () => '/api/order/allorders?page=1&pageSize=50&search=Telecel' },
    'Admin Statistics': { as: 'admin', path: () => '/api/order/stats' },
    'Admin Users': { as: 'admin', path: () => '/api/user?page=1&pageSize=10' },
    'Admin Users, deep page': { as: 'admin', path: (size) => `/api/user?page=${deep(size === 'many' ? users : few.users)}&pageSize=50` },
    'Admin Users, search': { as: 'admin', path: () => '/api/user?page=1&pageSize=10&search=trader 77' },
    'Admin Users, search a name of many': { as: 'admin', path: () => '/api/user?page=1&pageSize=10&search=77@' },
    'Admin Finance': { as: 'admin', path: () => '/api/recharge?page=1&pageSize=10' },
    Activity: { as: 'admin', path: () => '/api/admin/actions?page=1&pageSize=10' },
    'Activity, search': { as: 'admin', path: () => '/api/admin/actions?page=1&pageSize=10&search=rejected' },
    Inbox: { as: 'admin', path: () => '/api/admin/inbox' },
    'Admin Orders, to decide': { as: 'admin', path: () => '/api/order/allorders?page=1&pageSize=50&segment=to-decide' },
    'Admin Orders, counts': { as: 'admin', path: () => '/api/admin/order-counts' },
    Batches: { as: 'admin', path: () => '/api/admin/batches' },
    'Money, matches': { as: 'admin', path: () => '/api/received-payment/matches' },
    Customers: { as: 'admin', path: () => '/api/admin/customers' },
    'Customers, search a name': { as: 'admin', path: () => '/api/admin/customers?search=trader%2077' },
    'Customers, search a name of many': { as: 'admin', path: () => '/api/admin/customers?search=77@' },
    'Customers, search a receiver': { as: 'admin', path: () => '/api/admin/customers?search=0240007919' },
    Suppliers: { as: 'admin', path: () => '/api/admin/suppliers' },
    'Suppliers, their order': { as: 'admin', path: () => '/api/admin/suppliers/order' },
    'Insight, a week': { as: 'admin', ofNow: true, path: () => `/api/admin/insight?from=${dayAgo(6)}&to=${dayAgo(0)}` },
    'Insight, this month': { as: 'admin', ofNow: true, path: () => `/api/admin/insight?from=${thisMonth().first}&to=${thisMonth().last}` },
    'Insight, thirty days': { as: 'admin', ofNow: true, path: () => `/api/admin/insight?from=${dayAgo(29)}&to=${dayAgo(0)}` },
    'Insight, thirty days of a network': {
      as: 'admin',
      ofNow: true,
      path: () => `/api/admin/insight?from=${dayAgo(29)}&to=${dayAgo(0)}&network=MTN`,
    },
    'Insight, thirty days of an agent': {
      as: 'admin',
      ofNow: true,
      path: (_size, { agent }) => `/api/admin/insight?from=${dayAgo(29)}&to=${dayAgo(0)}&agent=${agent}`,
    },
    'Insight, a quarter': { as: 'admin', ofNow: true, path: () => `/api/admin/insight?from=${dayAgo(91)}&to=${dayAgo(0)}` },
    'Profit, this month': { as: 'admin', ofNow: true, path: () => `/api/admin/profit?from=${thisMonth().first}&until=${thisMonth().last}` },
    'Profit, thirty days': { as: 'admin', ofNow: true, path: () => `/api/admin/profit?from=${dayAgo(29)}&until=${dayAgo(0)}` },
    'Day close': { as: 'admin', ofNow: true, path: () => '/api/admin/day-close' },
    Prices: { as: 'admin', path: () => '/api/admin/prices' },
    Products: { as: 'admin', path: () => '/api/product' },
    'CSV of orders, first byte': { as: 'admin', path: () => '/api/export/admin-orders', firstByte: true },
    'CSV of statistics, first byte': { as: 'admin', path: () => '/api/export/admin-stats', firstByte: true },
  }
}

/** As bench/generate-shop.ts makes them. */
function reference(order: number): string {
  return createHash('sha256').update(`order${order}`).digest('base64').replace(/[+/=]/g, '').slice(0, 20)
}

/** The day so many days before today, in Ghana. */
function dayAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
}

/** As the screen asks for it: to its end, although that is to come. */
function thisMonth(): { first: string; last: string } {
  const [year = 0, month = 1] = dayAgo(0).split('-').map(Number)
  return { first: `${dayAgo(0).slice(0, 7)}-01`, last: new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10) }
}

/** What the shop's own checks take: each invariant over all rows, then over those of the newest entries; and sealing. */
async function proveBooks(db: ReturnType<typeof openPool>) {
  const newest = await readNewest(db)
  const since = {
    ...newest,
    entries: newest.entries - NEW_ENTRIES,
    orders: newest.orders - NEW_ENTRIES,
    actions: newest.actions - NEW_ENTRIES,
  }
  const took = async (work: () => Promise<unknown>) => {
    const startedAt = performance.now()
    const result = await work()
    return { seconds: (performance.now() - startedAt) / 1_000, result }
  }
  let [all, newer] = [0, 0]
  for (const invariant of INVARIANTS) {
    const whole = await took(() => checkInvariant(db, invariant, { since: null, timeoutMs: HOUR_MS }))
    const fresh = knowsNewer(invariant) ? await took(() => checkInvariant(db, invariant, { since, timeoutMs: HOUR_MS })) : null
    all += whole.seconds
    newer += fresh?.seconds ?? 0
    const { rows, found } = whole.result as { rows: number; found: unknown[] }
    console.error(
      `${invariant.id}: ${rows} rows in ${whole.seconds.toFixed(1)} s, the newest in ${fresh ? `${fresh.seconds.toFixed(3)} s` : '-'}, violations: ${JSON.stringify(found)}`,
    )
  }
  const sealing = await took(async () => {
    for (let seal = 0; seal < SEALS; seal++) await insertChainLink(db, { upTo: newest.entries, atOnce: SEALED_AT_ONCE, now: new Date() })
  })
  console.error(
    `all rows ${all.toFixed(0)} s, the newest ${newer.toFixed(2)} s, ${SEALS * SEALED_AT_ONCE} entries sealed in ${sealing.seconds.toFixed(1)} s`,
  )
}

type Size = 'few' | 'many'
/** `ofNow`: of the last days alone, see `recent`. */
type Screen = { as: 'admin' | 'customer'; path: (size: Size, of: { agent: string }) => string; firstByte?: boolean; ofNow?: boolean }
type Shop = Awaited<ReturnType<typeof openShop>>

async function openShop(size: { orders: number; users: number; days: number }) {
  // Their dates are counted from the day on which they were generated.
  const name = `shop_${size.orders}_${size.users}_${size.days}_${dayAgo(0).replaceAll('-', '')}`
  if (!(await exists(name))) await makeShop(name, size)
  const began = performance.now()
  const migrated = await migrate(postgres.url(name), log)
  if (migrated.length > 0) console.error(`${name}: ${migrated.join(', ')} in ${((performance.now() - began) / 1_000).toFixed(1)} s`)
  const db = openPool({ url: postgres.url(name), size: 20, log, name: 'bench' })
  // What its loop keeps by itself, also after a migration that asked for it.
  const since = performance.now()
  await db.query(`begin; set local statement_timeout = 0; select add_up_days(now(), 10000); commit`)
  if (process.argv.includes('--steps'))
    console.log(`${name}: kept totals added up in ${((performance.now() - since) / 1_000).toFixed(1)} s`)
  const outside = chooseOutside(config, () => 'http://shop.test', null, db)
  const app = await buildApp({
    db,
    log,
    shop: config.shop,
    now: () => new Date(),
    sharedDatabase: false,
    rateLimits: false,
    passwords: config.passwords,
    trustedProxies: 0,
    gateway: outside.gateway,
    resetMail: outside.resetMail,
    supplierGateway: outside.supplierGateway,
    smsGateway: outside.smsGateway,
    whatsappGateway: outside.whatsappGateway,
    jobsDb: db,
    timings: config.timings,
    webRoot: null,
  })
  // Its checks of the books would compete with what is measured.
  await app.background.stop()
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const tokens = {
    admin: await signIn(db, `level = 'Admin'`, 'Admin'),
    customer: await signIn(db, `username = 'trader ${size.users}'`, 'Customer'),
  }
  // The one with the most orders, where there are many.
  const { rows: agents } = await db.query<{ id: string }>(`select id from users where level = 'Agent' order by seq limit 1`)
  const agent = agents[0]?.id ?? ''
  return {
    db,
    call: async (screen: Screen, sizeName: Size) => {
      const start = performance.now()
      const reply = await fetch(address + screen.path(sizeName, { agent }), { headers: { authorization: `Bearer ${tokens[screen.as]}` } })
      if (!reply.ok) throw new Error(`${screen.path(sizeName, { agent })}: ${reply.status} ${await reply.text()}`)
      if (!screen.firstByte) {
        await reply.arrayBuffer()
        return performance.now() - start
      }
      const reader = (reply.body as ReadableStream<Uint8Array>).getReader()
      await reader.read()
      const took = performance.now() - start
      await reader.cancel()
      return took
    },
    close: async () => {
      await app.close()
      await db.end()
    },
  }
}

async function exists(name: string): Promise<boolean> {
  const admin = openPool({ url: postgres.url('postgres'), size: 1, log, name: 'bench' })
  const { rows } = await admin.query('select from pg_database where datname = $1', [name])
  await admin.end()
  return rows.length > 0
}

/** Under another name until it is whole, so that an interrupted one is not taken for a shop. */
async function makeShop(name: string, size: { orders: number; users: number; days: number }) {
  const admin = openPool({ url: postgres.url('postgres'), size: 1, log, name: 'bench' })
  await admin.query('drop database if exists unfinished')
  await admin.query('create database unfinished')
  await migrate(postgres.url('unfinished'), log)
  const db = openPool({ url: postgres.url('unfinished'), size: 2, log, name: 'bench' })
  await ensureSampleCatalogue(db, new Date())
  await ensureFirstAdmin(db, config.firstAdmin, config.passwords, new Date())
  const began = performance.now()
  const steps = process.argv.includes('--steps')
  await generateShop(db, size, (statement, ms) => {
    if (steps) console.error(`${Math.round(ms)} ms: ${statement.slice(0, 90)}`)
  })
  await db.end()
  await admin.query(`alter database unfinished rename to ${name}`)
  await admin.end()
  console.error(`${size.orders} orders, ${size.users} users generated in ${Math.round((performance.now() - began) / 1000)} s`)
}

async function signIn(db: Shop['db'], condition: string, level: 'Admin' | 'Customer'): Promise<string> {
  const { rows } = await db.query<{ id: string }>(`select id from users where ${condition} limit 1`)
  return startSession(db, { id: (rows[0] as { id: string }).id, level }, new Date())
}

async function compare(name: string, screen: Screen, { few, recent, many }: Record<Size | 'recent', Shop>) {
  const shops = { few: screen.ofNow ? recent : few, many }
  const took: Record<Size, number[]> = { few: [], many: [] }
  for (let index = -5; index < calls; index++) {
    for (const size of ['few', 'many'] as const) {
      const ms = await shops[size].call(screen, size)
      // The first calls warm the connections and plans of both.
      if (index >= 0) took[size].push(ms)
    }
  }
  const [fewP95, manyP95] = [percentile(took.few, 95), percentile(took.many, 95)]
  return {
    name,
    fewP50: percentile(took.few, 50),
    fewP95,
    manyP50: percentile(took.many, 50),
    manyP95,
    manyP99: percentile(took.many, 99),
    ratioP50: percentile(took.many, 50) / percentile(took.few, 50),
    ratio: manyP95 / fewP95,
  }
}

function percentile(values: number[], percent: number): number {
  const sorted = [...values].sort((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] as number
}

function report(rows: Awaited<ReturnType<typeof compare>>[]) {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  const machine = `${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB`
  if (process.argv.includes('--json')) {
    console.log(JSON.stringify({ commit, date: new Date().toISOString(), machine, few, many, calls, rows, figures: toFigures(rows) }))
    return
  }
  console.log(`commit ${commit}, ${new Date().toISOString()}, ${machine}, ${calls} calls each, milliseconds`)
  console.log(`${'screen'.padEnd(38)} ${few.orders} orders p50/p95   ${many.orders} orders p50/p95   p50 and p95 ratio`)
  for (const row of rows) {
    const pair = (p50: number, p95: number) => `${p50.toFixed(1)} / ${p95.toFixed(1)}`.padEnd(22)
    console.log(
      `${row.name.padEnd(38)} ${pair(row.fewP50, row.fewP95)} ${pair(row.manyP50, row.manyP95)} ${row.ratioP50.toFixed(2).padStart(5)} ${row.ratio.toFixed(2).padStart(6)}`,
    )
  }
}

/** What each table takes with its indexes, and all of the database for each order, in bytes. */
async function reportSizes(db: Shop['db']) {
  const { rows: tables } = await db.query<{ name: string; rows: number; heap: number; indexes: number }>(
    `select c.relname as name, c.reltuples::float8 as rows, pg_table_size(c.oid)::float8 as heap, pg_indexes_size(c.oid)::float8 as indexes
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname = 'public' order by pg_total_relation_size(c.oid) desc limit 12`,
  )
  const { rows: all } = await db.query<{ bytes: number }>('select pg_database_size(current_database())::float8 as bytes')
  const each = (bytes: number) => `${(bytes / many.orders).toFixed(0)} bytes an order`
  console.error(`the whole database: ${each(all[0]?.bytes ?? 0)}`)
  for (const { name, rows, heap, indexes } of tables) console.error(`${name}: ${rows} rows, ${each(heap)}, and ${each(indexes)} of indexes`)
}

/** The slowest of the lists of a customer, of an admin's searches, and the statistics. */
function toFigures(rows: Awaited<ReturnType<typeof compare>>[]): Figure[] {
  const size = many.orders.toLocaleString('en-GB')
  const slowest = (id: string, what: string, which: RegExp, target: number): Figure => {
    const [row] = rows.filter(({ name }) => which.test(name)).toSorted((one, other) => other.manyP99 - one.manyP99) as [
      (typeof rows)[number],
    ]
    const grown = `p95 ${row.fewP95.toFixed(1)} ms with ${few.orders.toLocaleString('en-GB')}, then ${row.manyP95.toFixed(1)} ms`
    return {
      id,
      name: `${what} with ${size} orders, p99`,
      keep: 'at most',
      target,
      value: row.manyP99,
      unit: 'ms',
      note: `${row.name}: ${grown}`,
    }
  }
  return [
    slowest('scale-own', "A customer's own list", /^My Transactions/, 300),
    slowest('scale-search', 'The slowest search of an admin', /^Admin.*search/, 500),
    slowest('scale-stats', 'The statistics', /^Admin Statistics/, 1_000),
  ]
}

function text(name: string): string | undefined {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? undefined : process.argv[at + 1]
}

function option(name: string, fallback: number): number {
  return Number.parseInt(text(name) ?? '', 10) || fallback
}
