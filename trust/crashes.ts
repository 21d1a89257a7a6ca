import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { checkLedger } from '../server/ledger/check-ledger.ts'
import { type Db, openPool } from '../server/platform/db.ts'
import { findRunningPostgres, startEmbeddedPostgres } from '../server/platform/embedded-postgres.ts'
import { createLog } from '../server/platform/log.ts'
import type { Product } from '../shared/products.ts'
import { until } from '../test/until.ts'
import { checkoutOf } from './concurrency.ts'
import type { Experiment, Trial } from './experiment.ts'
import { childrenOf, makeFolder, startProgram } from './leftovers.ts'
import { count, quantile } from './measure.ts'
import { callAt, type Line, openShops, PASSWORD, pesewas, type Shop, type Shops, startShop } from './shops.ts'
import { openSwallowingProxy, type SwallowingProxy } from './swallowing-proxy.ts'

const log = createLog('silent')

/** B. Crashes, restarts, and answers that never came. */
export const crashes: Experiment[] = [
  {
    id: 'B1',
    beside: true,
    expects: 'kill -9 of the server and all of its database under 32 buyers: every acknowledged order exists, it sells again within 15 s',
    runs: { fast: 4, full: 50 },
    async go(trial) {
      await killEverything(trial)
    },
  },
  {
    id: 'B2',
    beside: true,
    expects: 'kill -9 of one of two servers under load: the other serves on without an error, what was cut off is retried cleanly',
    runs: { fast: 4, full: 200 },
    async go(trial) {
      const shops = await openShops({ ...trial.opening, processes: 2 })
      try {
        await trial.repeat(() => killOne(trial, shops))
        for (const violation of await shops.prove()) trial.wrong(violation)
      } finally {
        await shops.close()
      }
    },
  },
  {
    id: 'B4',
    expects: 'the reply to COMMIT is swallowed, the client tries again with its key: never a second effect, and the true result',
    runs: { fast: 100, full: 1_000 },
    async go(trial) {
      await swallowReplies(trial)
    },
  },
  {
    id: 'B6',
    beside: true,
    expects: 'SIGTERM with 60 checkouts held by a lock: each is done or refused, none by half, the process ends in 10 s',
    runs: { fast: 2, full: 20 },
    async go(trial) {
      const shops = await openShops({ ...trial.opening, processes: 1 })
      try {
        await trial.repeat(() => endWhileBuying(trial, shops))
        for (const violation of await shops.prove()) trial.wrong(violation)
      } finally {
        await shops.close()
      }
    },
  },
  {
    id: 'B7',
    beside: true,
    expects: 'the database gone: same process, 503 within 3 s, not ready, healthy within 2 s of its return, nothing acknowledged is lost',
    runs: { fast: 2, full: 20 },
    async go(trial) {
      await loseDatabase(trial)
    },
  },
  {
    id: 'B8',
    expects: 'the database hangs (SIGSTOP): the same, and no connection leaks',
    runs: { fast: 3, full: 20 },
    unavailable: () => (process.platform === 'linux' ? null : 'it reads /proc, which is on Linux alone'),
    async go(trial) {
      await hangDatabase(trial)
    },
  },
  {
    id: 'B9',
    expects: 'idle connections ended by the database: no process dies, and it answers again at once',
    runs: { fast: 100, full: 1_000 },
    async go(trial) {
      const shops = await trial.shops()
      const pids = shops.all.map(({ program }) => program.process.pid)
      await trial.repeat(async () => {
        await shops.db.query(
          `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'dwadi%' and state = 'idle' and datname = current_database()`,
        )
        const statuses = await Promise.all(shops.all.map((_, shop) => shops.call('GET', '/product', { shop }).then(({ status }) => status)))
        if (statuses.some((status) => ![200, 503].includes(status))) trial.wrong(`answers: ${statuses}`)
      })
      for (const [shop] of shops.all.entries()) await until(async () => (await shops.call('GET', '/product', { shop })).status === 200)
      trial.same(
        'processes',
        shops.all.map(({ program }) => program.process.exitCode ?? program.process.pid),
        pids,
      )
    },
  },
  {
    id: 'B10',
    beside: true,
    expects: 'a server paused (SIGSTOP) with a wallet locked: the lock is freed within 15 s, and the resumed server commits nothing stale',
    runs: { fast: 1, full: 5 },
    async go(trial) {
      await trial.repeat(() => pauseWithLock(trial))
    },
  },
  {
    id: 'B11',
    beside: true,
    expects: 'the disk under the database full: 503s, no success that is later missing; with space again healthy within 60 s, books right',
    runs: { fast: 1, full: 3 },
    unavailable: mountRefusal,
    async go(trial) {
      await trial.repeat(() => fillDisk(trial))
    },
  },
  {
    id: 'B13',
    beside: true,
    expects: 'a live shop does not open with fsync, synchronous_commit or full_page_writes off, and names the setting',
    runs: { fast: 1, full: 1 },
    async go(trial) {
      await openUnsafe(trial)
    },
  },
]

