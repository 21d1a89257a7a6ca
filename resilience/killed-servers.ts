import { rm } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { checkLedger } from '../server/ledger/check-ledger.ts'
import { type Db, openPool } from '../server/platform/db.ts'
import { findRunningPostgres } from '../server/platform/embedded-postgres.ts'
import { createLog } from '../server/platform/log.ts'
import type { Product } from '../shared/products.ts'
import { openFaultProxy } from '../test/fault-proxy.ts'
import { callAt, type HttpReply } from '../test/http-client.ts'
import { allow } from '../test/slowness.ts'
import { until } from '../test/until.ts'
import { checkoutOf } from './concurrency.ts'
import type { Trial } from './experiment.ts'
import { endDatabaseOf, makeFolder } from './leftovers.ts'
import { count, quantile } from './measure.ts'
import { type Line, openShops, PASSWORD, pesewas, type Shop, type Shops, startShop, withoutGuard } from './shops.ts'

const log = createLog('silent')

export type Journal = { key: string; buyer: { token: string }; line: Line; outcome: 'ok' | 'refused' | 'unknown' }

/** Buys until told to stop, and records every reply; the checker relies on nothing else. */
export async function buyOn(
  address: () => string,
  buyer: { token: string },
  line: Line,
  journal: Journal[],
  going: () => boolean,
  seen: (reply: HttpReply) => void = () => {},
) {
  while (going()) {
    const key = crypto.randomUUID()
    const entry: Journal = { key, buyer, line, outcome: 'unknown' }
    journal.push(entry)
    const reply = await callAt(address(), 'POST', '/order/checkout', {
      as: buyer,
      body: { items: [line] },
      headers: { 'idempotency-key': key },
    })
    const { status } = reply
    seen(reply)
    if (status === 200) entry.outcome = 'ok'
    else if (status >= 400 && status < 500) entry.outcome = 'refused'
    else await wait(20)
  }
}

/** Without anything outside: what is tried is the shop and its embedded database. */
export const ALONE = { CARD: 'off', MAIL: 'off', SMS: 'off', SUPPLIER: 'off' }

/** Customers with ¢1,000,000 each, the owner, and the line that all of them buy. */
export async function openTrade(
  shop: Shop,
  howMany: number,
): Promise<{ admin: { token: string }; buyers: { token: string }[]; line: Line }> {
  const admin = await callAt<{ token: string }>(shop.address, 'POST', '/user/login', {
    body: { userPhone: '0200000000', password: PASSWORD },
  })
  const buyers = await Promise.all(
    Array.from({ length: howMany }, async (_, index) => {
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
  return { admin: admin.body, buyers, line }
}

/** Leaves a guard out of the embedded database in this folder. */
export async function spoilOwn(trial: Trial, dataDir: string) {
  const db = openPool({ url: (await findRunningPostgres({ dataDir })) as string, size: 1, log, name: 'resilience' })
  await trial.opening.spoil?.(db)
  await db.end()
}

export async function killEverything(trial: Trial) {
  const dataDir = makeFolder('kill')
  const env = { DATA_DIR: dataDir, ...ALONE, ...withoutGuard(trial.opening) }
  let shop = await startShop(env)
  try {
    const { buyers, line } = await openTrade(shop, 32)
    if (trial.opening.spoil) {
      await spoilOwn(trial, dataDir)
      shop.program.process.kill('SIGTERM')
      await shop.program.ended()
      shop = await startShop(env)
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
        shop.program.process.kill('SIGKILL')
        endDatabaseOf(dataDir)
      } finally {
        going = false
      }
      await Promise.all([...buying, shop.program.ended()])
      const since = performance.now()
      shop = await startShop(env)
      await until(async () => (await callAt(shop.address, 'GET', '/product', {})).status === 200, 30_000)
      backMs.push(performance.now() - since)
      await proveJournal(trial, dataDir, journal)
    })
    trial.note(
      `${count(journal, ({ outcome }) => outcome === 'ok')} acknowledged, ${count(journal, ({ outcome }) => outcome === 'unknown')} unknown, back in ${quantile(backMs, 1).toFixed(0)} ms at most`,
    )
    trial.within('selling again', Math.max(...backMs), 15_000)
  } finally {
    shop.program.process.kill('SIGTERM')
    await shop.program.ended()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** Compares the journal with the embedded database in this folder, and proves its books. */
export async function proveJournal(trial: Trial, dataDir: string, journal: Journal[]) {
  const db = openPool({ url: (await findRunningPostgres({ dataDir })) as string, size: 2, log, name: 'resilience' })
  await compareJournal(trial, db, journal)
  for (const violation of await checkLedger(db)) trial.wrong(`${violation.rule}: ${violation.subject}: ${violation.detail}`)
  await db.end()
}

/** Acknowledged means there, refused means not there, unknown may be either, but never twice. */
async function compareJournal(trial: Trial, db: Db, journal: Journal[]) {
  const { rows } = await db.query<{ key: string; outcome: string; orders: number }>(
    `select key, outcome ->> 'outcome' as outcome, jsonb_array_length(coalesce(outcome -> 'orders', '[]')) as orders from idempotency_keys`,
  )
  const kept = new Map(rows.map((row) => [row.key.replace('checkout:', ''), row]))
  const { rows: real } = await db.query<{ orders: number }>(
    'select count(*) as orders from orders o where not exists (select from bulk_lines l where l.order_id = o.id)',
  )
  for (const { key, outcome } of journal) {
    const row = kept.get(key)
    if (outcome === 'ok' && row?.outcome !== 'placed') trial.wrong(`the acknowledged purchase ${key} is lost`)
    if (outcome === 'refused' && row?.outcome === 'placed') trial.wrong(`the refused purchase ${key} was made`)
  }
  const placed = rows.filter((row) => row.outcome === 'placed').reduce((total, row) => total + Number(row.orders), 0)
  trial.same('orders and what the keys say', real[0]?.orders, placed)
}

export async function killOne(trial: Trial, shops: Shops) {
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
  for (const { key, buyer } of cutOff.slice(0, 40)) {
    const again = { as: buyer, body: { items: [line] }, headers: { 'idempotency-key': key } }
    const second = await callAt(staying.address, 'POST', '/order/checkout', again)
    const third = await callAt(staying.address, 'POST', '/order/checkout', again)
    trial.same('the second and the third try', [second.status, third.status, third.headers['idempotency-replayed']], [200, 200, 'true'])
  }
  await compareJournal(trial, shops.db, [...stayed, ...journal])
  const share = cutOff.length / (journal.length + stayed.length)
  if (share > 0.05) trial.note(`${cutOff.length} of ${journal.length + stayed.length} were cut off`)
  await shops.startAnother()
}

export async function endWhileBuying(trial: Trial, shops: Shops) {
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
  trial.within('ending', performance.now() - since, 10_000)
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

/** The proxy stops the server just before it would commit: by then it holds the wallet's lock. */
export async function pauseWithLock(trial: Trial) {
  const shops = await openShops({ ...trial.opening, processes: 1 })
  const proxy = await openFaultProxy(shops.databaseUrl)
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
    while (bought.status !== 200 && performance.now() - since < allow(30_000)) bought = await shops.buy(user, [shops.line()], undefined, 0)
    const heldMs = performance.now() - since
    trial.same('a purchase by the other server', bought.status, 200)
    trial.within('freeing the lock', heldMs, 15_000)
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
