import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { findRunningPostgres } from '../server/platform/embedded-postgres.ts'
import { runProgram } from '../test/process/run-program.ts'
import type { Figure } from './figures.ts'

// How much memory and time the export of many orders takes: npm run node -- bench/export-memory.ts [rows]. Linux only, since the
// memory of the shop's process is read from /proc. Exit code 1: more than promised.
const ROWS = Number(process.argv[2] ?? 100_000)
const MOST_EXTRA_MB = 50
const MOST_SECONDS = 10
/** More than the shop has connections: if each kept one, no other call would be served. */
const READERS = 40
/** Shorter than the time after which the server gives up a silent socket by itself. */
const GIVEN_BACK_WITHIN_MS = 10_000
const PASSWORD = 'a good password'

const dataDir = await mkdtemp(join(tmpdir(), 'dwadi-export-'))
const shop = runProgram('server/main.ts', { DATA_DIR: dataDir, PORT: '0', ADMIN_PASSWORD: PASSWORD, LOG_LEVEL: 'warn' })
try {
  const [, url = ''] = await shop.prints(/is open at (\S+)/)
  const database = new pg.Client({ connectionString: (await findRunningPostgres({ dataDir })) as string })
  await database.connect()
  await insertOrders(database)
  const token = await signIn(url)

  await exportOrders(url, token, 'search=0241234567&status=completed')
  const before = await memoryMb('VmRSS')
  const start = performance.now()
  const { bytes, lines } = await exportOrders(url, token)
  const seconds = (performance.now() - start) / 1000
  const extra = (await memoryMb('VmHWM')) - before
  const left = await leaveInTheMiddle(url, token, database)
  const again = await exportOrders(url, token)
  await database.end()

  const figures: Figure[] = [
    {
      id: 'export-memory',
      name: `More memory while ${ROWS.toLocaleString('en-GB')} orders are exported`,
      keep: 'at most',
      target: MOST_EXTRA_MB,
      value: extra,
      unit: 'MB',
    },
    {
      id: 'export-seconds',
      name: `Export of ${ROWS.toLocaleString('en-GB')} orders`,
      keep: 'at most',
      target: MOST_SECONDS,
      value: seconds,
      unit: 's',
    },
  ]
  if (process.argv.includes('--json')) console.log(JSON.stringify({ figures }))
  else
    console.log(
      `${lines - 1} orders, ${(bytes / 1e6).toFixed(1)} MB in ${seconds.toFixed(1)} s, at most ${extra.toFixed(1)} MB more memory`,
    )
  console.error(
    `${READERS} readers that left in the middle: ${left} connections still at work, and ${again.lines - 1} orders for the next one`,
  )
  const kept = lines === ROWS + 1 && again.lines === lines && extra <= MOST_EXTRA_MB && seconds <= MOST_SECONDS && left === 0
  if (!kept) console.error(`Promised: all rows, at most ${MOST_EXTRA_MB} MB and ${MOST_SECONDS} s, no connection kept`)
  process.exitCode = kept ? 0 : 1
} finally {
  shop.process.kill('SIGTERM')
  await shop.ended()
  await rm(dataDir, { recursive: true, force: true })
}

/** Straight into the table: the ledger plays no part in an export, and nobody is to work on these orders. */
async function insertOrders(database: pg.Client) {
  await database.query('alter table orders disable trigger orders_noted')
  await database.query(
    `insert into orders (user_id, product_id, network, offer, image_hash, level, receiver, price_pesewas, paid_with, reference, created_at)
     select u.id, p.id, p.network, '1GB', p.image_hash, 'Customer', '0241234567', 550, 'wallet',
       substr(md5(n::text), 1, 20), now() - n * interval '1 second'
     from generate_series(1, $1::int) n, (select id from users limit 1) u, (select * from products limit 1) p`,
    [ROWS],
  )
  await database.query('alter table orders enable trigger orders_noted')
  await database.query('analyze orders')
}

async function signIn(url: string): Promise<string> {
  const reply = await fetch(`${url}/api/user/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ userPhone: '0200000000', password: PASSWORD }),
  })
  return ((await reply.json()) as { token: string }).token
}

async function exportOrders(url: string, token: string, query = '') {
  const reply = await fetch(`${url}/api/export/admin-orders?${query}`, { headers: { authorization: `Bearer ${token}` } })
  if (!reply.body) throw new Error(`no file: ${reply.status}`)
  let [bytes, lines] = [0, 0]
  for await (const chunk of reply.body) {
    bytes += chunk.byteLength
    for (const byte of chunk) if (byte === 10) lines += 1
  }
  return { bytes, lines }
}

/** How many of the shop's connections are still reading for a client that is gone. */
async function leaveInTheMiddle(url: string, token: string, database: pg.Client): Promise<number> {
  for (let reader = 0; reader < READERS; reader++) {
    const abort = new AbortController()
    const reply = await fetch(`${url}/api/export/admin-orders`, { headers: { authorization: `Bearer ${token}` }, signal: abort.signal })
    await reply.body?.getReader().read()
    abort.abort()
  }
  const deadline = Date.now() + GIVEN_BACK_WITHIN_MS
  for (;;) {
    const { rows } = await database.query<{ busy: string }>(
      `select count(*) as busy from pg_stat_activity where state <> 'idle' and query like '%from orders o join users%' and pid <> pg_backend_pid()`,
    )
    const busy = Number(rows[0]?.busy)
    if (busy === 0 || Date.now() > deadline) return busy
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

async function memoryMb(field: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${shop.process.pid}/status`, 'utf8')
  return Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024
}