type Journal = { key: string; line: Line; outcome: 'ok' | 'refused' | 'unknown' }

/** Buys until told to stop, and writes down what it was told: the checker believes no other record. */
async function buyOn(address: () => string, buyer: { token: string }, line: Line, journal: Journal[], going: () => boolean) {
  while (going()) {
    const key = crypto.randomUUID()
    const entry: Journal = { key, line, outcome: 'unknown' }
    journal.push(entry)
    const { status } = await callAt(address(), 'POST', '/order/checkout', {
      as: buyer,
      body: { items: [line] },
      headers: { 'idempotency-key': key },
    })
    if (status === 200) entry.outcome = 'ok'
    else if (status >= 400 && status < 500) entry.outcome = 'refused'
    else await wait(20)
  }
}

async function killEverything(trial: Trial) {
  const dataDir = makeFolder('kill')
  const env = { DATA_DIR: dataDir, CARD: 'off', MAIL: 'off', SMS: 'off', SUPPLIER: 'off' }
  let shop = await startShop(env, trial.opening.script)
  try {
    const admin = await callAt<{ token: string }>(shop.address, 'POST', '/user/login', {
      body: { userPhone: '0200000000', password: PASSWORD },
    })
    const buyers = await Promise.all(
      Array.from({ length: 32 }, async (_, index) => {
        const body = {
          username: `buyer ${'abcdefghjk'[index % 10]}${'abcdefghjk'[Math.floor(index / 10)]}`,
          email: `b${index}@example.com`,
          phone: `05700000${String(index).padStart(2, '0')}`,
          password: PASSWORD,
        }
        const buyer = await callAt<{ _id: string; token: string }>(shop.address, 'POST', '/user/register', { body })
        await callAt(shop.address, 'PUT', '/user/balance', { as: admin.body, body: { chosenId: buyer.body._id, amount: 1_000_000 } })
        return buyer.body
      }),
    )
    const products = await callAt<Product[]>(shop.address, 'GET', '/product', {})
    const product = products.body.find(({ network }) => network === 'MTN') as Product
    const line = { productId: product._id, offer: '1GB', phoneNumber: '0551234567', amount: product.packages[0]?.priceCustomer as number }
    if (trial.opening.spoil) {
      const db = openPool({ url: (await findRunningPostgres({ dataDir })) as string, size: 1, log, name: 'trust' })
      await trial.opening.spoil(db)
      await db.end()
      shop.program.process.kill('SIGTERM')
      await shop.program.ended()
      shop = await startShop(env, trial.opening.script)
    }
    const journal: Journal[] = []
    const backMs: number[] = []
    await trial.repeat(async () => {
      let going = true
      const buying = buyers.map((buyer) =>
        buyOn(
          () => shop.address,
          buyer,
          line,
          journal,
          () => going,
        ),
      )
      await wait(200 + trial.random() * 1_500)
      try {
        const database = postmasterOf(dataDir)
        shop.program.process.kill('SIGKILL')
        for (const pid of [database, ...childrenOf(database)]) kill(pid)
      } finally {
        going = false
      }
      await Promise.all([...buying, shop.program.ended()])
      const since = performance.now()
      shop = await startShop(env, trial.opening.script)
      await until(async () => (await callAt(shop.address, 'GET', '/product', {})).status === 200, 30_000)
      backMs.push(performance.now() - since)
      const url = await findRunningPostgres({ dataDir })
      const db = openPool({ url: url as string, size: 2, log, name: 'trust' })
      await compareJournal(trial, db, journal)
      for (const violation of await checkLedger(db)) trial.wrong(`${violation.rule}: ${violation.subject}: ${violation.detail}`)
      await db.end()
    })
    trial.note(
      `${count(journal, ({ outcome }) => outcome === 'ok')} acknowledged, ${count(journal, ({ outcome }) => outcome === 'unknown')} unknown, back in ${quantile(backMs, 1).toFixed(0)} ms at most`,
    )
    if (Math.max(...backMs) > 15_000) trial.wrong(`it took ${Math.max(...backMs).toFixed(0)} ms to sell again`)
  } finally {
    shop.program.process.kill('SIGTERM')
    await shop.program.ended()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** Acknowledged means there, refused means not there, unknown may be either, but never twice. */
async function compareJournal(trial: Trial, db: Db, journal: Journal[]) {
  const { rows } = await db.query<{ key: string; outcome: string; orders: number }>(
    `select key, outcome ->> 'outcome' as outcome, jsonb_array_length(coalesce(outcome -> 'orders', '[]')) as orders from idempotency_keys`,
  )
  const kept = new Map(rows.map((row) => [row.key.replace('checkout:', ''), row]))
  const { rows: real } = await db.query<{ orders: number }>('select count(*) as orders from orders')
  for (const { key, outcome } of journal) {
    const row = kept.get(key)
    if (outcome === 'ok' && row?.outcome !== 'placed') trial.wrong(`the acknowledged purchase ${key} is lost`)
    if (outcome === 'refused' && row?.outcome === 'placed') trial.wrong(`the refused purchase ${key} was made`)
  }
  const placed = rows.filter((row) => row.outcome === 'placed').reduce((total, row) => total + Number(row.orders), 0)
  trial.same('orders and what the keys say', real[0]?.orders, placed)
}

async function killOne(trial: Trial, shops: Shops) {
  const line = shops.line()
  const buyers = await shops.makeUsers(16, { pesewas: 100_000_000 })
  const journal: Journal[] = []
  let going = true
  const staying = shops.all[0] as Shop
  const dying = shops.all.pop() as Shop
  const stayed: Journal[] = []
  const buying = buyers.map((buyer, index) =>
    index % 2 === 0
      ? buyOn(
          () => staying.address,
          buyer,
          line,
          stayed,
          () => going,
        )
      : buyOn(
          () => dying.address,
          buyer,
          line,
          journal,
          () => going && dying.program.process.signalCode === null,
        ),
  )
  await wait(200 + trial.random() * 800)
  dying.program.process.kill('SIGKILL')
  await dying.program.ended()
  await wait(300)
  going = false
  await Promise.all(buying)
  trial.same(
    'those at the other process who were not served',
    count(stayed, ({ outcome }) => outcome !== 'ok'),
    0,
  )
  // Whoever was cut off asks again with the same key, and there is one order for each key.
  const cutOff = journal.filter(({ outcome }) => outcome === 'unknown')
  for (const [index, buyer] of buyers.entries()) {
    if (index % 2 === 0) continue
    for (const { key } of cutOff.slice(0, 40)) {
      const { rows } = await shops.db.query('select from idempotency_keys where user_id = $1 and key = $2', [buyer.id, `checkout:${key}`])
      if (rows.length === 0) continue
      const again = await shops.buy(buyer, [line], key, 0)
      trial.same('the answer to the second try', [again.status, again.headers.get('idempotency-replayed')], [200, 'true'])
    }
  }
  const share = cutOff.length / (journal.length + stayed.length)
  if (share > 0.05) trial.note(`${cutOff.length} of ${journal.length + stayed.length} were cut off`)
  await shops.startAnother()
}

async function swallowReplies(trial: Trial) {
  let proxy: SwallowingProxy | undefined
  const shops = await openShops({ ...trial.opening, processes: 0 })
  proxy = await openSwallowingProxy(shops.databaseUrl)
  await shops.startAnother({ DATABASE_URL: proxy.url })
  await shops.ready()
  const line = shops.line()
  try {
    await trial.repeat(async () => {
      const buyer = await shops.makeUser({ pesewas: 10_000 })
      const key = crypto.randomUUID()
      let armed = true
      proxy.decide = (sql) => {
        if (!armed || !/place_wallet_orders/.test(sql)) return 'pass'
        armed = false
        return 'cut-after'
      }
      const first = await shops.buy(buyer, [line], key)
      trial.same('the answer to the first try', first.status, 503)
      const committed = (await shops.books(buyer.id)).orders
      trial.same('orders after the swallowed reply', committed, 1)
      const second = await shops.buy(buyer, [line], key)
      const books = await shops.books(buyer.id)
      trial.same(
        'the second try',
        [second.status, second.headers.get('idempotency-replayed'), books.orders, books.pesewas],
        [200, 'true', 1, 9_450],
      )
    })
    trial.note(`${proxy.cuts} replies swallowed`)
    for (const violation of await shops.prove()) trial.wrong(violation)
  } finally {
    await shops.close()
    await proxy.close()
  }
}

async function endWhileBuying(trial: Trial, shops: Shops) {
  const line = shops.line()
  const buyer = await shops.makeUser({ pesewas: 100_000 })
  const [shop] = shops.all as [Shop]
  const holder = new pg.Client({ connectionString: shops.databaseUrl })
  await holder.connect()
  await holder.query('begin')
  await holder.query('select from wallets where user_id = $1 for update', [buyer.id])
  const calls = Array.from({ length: 60 }, () => checkoutOf(buyer, [line]))
  const buying = Promise.all(
    calls.map(({ body, headers }) => callAt(shop.address, 'POST', '/order/checkout', { as: buyer, body, headers })),
  )
  await until(async () => {
    const { rows } = await shops.db.query<{ waiting: number }>(
      `select count(*) as waiting from pg_stat_activity where wait_event_type = 'Lock' and application_name = 'dwadi'`,
    )
    return (rows[0]?.waiting ?? 0) >= 10
  })
  const since = performance.now()
  shop.program.process.kill('SIGTERM')
  await until(async () => (await callAt(shop.address, 'GET', '/product', {})).status !== 200)
  await holder.query('commit')
  await holder.end()
  const replies = await buying
  trial.same('exit code', await shop.program.ended(), 0)
  if (performance.now() - since > 10_000) trial.wrong('it took more than 10 s to end')
  const done = count(replies, ({ status }) => status === 200)
  const { orders, pesewas: left } = await shops.books(buyer.id)
  trial.same('orders and balance', [orders, left], [done, 100_000 - done * pesewas(line.amount)])
  trial.same(
    'other answers',
    replies.filter(({ status }) => ![200, 503, 0].includes(status)).map(({ status }) => status),
    [],
  )
  shops.all.splice(0, 1)
  await shops.startAnother()
}

async function loseDatabase(trial: Trial) {
  const dataDir = makeFolder('away')
  let database = await startEmbeddedPostgres({ dataDir, log })
  const shops = await openShops({ ...trial.opening, processes: 1, databaseUrl: database.url(), env: { DATABASE_POOL_SIZE: '8' } })
  const [shop] = shops.all as [Shop]
  const line = shops.line()
  try {
    const buyer = await shops.makeUser({ pesewas: 10_000_000 })
    const backMs: number[] = []
    await trial.repeat(async () => {
      const keys = Array.from({ length: 48 }, () => crypto.randomUUID())
      const before = await shops.books(buyer.id)
      const first = keys.map((key) => shops.buy(buyer, [line], key))
      await Promise.race(first)
      await database.stop()
      await Promise.all(first)
      const since = performance.now()
      const away = await shops.call('GET', '/product')
      trial.same(
        'while it is away',
        [
          away.status,
          (await callAt(shop.address, 'GET', '//readyz', {})).status,
          (await callAt(shop.address, 'GET', '//healthz', {})).status,
        ],
        [503, 503, 200],
      )
      if (performance.now() - since > 3_000) trial.wrong('it took more than 3 s to say so')
      database = await startEmbeddedPostgres({ dataDir, log })
      const backAt = performance.now()
      await until(async () => (await shops.call('GET', '/product')).status === 200)
      backMs.push(performance.now() - backAt)
      const again = await Promise.all(keys.map((key) => shops.buy(buyer, [line], key)))
      trial.same('answers to the second try', [...new Set(again.map(({ status }) => status))], [200])
      trial.same('orders', (await shops.books(buyer.id)).orders - before.orders, keys.length)
      trial.same('the process', shop.program.process.exitCode, null)
    })
    if (Math.max(...backMs) > 2_000) trial.wrong(`it took ${Math.max(...backMs).toFixed(0)} ms to be healthy`)
    trial.note(`healthy ${Math.max(...backMs).toFixed(0)} ms after the return`)
    for (const violation of await shops.prove()) trial.wrong(violation)
  } finally {
    await shops.close()
    await database.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function hangDatabase(trial: Trial) {
  const dataDir = makeFolder('hung')
  const database = await startEmbeddedPostgres({ dataDir, log })
  const shops = await openShops({ ...trial.opening, processes: 1, databaseUrl: database.url(), env: { DATABASE_POOL_SIZE: '8' } })
  const [shop] = shops.all as [Shop]
  try {
    const person = await shops.makeUser()
    const figures: { told: number; back: number }[] = []
    await trial.repeat(async () => {
      const frozen = postmasterOf(dataDir)
      const all = [frozen, ...childrenOf(frozen)]
      for (const pid of all) process.kill(pid, 'SIGSTOP')
      const since = performance.now()
      const replies = await Promise.all(Array.from({ length: 30 }, () => shops.call('GET', '/order/allorders', { as: person })))
      const told = performance.now() - since
      trial.same('answers', [...new Set(replies.map(({ status }) => status))], [503])
      for (const pid of all) process.kill(pid, 'SIGCONT')
      const backAt = performance.now()
      await until(async () => (await shops.call('GET', '/order/allorders', { as: person })).status === 200)
      figures.push({ told, back: performance.now() - backAt })
    })
    const told = Math.max(...figures.map((one) => one.told))
    const back = Math.max(...figures.map((one) => one.back))
    trial.note(`told in ${told.toFixed(0)} ms, back in ${back.toFixed(0)} ms`)
    if (told > 3_000 || back > 2_000) trial.wrong(`told in ${told.toFixed(0)} ms, back in ${back.toFixed(0)} ms`)
    await until(async () => {
      const { rows } = await shops.db.query<{ open: number }>(
        `select count(*) as open from pg_stat_activity where application_name = 'dwadi'`,
      )
      return (rows[0]?.open ?? 99) <= 10
    }).catch(() => trial.wrong('connections leaked'))
    trial.same('the process', shop.program.process.exitCode, null)
  } finally {
    await shops.close()
    await database.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** The proxy stops the server just before it would commit: by then it holds the wallet's lock. */
async function pauseWithLock(trial: Trial) {
  const shops = await openShops({ ...trial.opening, processes: 1 })
  const proxy = await openSwallowingProxy(shops.databaseUrl)
  const paused = await shops.startAnother({ DATABASE_URL: proxy.url })
  try {
    const user = await shops.makeUser({ pesewas: 10_000 })
    let armed = true
    let stopped = false
    proxy.decide = (sql, before) => {
      if (armed && /post_entry/.test(sql) && before.length > 0) {
        armed = false
        stopped = true
        paused.program.process.kill('SIGSTOP')
      }
      return 'pass'
    }
    const stale = callAt(paused.address, 'PUT', '/user/balance', { as: shops.admins[0], body: { chosenId: user.id, amount: 7 } })
    await until(() => stopped)
    const since = performance.now()
    let bought = await shops.buy(user, [shops.line()], undefined, 0)
    while (bought.status !== 200 && performance.now() - since < 30_000) bought = await shops.buy(user, [shops.line()], undefined, 0)
    const heldMs = performance.now() - since
    trial.same('a purchase by the other server', bought.status, 200)
    if (heldMs > 15_000) trial.wrong(`the lock was held for ${heldMs.toFixed(0)} ms`)
    trial.note(`the lock was free after ${heldMs.toFixed(0)} ms`)
    paused.program.process.kill('SIGCONT')
    const reply = await stale
    const books = await shops.books(user.id)
    trial.same(
      'what the resumed server says and what is in the books',
      [reply.status === 200, books.pesewas],
      [reply.status === 200, 9_450 + (reply.status === 200 ? 700 : 0)],
    )
    if (reply.status === 200) trial.wrong('the resumed server committed what had been given up')
    for (const violation of await shops.prove()) trial.wrong(violation)
  } finally {
    paused.program.process.kill('SIGCONT')
    await shops.close()
    await proxy.close()
  }
}

const DISK_MB = 192

function mountRefusal(): string | null {
  if (process.platform !== 'linux') return 'a small disk is mounted on Linux alone'
  if (process.getuid?.() !== 0) return 'only root may mount a small disk'
  try {
    const folder = makeFolder('probe')
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder], { stdio: 'pipe' })
    execFileSync('umount', [folder], { stdio: 'pipe' })
    execFileSync('rmdir', [folder])
    return null
  } catch (error) {
    return `no disk can be mounted here: ${String((error as Error).message).split('\n')[1] ?? 'refused'}`
  }
}

async function fillDisk(trial: Trial) {
  const folder = makeFolder('disk')
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m`, 'tmpfs', folder], { stdio: 'pipe' })
  const database = await startEmbeddedPostgres({ dataDir: join(folder, 'data'), log, settings: { max_wal_size: '64MB' } })
  const shops = await openShops({ ...trial.opening, processes: 1, databaseUrl: database.url() })
  try {
    const line = shops.line()
    const buyer = await shops.makeUser({ pesewas: 100_000_000 })
    const acknowledged: string[] = []
    const buyMany = async () => {
      const replies = await Promise.all(
        Array.from({ length: 20 }, async () => {
          const key = crypto.randomUUID()
          const { status } = await shops.buy(buyer, Array(20).fill(line), key)
          if (status === 200) acknowledged.push(key)
          return status
        }),
      )
      return replies
    }
    trial.same('before', [...new Set(await buyMany())], [200])
    const { bavail, bsize } = await statfs(folder)
    await mkdir(join(folder, 'filler'))
    await writeFile(join(folder, 'filler/file'), Buffer.alloc(Math.max(0, bavail * bsize - 256 * 1024)))
    const statuses = new Set<number>()
    const since = Date.now()
    while (Date.now() - since < 20_000 && !statuses.has(503)) for (const status of await buyMany()) statuses.add(status)
    trial.same(
      'while it is full: answers but 200 and 503',
      [...statuses].filter((status) => ![200, 503].includes(status)),
      [],
    )
    if (!statuses.has(503)) trial.wrong('the disk was never full')
    await rm(join(folder, 'filler'), { recursive: true })
    const backAt = performance.now()
    await until(async () => (await shops.buy(buyer, [line])).status === 200, 60_000)
    trial.note(`sold again ${((performance.now() - backAt) / 1000).toFixed(1)} s after there was space`)
    const { rows } = await shops.db.query<{ found: number }>(
      `select count(*) as found from idempotency_keys where key = any ($1) and outcome ->> 'outcome' = 'placed'`,
      [acknowledged.map((key) => `checkout:${key}`)],
    )
    trial.same('acknowledged and found', rows[0]?.found, acknowledged.length)
    for (const violation of await shops.prove()) trial.wrong(violation)
  } finally {
    await shops.close()
    await database.stop()
    execFileSync('umount', ['-l', folder], { stdio: 'pipe' })
    await rm(folder, { recursive: true, force: true })
  }
}

async function openUnsafe(trial: Trial) {
  const dataDir = makeFolder('unsafe')
  const database = await startEmbeddedPostgres({ dataDir, log })
  const db = openPool({ url: database.url(), size: 1, log, name: 'trust' })
  const live = {
    SHOP_MODE: 'live',
    PUBLIC_URL: 'https://shop.example',
    CARD: 'off',
    MAIL: 'off',
    SMS: 'off',
    SUPPLIER: 'off',
    PORT: '0',
    ADMIN_PASSWORD: PASSWORD,
  }
  try {
    for (const setting of ['synchronous_commit', 'fsync', 'full_page_writes']) {
      // The embedded database refuses these two by its command line, so they are looked at where any server has them.
      if (setting === 'synchronous_commit') await db.query(`alter database dwadi set synchronous_commit = off`)
      else if (!(await canBeOff(db, setting))) {
        await startEmbeddedPostgres({ dataDir: join(dataDir, 'other'), log, settings: { [setting]: 'off' } }).then(
          async (opened) => {
            trial.wrong(`the embedded database started with ${setting} = off`)
            await opened.stop()
          },
          (error: unknown) => {
            if (!String(error).includes(setting)) trial.wrong(`the refusal does not name ${setting}: ${error}`)
          },
        )
        trial.did()
        continue
      }
      const program = startProgram(trial.opening.script ?? 'server/main.ts', { ...live, DATABASE_URL: database.url() })
      // One that opens all the same would never end by itself.
      const opened = program.prints(/is open at/, 60_000).then(() => program.process.kill('SIGTERM'))
      const code = await Promise.race([
        program.ended(),
        opened.then(
          () => 'it opened',
          () => program.ended(),
        ),
      ])
      trial.same(`exit with ${setting} off`, code, 1)
      if (!program.output().includes(`${setting} = off`)) trial.wrong(`it does not name ${setting}`)
      await db.query(`alter database dwadi reset all`)
      trial.did()
    }
  } finally {
    await db.end()
    await database.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function canBeOff(db: Db, setting: string): Promise<boolean> {
  const { rows } = await db.query<{ source: string }>('select source from pg_settings where name = $1', [setting])
  if (rows[0]?.source === 'command line') return false
  await db.query(`alter system set ${setting} = off`)
  await db.query('select pg_reload_conf()')
  return until(
    async () =>
      (await db.query<{ setting: string }>('select setting from pg_settings where name = $1', [setting])).rows[0]?.setting === 'off',
  )
}

function postmasterOf(dataDir: string): number {
  const pid = Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])
  // Only ever a process of our own folder.
  if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(dataDir)) throw new Error(`process ${pid} is not the database of ${dataDir}`)
  return pid
}

function kill(pid: number) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It was gone already.
  }
}
