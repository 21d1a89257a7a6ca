import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { checkLedger } from '../server/ledger/check-ledger.ts'
import { type Db, openPool } from '../server/platform/db.ts'
import { findRunningPostgres, startEmbeddedPostgres } from '../server/platform/embedded-postgres.ts'
import { createLog } from '../server/platform/log.ts'
import type { Product } from '../shared/products.ts'
import { runProgram } from '../test/process/run-program.ts'
import { until } from '../test/until.ts'
import { checkoutOf, makeRecharges } from './concurrency.ts'
import { type CuttingProxy, openCuttingProxy } from './cutting-proxy.ts'
import type { Experiment, Trial } from './experiment.ts'
import { count, quantile } from './measure.ts'
import { callAt, type Line, openShops, PASSWORD, type Person, pesewas, type Shop, type Shops, startShop } from './shops.ts'
import { openSwallowingProxy, type SwallowingProxy } from './swallowing-proxy.ts'

const log = createLog('silent')

/** B. Crashes, restarts, and answers that never came. */
export const crashes: Experiment[] = [
  {
    id: 'B1',
    expects: 'kill -9 of the server and all of its database under 32 buyers: every acknowledged order exists, it sells again within 15 s',
    runs: { fast: 4, full: 50 },
    async go(trial) {
      await killEverything(trial)
    },
  },
  {
    id: 'B2',
    expects: 'kill -9 of one of two servers under load: the other serves on without an error, what was cut off is retried cleanly',
    runs: { fast: 4, full: 200 },
    async go(trial) {
      const shops = await openShops({ processes: 2 })
      try {
        await trial.repeat(() => killOne(trial, shops))
        for (const violation of await shops.prove()) trial.wrong(violation)
      } finally {
        await shops.close()
      }
    },
  },
  {
    id: 'B3',
    expects: 'the server killed (or its connection cut) at each of the named boundaries, the client tries again: exactly one effect',
    runs: { fast: 3, full: 20 },
    async go(trial) {
      await dieAtEveryBoundary(trial)
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
    expects: 'SIGTERM with 60 checkouts held by a lock: each is done or refused, none by half, the process ends in 10 s',
    runs: { fast: 2, full: 20 },
    async go(trial) {
      const shops = await openShops({ processes: 1 })
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
    expects: 'a server paused (SIGSTOP) with a wallet locked: the lock is freed within 15 s, and the resumed server commits nothing stale',
    runs: { fast: 1, full: 5 },
    async go(trial) {
      await trial.repeat(() => pauseWithLock(trial))
    },
  },
  {
    id: 'B11',
    expects: 'the disk under the database full: 503s, no success that is later missing; with space again healthy within 60 s, books right',
    runs: { fast: 1, full: 3 },
    unavailable: mountRefusal,
    async go(trial) {
      await trial.repeat(() => fillDisk(trial))
    },
  },
  {
    id: 'B13',
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
  const dataDir = await mkdtemp(join(tmpdir(), 'dwadi-trust-kill-'))
  const env = { DATA_DIR: dataDir, CARD: 'off', MAIL: 'off', SMS: 'off', SUPPLIER: 'off' }
  let shop = await startShop(env)
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
      const database = postmasterOf(dataDir)
      shop.program.process.kill('SIGKILL')
      for (const pid of [database, ...childrenOf(database)]) kill(pid)
      going = false
      await Promise.all([...buying, shop.program.ended()])
      const since = performance.now()
      shop = await startShop(env)
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

/** One place at which the server dies: `statement` in the transaction that has `after` in it, or a call to the outside. */
type Boundary = {
  name: string
  at: 'before' | 'after'
  statement?: RegExp
  after?: RegExp
  service?: 'card' | 'supplier' | 'sms'
  path?: RegExp
  /** Does the thing, as often as a client would, and says what came of it. */
  act: (world: World, again: () => Promise<void>) => Promise<Record<string, unknown>>
  expected: Record<string, unknown>
}

type World = { shops: Shops; services: Record<'card' | 'supplier' | 'sms', CuttingProxy>; shop: () => Shop }

const COMMIT = /^\s*commit/i

const BOUNDARIES: Boundary[] = (['before', 'after'] as const).flatMap((at): Boundary[] => [
  {
    name: 'checkout, its one statement (after: committed, no reply)',
    at,
    statement: /place_wallet_orders/,
    act: buyOnce,
    expected: { orders: 1, spent: 550 },
  },
  { name: 'order/create, its one statement', at, statement: /place_wallet_orders/, act: createOnce, expected: { orders: 1, spent: 550 } },
  {
    name: 'approve a recharge, its entry',
    at,
    statement: /post_entry|insert into journal_entries/,
    act: approveOnce,
    expected: { credited: 5101, status: 'approved' },
  },
  {
    name: 'approve a recharge, COMMIT',
    at,
    statement: COMMIT,
    after: /recharges/,
    act: approveOnce,
    expected: { credited: 5101, status: 'approved' },
  },
  { name: 'reject an order, the refund', at, statement: /post_entry/, act: rejectOnce, expected: { refunds: 1, status: 'rejected' } },
  {
    name: 'reject an order, COMMIT',
    at,
    statement: COMMIT,
    after: /update orders/,
    act: rejectOnce,
    expected: { refunds: 1, status: 'rejected' },
  },
  {
    name: 'credit by an admin, COMMIT',
    at,
    statement: COMMIT,
    after: /post_entry/,
    act: creditOnce,
    expected: { credited: 2000, actions: 1 },
  },
  {
    name: 'card payment, the call that verifies',
    at,
    service: 'card',
    path: /\/transaction\/verify/,
    act: payOnce,
    expected: { orders: 1, payment: 'paid' },
  },
  {
    name: 'card payment, COMMIT of its fulfilment',
    at,
    statement: COMMIT,
    after: /place_wallet_orders/,
    act: payOnce,
    expected: { orders: 1, payment: 'paid' },
  },
  {
    name: 'card notice, the keeping of it',
    at,
    statement: /insert into webhook_events/,
    act: noticeOnce,
    expected: { orders: 1, payment: 'paid' },
  },
  {
    name: 'card notice, the mark that it was handled',
    at,
    statement: /update webhook_events/,
    act: noticeOnce,
    expected: { orders: 1, payment: 'paid' },
  },
  {
    name: 'new order, COMMIT of its jobs',
    at,
    statement: COMMIT,
    after: /order_outbox/,
    act: deliverOnce,
    expected: { orders: 1, deliveries: 1 },
  },
  {
    name: 'supplier, COMMIT of the mark that it is being sent',
    at,
    statement: COMMIT,
    after: /update supplier_deliveries/,
    act: deliverOnce,
    expected: { orders: 1, deliveries: 1 },
  },
  {
    name: 'supplier, the call that orders',
    at,
    service: 'supplier',
    path: /new-transaction|order|transaction/,
    act: deliverOnce,
    expected: { orders: 1, deliveries: 1 },
  },
  {
    name: 'message, the call that sends (at most one)',
    at,
    service: 'sms',
    path: /sms/,
    act: tellOnce,
    expected: { orders: 1, tooMany: 0 },
  },
])

async function dieAtEveryBoundary(trial: Trial) {
  let database: SwallowingProxy | undefined
  const shops = await openShops({ processes: 0 })
  const proxy = await openSwallowingProxy(shops.databaseUrl)
  database = proxy
  const services = {
    card: await openCuttingProxy(shops.card.baseUrl),
    supplier: await openCuttingProxy(shops.sandbox.supplier.baseUrl),
    sms: await openCuttingProxy(shops.sandbox.sms.baseUrl),
  }
  const env = {
    DATABASE_URL: proxy.url,
    PAYSTACK_BASE_URL: services.card.url,
    SUPPLIER_HUBNET_BASE_URL: services.supplier.url,
    SMS_ARKESEL_BASE_URL: services.sms.url,
  }
  let current = await shops.startAnother(env)
  await shops.ready()
  const misses: string[] = []
  try {
    for (const boundary of BOUNDARIES) {
      for (let run = 0; run < trial.runs; run++) {
        let armed = true
        let dead = false
        const dies = () => {
          armed = false
          dead = true
          current.program.process.kill('SIGKILL')
        }
        const { at, statement, after, service, path } = boundary
        const verdict = at === 'before' ? 'cut-before' : 'cut-after'
        if (statement) {
          proxy.onCut = dies
          proxy.decide = (sql, before) =>
            armed && statement.test(sql) && (!after || before.some((one) => after.test(one))) ? verdict : 'pass'
        }
        if (service && path) {
          services[service].onCut = dies
          services[service].decide = (_method, called) => (armed && path.test(called) ? verdict : 'pass')
        }
        const again = async () => {
          if (!dead) return
          dead = false
          await current.program.ended()
          shops.all.splice(0, shops.all.length)
          current = await shops.startAnother(env)
        }
        const found = await boundary
          .act({ shops, services, shop: () => current }, again)
          .catch((error: unknown) => ({ failed: String(error) }))
        trial.same(`${at} ${boundary.name}`, found, boundary.expected)
        trial.progress(`${at} ${boundary.name}${armed ? ', which was not reached' : ''}: ${JSON.stringify(found)}`)
        if (armed) misses.push(`${at} ${boundary.name}`)
        armed = false
        await again()
        trial.did()
      }
    }
    await insideTheStatement(trial, shops)
    if (misses.length > 0) trial.wrong(`never reached: ${[...new Set(misses)].join('; ')}`)
    trial.note(`${BOUNDARIES.length + INSIDE.length} boundaries`)
    for (const violation of await shops.prove()) trial.wrong(violation)
  } finally {
    await shops.close()
    await database.close()
    for (const service of Object.values(services)) await service.close()
  }
}

/** Boundaries inside of the one statement that buys: there the database's own process is ended. */
const INSIDE = [
  { name: 'after the order was inserted', event: 'after insert on orders' },
  { name: 'after the debit', event: 'after update of balance_pesewas on wallets' },
  { name: 'after the postings', event: 'after insert on postings' },
  { name: 'after the key was inserted', event: 'after insert on idempotency_keys' },
]

async function insideTheStatement(trial: Trial, shops: Shops) {
  await shops.db.query('create sequence if not exists trust_shots')
  await shops.db.query(`create or replace function trust_end_backend() returns trigger language plpgsql as $$ begin
    if nextval('trust_shots') = 1 then perform pg_terminate_backend(pg_backend_pid()); end if; return null; end $$`)
  for (const [index, { name, event }] of [...INSIDE, { name: 'at COMMIT', event: 'deferred' }].entries()) {
    await shops.db.query(
      event === 'deferred'
        ? `create constraint trigger trust_point_${index} after insert on journal_entries deferrable initially deferred for each row execute function trust_end_backend()`
        : `create trigger trust_point_${index} ${event} for each row execute function trust_end_backend()`,
    )
    const table = event === 'deferred' ? 'journal_entries' : (event.split(' ').at(-1) as string)
    try {
      for (let run = 0; run < trial.runs; run++) {
        const line = shops.line()
        const buyer = await withoutShots(shops, () => shops.makeUser({ pesewas: 10_000 }))
        const key = crypto.randomUUID()
        await shops.db.query(`select setval('trust_shots', 1, false)`)
        const first = await shops.buy(buyer, [line], key)
        if (first.status !== 503) trial.wrong(`${name}: the first try got ${first.status}, not 503`)
        await until(async () => (await shops.call('GET', '/product')).status === 200)
        const second = await shops.buy(buyer, [line], key)
        const { orders, pesewas: left } = await shops.books(buyer.id)
        trial.same(name, [second.status, orders, left], [200, 1, 10_000 - pesewas(line.amount)])
        trial.did()
      }
    } finally {
      await shops.db.query(`drop trigger trust_point_${index} on ${table}`)
    }
  }
}

async function withoutShots<T>(shops: Shops, work: () => Promise<T>): Promise<T> {
  await shops.db.query(`select setval('trust_shots', 1000000)`)
  return work()
}

/** Asks until there is an answer; a server that died is started again first. */
async function insist<T extends { status: number }>(world: World, again: () => Promise<void>, ask: () => Promise<T>): Promise<T> {
  return until(async () => {
    const reply = await ask()
    if (reply.status !== 0 && reply.status < 500) return reply
    await wait(50)
    await again()
    return false
  }, 60_000).catch(() => {
    throw new Error(`no answer from ${world.shop().address}`)
  })
}

async function buyOnce(world: World, again: () => Promise<void>) {
  const { shops } = world
  const buyer = await shops.makeUser({ pesewas: 10_000 })
  const key = crypto.randomUUID()
  await insist(world, again, () => shops.buy(buyer, [shops.line()], key, 0))
  const { orders, pesewas: left } = await shops.books(buyer.id)
  return { orders, spent: 10_000 - left }
}

async function createOnce(world: World, again: () => Promise<void>) {
  const { shops } = world
  const buyer = await shops.makeUser({ pesewas: 10_000 })
  const line = shops.line()
  const newOrder = { id: crypto.randomUUID(), network: 'MTN', offer: line.offer, receiver: '0551234567', totalAmount: line.amount }
  await insist(world, again, () => shops.call('POST', '/order/create', { as: buyer, body: { newOrder } }))
  const { orders, pesewas: left } = await shops.books(buyer.id)
  return { orders, spent: 10_000 - left }
}

async function approveOnce(world: World, again: () => Promise<void>) {
  const { shops } = world
  const asker = await shops.makeUser()
  const [recharge] = await makeRecharges(shops, asker, 1)
  await insist(world, again, () => shops.call('PUT', `/recharge/${recharge?.id}/approve`, { as: shops.admins[0], body: {} }))
  const { rows } = await shops.db.query<{ status: string }>('select status from recharges where id = $1', [recharge?.id])
  return { credited: (await shops.books(asker.id)).pesewas, status: rows[0]?.status }
}

async function rejectOnce(world: World, again: () => Promise<void>) {
  const { shops } = world
  const buyer = await shops.makeUser({ pesewas: 10_000 })
  const { rows: made } = await shops.db.query<{ order: string }>(
    `select place_wallet_orders($1, $2, '\\x00', $3, now()) -> 'orders' -> 0 ->> 'id' as "order"`,
    [buyer.id, `checkout:${crypto.randomUUID()}`, JSON.stringify([toLine(shops.line())])],
  )
  const order = made[0]?.order
  await insist(world, again, () =>
    shops.call('PUT', `/order/update-status/${order}`, { as: shops.admins[0], body: { status: 'rejected' } }),
  )
  const { rows } = await shops.db.query<{ status: string; refunds: number }>(
    `select status, (select count(*) from journal_entries where key = 'order-refund:' || o.id) as refunds from orders o where id = $1`,
    [order],
  )
  return { refunds: rows[0]?.refunds, status: rows[0]?.status }
}

function toLine({ productId, offer, phoneNumber, amount }: Line) {
  return { product: productId, network: null, offer, receiver: phoneNumber, seen: pesewas(amount), clientId: null }
}

async function creditOnce(world: World, again: () => Promise<void>) {
  const { shops } = world
  const user = await shops.makeUser()
  const headers = { 'idempotency-key': crypto.randomUUID() }
  await insist(world, again, () =>
    shops.call('PUT', '/user/balance', { as: shops.admins[0], body: { chosenId: user.id, amount: 20 }, headers }),
  )
  const { rows } = await shops.db.query<{ actions: number }>('select count(*) as actions from admin_actions where subject_id = $1', [
    user.id,
  ])
  return { credited: (await shops.books(user.id)).pesewas, actions: rows[0]?.actions }
}

/** Paid with the notice lost: the browser's confirmation settles it, and comes again after the crash. */
async function payOnce(world: World, again: () => Promise<void>) {
  const { shops } = world
  const payer = await shops.makeUser()
  const started = await shops.call<{ reference: string }>('POST', '/payment', {
    as: payer,
    body: { purpose: 'order', items: [shops.line()] },
  })
  const { reference } = started.body
  shops.card.addFault({ call: 'webhook', kind: 'lose', reference, times: 100 })
  await shops.card.pay(reference)
  const state = () => paymentState(shops, payer, reference)
  await until(async () => {
    await shops.call('POST', `/payment/${reference}/confirm`, { as: payer, body: {} })
    await again()
    return (await state()).payment === 'paid'
  }, 60_000).catch(() => undefined)
  return state()
}

/** Paid in a browser that closed: the provider's notice settles it, and is sent until it is taken. */
async function noticeOnce(world: World, again: () => Promise<void>) {
  const { shops } = world
  const payer = await shops.makeUser()
  const started = await shops.call<{ reference: string }>('POST', '/payment', {
    as: payer,
    body: { purpose: 'order', items: [shops.line()] },
  })
  const { reference } = started.body
  await shops.card.pay(reference)
  const state = () => paymentState(shops, payer, reference)
  const deadline = Date.now() + 60_000
  // Until it is paid and the notice is marked, so that the boundary after the effect is passed too.
  while (Date.now() < deadline) {
    await wait(100)
    await again()
    const { rows } = await shops.db.query('select from webhook_events where reference = $1 and handled_at is not null', [reference])
    if (rows.length > 0 && (await state()).payment === 'paid') break
  }
  return state()
}

async function paymentState(shops: Shops, payer: Person, reference: string) {
  const { rows } = await shops.db.query<{ status: string }>('select status from payments where reference = $1', [reference])
  return { orders: (await shops.books(payer.id)).orders, payment: rows[0]?.status }
}

async function deliverOnce(world: World, again: () => Promise<void>) {
  const { shops } = world
  const buyer = await shops.makeUser({ pesewas: 100_000 })
  const key = crypto.randomUUID()
  const line = shops.line({ network: 'AirtelTigo', phone: '0271234567' })
  const bought = await insist(world, again, () => shops.buy(buyer, [line], key))
  const [order] = bought.body.orders as { _id: string; reference: string }[]
  const arrived = () => shops.sandbox.supplier.hubnet.deliveries().filter(({ reference }) => reference === order?.reference).length
  const stands = async () =>
    (await shops.db.query<{ status: string }>('select status from supplier_deliveries where order_id = $1', [order?._id])).rows[0]?.status
  const deadline = Date.now() + 60_000
  while (Date.now() < deadline) {
    await wait(100)
    await again()
    if (['accepted', 'delivered'].includes((await stands()) ?? '')) break
  }
  return { orders: (await shops.books(buyer.id)).orders, deliveries: arrived() }
}

async function tellOnce(world: World, again: () => Promise<void>) {
  const { shops } = world
  await shops.db.query(
    `update operations_settings set operator_phone = '0241112223', operator_sms = true, sms_digest_above = 1000, sms_daily_cap = 100000`,
  )
  const buyer = await shops.makeUser({ pesewas: 10_000 })
  const before = shops.sandbox.sms.sent().length
  const key = crypto.randomUUID()
  const bought = await insist(world, again, () => shops.buy(buyer, [shops.line()], key))
  const [order] = bought.body.orders as { _id: string; id: string }[]
  const deadline = Date.now() + 30_000
  while (Date.now() < deadline) {
    await wait(100)
    await again()
    const { rows } = await shops.db.query<{ status: string }>('select status from sms_messages where order_id = $1', [order?._id])
    if (rows[0] && ['sent', 'unknown', 'failed'].includes(rows[0].status)) break
  }
  return { orders: (await shops.books(buyer.id)).orders, tooMany: Math.max(0, shops.sandbox.sms.sent().length - before - 1) }
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
  const dataDir = await mkdtemp(join(tmpdir(), 'dwadi-trust-away-'))
  let database = await startEmbeddedPostgres({ dataDir, log })
  const shops = await openShops({ processes: 1, databaseUrl: database.url(), env: { DATABASE_POOL_SIZE: '8' } })
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
  const dataDir = await mkdtemp(join(tmpdir(), 'dwadi-trust-hung-'))
  const database = await startEmbeddedPostgres({ dataDir, log })
  const shops = await openShops({ processes: 1, databaseUrl: database.url(), env: { DATABASE_POOL_SIZE: '8' } })
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
  const shops = await openShops({ processes: 1 })
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
    const folder = join(tmpdir(), `dwadi-trust-probe-${process.pid}`)
    execFileSync('mkdir', ['-p', folder])
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder], { stdio: 'pipe' })
    execFileSync('umount', [folder], { stdio: 'pipe' })
    execFileSync('rmdir', [folder])
    return null
  } catch (error) {
    return `no disk can be mounted here: ${String((error as Error).message).split('\n')[1] ?? 'refused'}`
  }
}

async function fillDisk(trial: Trial) {
  const folder = await mkdtemp(join(tmpdir(), 'dwadi-trust-disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m`, 'tmpfs', folder], { stdio: 'pipe' })
  const database = await startEmbeddedPostgres({ dataDir: join(folder, 'data'), log, settings: { max_wal_size: '64MB' } })
  const shops = await openShops({ processes: 1, databaseUrl: database.url() })
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
  const dataDir = await mkdtemp(join(tmpdir(), 'dwadi-trust-unsafe-'))
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
      if (setting === 'synchronous_commit') await db.query(`alter role current_user set synchronous_commit = off`)
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
      const program = runProgram('server/main.ts', { ...live, DATABASE_URL: database.url() })
      const code = await program.ended()
      trial.same(`exit with ${setting} off`, code, 1)
      if (!program.output().includes(`${setting} = off`)) trial.wrong(`it does not name ${setting}`)
      await db.query(`alter role current_user reset all`)
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

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)
}

function kill(pid: number) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It was gone already.
  }
}
