import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { hash } from '@node-rs/argon2'
import pg from 'pg'
import { openSandbox, type Sandbox } from '../sandbox/open-sandbox.ts'
import { checkLedger } from '../server/ledger/check-ledger.ts'
import { type Db, openPool } from '../server/platform/db.ts'
import { createLog } from '../server/platform/log.ts'
import type { Product } from '../shared/products.ts'
import { callAt } from '../test/http-client.ts'
import { until } from '../test/until.ts'
import { findPairPrograms } from '../tools/pair/find-programs.ts'
import { type DatabaseMachine, openPair, type Pair } from '../tools/pair/open-pair.ts'
import type { Experiment, Trial } from './experiment.ts'
import { makeFolder, watchProcess } from './leftovers.ts'
import { count, quantile } from './measure.ts'
import { type Line, makeUser, PASSWORD, type Person, withoutGuard } from './shops.ts'

const log = createLog('silent')
const MINUTE_MS = 60_000

/** M. Two machines with a database each, a witness, and a proxy before them (docs/scaling.md). */
export const twoMachines: Experiment[] = [
  {
    id: 'M1',
    expects:
      'kill -9 of everything on the primary’s machine (database, Patroni, etcd, proxy, shop) under 32 buyers, in every other run with the line to the standby stuck before: no acknowledged order or payment is lost, none is made twice, the other machine sells within 30 s, and the dead one comes back as its standby',
    runs: { fast: 2, full: 20 },
    deadlineMs: { fast: 15 * MINUTE_MS, full: 90 * MINUTE_MS },
    unavailable: whyNoPair,
    go: (trial) => withPair(trial, killPrimary),
  },
  {
    id: 'M2',
    expects:
      'the primary’s machine hangs (SIGSTOP of everything) with a sale about to be committed, the other takes over, and it wakes: it confirms nothing, gives way, follows, and no sale of the new primary is lost',
    runs: { fast: 2, full: 10 },
    deadlineMs: { fast: 15 * MINUTE_MS, full: 60 * MINUTE_MS },
    unavailable: whyNoPair,
    go: (trial) => withPair(trial, wakePrimary),
  },
  {
    id: 'M3',
    expects:
      'the standby’s machine dies or hangs under 32 buyers: the primary sells on alone within 30 s, nothing is lost, and it follows again once it is back',
    runs: { fast: 2, full: 10 },
    deadlineMs: { fast: 15 * MINUTE_MS, full: 60 * MINUTE_MS },
    unavailable: whyNoPair,
    go: (trial) => withPair(trial, loseStandby),
  },
]

function whyNoPair(): string | null {
  if (process.platform !== 'linux') return 'it reads /proc, which is on Linux alone'
  try {
    findPairPrograms()
    return null
  } catch (error) {
    return (error as Error).message
  }
}

type Outcome = 'acknowledged' | 'refused' | 'unknown'
type Purchase = { key: string; outcome: Outcome }
type Payment = { reference: string; settled: boolean }
/** When each acknowledged purchase was asked for, and acknowledged. */
type Sale = { askedAt: number; at: number }
type Trade = { purchases: Purchase[]; payments: Payment[]; sales: Sale[] }
type Shop = { pair: Pair; sandbox: Sandbox; db: Db; buyers: Person[]; line: Line; trade: Trade }

const BUYERS = 32
/** Of the buyers; the others pay from their wallets. */
const BY_CARD = 8
const LOOKS_AROUND_MS = 120
const SELLS_AGAIN_WITHIN_MS = 30_000
const FOLLOWS_WITHIN_MS = 180_000
const STUCK_MS = 400

async function withPair(trial: Trial, go: (trial: Trial, shop: Shop) => Promise<void>) {
  const folder = makeFolder('pair')
  const own = join(folder, 'outside')
  mkdirSync(own)
  let address = ''
  const sandbox = await openSandbox({
    dataDir: own,
    shopUrl: () => address || 'http://127.0.0.1:1',
    log,
    webhookRetryDelaysMs: [200, 1_000, 5_000, 15_000],
  })
  const { cardProvider: card } = sandbox
  const pair = await openPair({
    folder,
    onStart: watchProcess,
    shopEnv: {
      ...{ PAYSTACK_BASE_URL: card.baseUrl, PAYSTACK_SECRET_KEY: card.secretKey, PAYSTACK_PUBLIC_KEY: card.publicKey },
      ...{ MAIL: 'off', SMS: 'off', SUPPLIER: 'off', JOB_TIMINGS: 'quick' },
      ...withoutGuard(trial.opening),
      ...{ RATE_LIMITS: 'off', GUESSABLE_PASSWORDS: 'refuse', ADMIN_PHONE: '0200000000', ADMIN_PASSWORD: PASSWORD, LOG_LEVEL: 'error' },
    },
    // Its settings of the database count for connections that are made later, which the shop's are.
    prepare: async (db) => trial.opening.spoil?.(db as unknown as Db),
    tell: trial.progress,
  })
  address = pair.address
  const db = openPool({ url: pair.databaseUrl, size: 4, log, name: 'resilience' })
  // A busy machine is not what is tried here.
  db.options.connectionTimeoutMillis = 60_000
  try {
    const products = (await callAt<Product[]>(address, 'GET', '/product')).body
    const product = products.find(({ network }) => network === 'MTN') as Product
    const [offer] = product.packages as [Product['packages'][0]]
    const line = { productId: product._id, offer: offer.offer, phoneNumber: '0551234567', amount: offer.priceCustomer }
    const passwordHash = await hash(PASSWORD, { memoryCost: 19_456, timeCost: 2, parallelism: 1 })
    const buyers: Person[] = []
    for (let index = 0; index < BUYERS; index++) buyers.push(await makeUser(db, passwordHash, { pesewas: 100_000_000 }))
    // A table of no shop, for the sale that is about to be committed.
    await db.query('create schema trial')
    await db.query('create table trial.notes (note text primary key)')
    const trade: Trade = { purchases: [], payments: [], sales: [] }
    await go(trial, { pair, sandbox, db, buyers, line, trade })
    const { purchases, payments } = trade
    trial.note(
      `${count(purchases, ({ outcome }) => outcome === 'acknowledged')} purchases and ${count(payments, ({ settled }) => settled)} card payments acknowledged`,
    )
  } finally {
    await db.end()
    await pair.close()
    await sandbox.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function killPrimary(trial: Trial, shop: Shop) {
  const { pair } = shop
  const backMs: number[] = []
  const followMs: number[] = []
  await trial.repeat(async (run) => {
    const { primary } = await pair.untilPaired(FOLLOWS_WITHIN_MS)
    const watching = watchPrimaries(trial, pair)
    const diedAt = await whileBuying(shop, async () => {
      await wait(1_000 + trial.random() * 2_000)
      if (run % 2 === 1) await stickLine(pair)
      const at = performance.now()
      await pair.machines[primary].kill()
      backMs.push(await untilSelling(shop, at))
      // Some more sales on the one that is left.
      await wait(1_000)
      return at
    })
    const before = performance.now()
    pair.start(primary)
    const { primary: successor } = await pair.untilPaired(FOLLOWS_WITHIN_MS)
    followMs.push(performance.now() - before)
    trial.same('the primary after the death of the other', successor, other(primary))
    await watching.stop()
    await proveTrade(trial, shop)
    trial.progress(
      `run ${run + 1}: ${primary} died, sold again after ${((backMs.at(-1) ?? 0) / 1000).toFixed(1)} s, paired ${((performance.now() - diedAt) / 1000).toFixed(0)} s after`,
    )
  })
  report(trial, backMs)
  trial.note(`the dead machine confirms again ${(quantile(followMs, 1) / 1000).toFixed(0)} s after its start at most`)
}

async function wakePrimary(trial: Trial, shop: Shop) {
  const { pair, db } = shop
  const backMs: number[] = []
  let confirmed = 0
  await trial.repeat(async (run) => {
    const { primary } = await pair.untilPaired(FOLLOWS_WITHIN_MS)
    const note = `run ${run}`
    let wake = () => {}
    await whileBuying(shop, async () => {
      await wait(1_000 + trial.random() * 1_000)
      const late = await openClient(pair.urlOf(primary))
      await late.query('begin')
      await late.query('insert into trial.notes values ($1)', [note])
      const at = performance.now()
      wake = pair.machines[primary].freeze()
      // It lies in the socket, and is the first thing that the database reads when it wakes.
      const committing = late.query('commit').then(
        () => true,
        () => false,
      )
      backMs.push(await untilSelling(shop, at))
      await wait(2_000)
      wake()
      const wasConfirmed = await committing
      await late.end().catch(() => undefined)
      if (wasConfirmed) confirmed += 1
      // Sales go on while it gives way.
      await until(async () => (await pair.standing()).primary === other(primary), 60_000, 'one primary')
      await wait(3_000)
    })
    const { primary: successor } = await pair.untilPaired(FOLLOWS_WITHIN_MS)
    trial.same('the primary after the other woke', successor, other(primary))
    const { rowCount } = await db.query('select from trial.notes where note = $1', [note])
    if (confirmed > 0 && rowCount === 0) trial.wrong(`the woken machine confirmed what the new primary does not have (${note})`)
    await proveTrade(trial, shop)
    trial.progress(`run ${run + 1}: ${primary} hung, sold again after ${((backMs.at(-1) ?? 0) / 1000).toFixed(1)} s, and woke`)
  })
  trial.same('confirmed by a machine that was no longer the primary', confirmed, 0)
  report(trial, backMs)
}

async function loseStandby(trial: Trial, shop: Shop) {
  const { pair } = shop
  const backMs: number[] = []
  await trial.repeat(async (run) => {
    const { primary, syncStandby } = await pair.untilPaired(FOLLOWS_WITHIN_MS)
    const machine = pair.machines[syncStandby]
    const isKill = run % 2 === 0
    let wake: (() => void) | undefined
    await whileBuying(shop, async () => {
      await wait(1_000 + trial.random() * 1_000)
      const at = performance.now()
      if (isKill) await machine.kill()
      else wake = machine.freeze()
      // With a standby that only seems to be there, nothing is confirmed for as long as it takes to tell.
      backMs.push(await untilSelling(shop, at))
      await wait(2_000)
    })
    if (isKill) pair.start(syncStandby)
    else wake?.()
    trial.same('the primary', (await pair.untilPaired(FOLLOWS_WITHIN_MS)).primary, primary)
    await proveTrade(trial, shop)
    trial.progress(
      `run ${run + 1}: the standby ${isKill ? 'died' : 'hung'}, sold again after ${((backMs.at(-1) ?? 0) / 1000).toFixed(1)} s`,
    )
  })
  report(trial, backMs)
}

function report(trial: Trial, backMs: number[]) {
  const seconds = (share: number) => (quantile(backMs, share) / 1000).toFixed(1)
  trial.note(`selling again after ${seconds(0.5)} s in the middle, ${seconds(1)} s at most`)
  trial.within('selling again', Math.max(...backMs), SELLS_AGAIN_WITHIN_MS)
}

/** All buyers buy until `work` is done; whoever has no answer asks again with the same key until there is one. */
async function whileBuying<T>(shop: Shop, work: () => Promise<T>): Promise<T> {
  let going = true
  const buying = shop.buyers.map((buyer, index) =>
    index < BY_CARD ? payByCard(shop, buyer, () => going) : buyFromWallet(shop, buyer, () => going),
  )
  try {
    return await work()
  } finally {
    going = false
    await Promise.all(buying)
  }
}

async function buyFromWallet({ pair, line, trade }: Shop, as: Person, going: () => boolean) {
  while (going()) {
    const purchase: Purchase = { key: crypto.randomUUID(), outcome: 'unknown' }
    trade.purchases.push(purchase)
    while (purchase.outcome === 'unknown' && going()) {
      const askedAt = performance.now()
      const { status } = await callAt(pair.address, 'POST', '/order/checkout', {
        as,
        body: { items: [line] },
        headers: { 'idempotency-key': purchase.key },
      })
      purchase.outcome = outcomeOf(status)
      if (purchase.outcome === 'acknowledged') trade.sales.push({ askedAt, at: performance.now() })
      await wait(purchase.outcome === 'unknown' ? 250 : LOOKS_AROUND_MS)
    }
  }
}

async function payByCard({ pair, sandbox, line, trade }: Shop, as: Person, going: () => boolean) {
  while (going()) {
    const begun = await callAt<{ reference?: string }>(pair.address, 'POST', '/payment', { as, body: { purpose: 'order', items: [line] } })
    const { reference } = begun.body
    if (begun.status === 200 && reference !== undefined) {
      await sandbox.cardProvider.pay(reference)
      const payment: Payment = { reference, settled: false }
      trade.payments.push(payment)
      while (!payment.settled && going()) {
        const reply = await callAt<{ payment?: { status: string } }>(pair.address, 'POST', `/payment/${reference}/confirm`, { as })
        payment.settled = reply.status === 200 && reply.body.payment?.status === 'paid'
        if (!payment.settled) await wait(250)
      }
    }
    await wait(LOOKS_AROUND_MS * 5)
  }
}

function outcomeOf(status: number): Outcome {
  if (status === 200) return 'acknowledged'
  return status >= 400 && status < 500 ? 'refused' : 'unknown'
}

/** How long after `since` the first purchase is acknowledged that was asked for after it; a reply may have been on its way before. */
async function untilSelling({ trade }: Shop, since: number): Promise<number> {
  const found = () => trade.sales.findLast(({ askedAt }) => askedAt > since)
  await until(() => found() !== undefined, SELLS_AGAIN_WITHIN_MS * 4, 'a purchase after the death of a machine')
  return (trade.sales.find(({ askedAt }) => askedAt > since) as Sale).at - since
}

/** The line to the standby is stuck, as it may be just before a machine dies: what is acknowledged meanwhile is on one machine only. */
async function stickLine(pair: Pair) {
  for (const pid of await pair.listLogSenders()) process.kill(pid, 'SIGSTOP')
  await wait(STUCK_MS)
}

/** Looks twice a second whether both databases would take a sale; a machine that is being killed or copied does not answer. */
function watchPrimaries(trial: Trial, pair: Pair) {
  const over = new AbortController()
  const takesSales = async (name: DatabaseMachine) => {
    const client = await openClient(pair.urlOf(name), 2_000)
    try {
      const { rows } = await client.query<{ writes: boolean }>('select not pg_is_in_recovery() as writes')
      return rows[0]?.writes === true
    } finally {
      await client.end().catch(() => undefined)
    }
  }
  const watching = (async () => {
    while (!over.signal.aborted) {
      const both = await Promise.all((['a', 'b'] as const).map((name) => takesSales(name).catch(() => false)))
      if (both.every(Boolean)) trial.wrong('both databases took sales at one time')
      await wait(500, undefined, { signal: over.signal }).catch(() => undefined)
    }
  })()
  return {
    async stop() {
      over.abort()
      await watching
    },
  }
}

async function openClient(url: string, withinMs = 30_000): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: withinMs })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

/** Acknowledged means there, refused means not there, unknown may be either; nothing is there twice, and each payment becomes its order. */
async function proveTrade(trial: Trial, { db, trade }: Shop) {
  const { rows } = await db.query<{ key: string; outcome: string; orders: number }>(
    `select key, outcome ->> 'outcome' as outcome, jsonb_array_length(coalesce(outcome -> 'orders', '[]')) as orders from idempotency_keys
     where key like 'checkout:%'`,
  )
  const kept = new Map(rows.map((row) => [row.key.replace('checkout:', ''), row]))
  const lost = trade.purchases.filter(({ key, outcome }) => outcome === 'acknowledged' && kept.get(key)?.outcome !== 'placed')
  if (lost.length > 0) trial.wrong(`${lost.length} acknowledged purchases are lost, ${lost[0]?.key} the first`)
  const made = trade.purchases.filter(({ key, outcome }) => outcome === 'refused' && kept.get(key)?.outcome === 'placed')
  if (made.length > 0) trial.wrong(`${made.length} refused purchases were made`)
  const placed = rows.filter(({ outcome }) => outcome === 'placed').reduce((total, { orders }) => total + Number(orders), 0)
  const { rows: bought } = await db.query<{ orders: number }>('select count(*) as orders from orders where payment_reference is null')
  trial.same('orders from wallets and what the keys say', bought[0]?.orders, placed)

  const settled = trade.payments.filter((payment) => payment.settled).map(({ reference }) => reference)
  const { rows: paid } = await db.query<{ reference: string; orders: number }>(
    'select payment_reference as reference, count(*) as orders from orders where payment_reference is not null group by 1',
  )
  const orders = new Map(paid.map((row) => [row.reference, row.orders]))
  const unpaid = settled.filter((reference) => orders.get(reference) !== 1)
  if (unpaid.length > 0) trial.wrong(`${unpaid.length} settled payments have no order, or two, ${unpaid[0]} the first`)
  for (const violation of await checkLedger(db)) trial.wrong(`${violation.rule}: ${violation.subject}: ${violation.detail}`)
  await proveRemaining(trial, db, trade)
}

/** Whoever paid and left is served all the same: the webhook or the loop that looks after open payments settles each. */
async function proveRemaining(trial: Trial, db: Db, { payments }: Trade) {
  const references = payments.map(({ reference }) => reference)
  const { rows: lost } = await db.query<{ payment: string }>(
    'select wanted.payment from unnest($1::text[]) as wanted (payment) where not exists (select from payments where reference = wanted.payment)',
    [references],
  )
  // Nobody would ever settle these, so they are not waited for.
  if (lost.length > 0) return trial.wrong(`${lost.length} card payments that were begun are lost, ${lost[0]?.payment} the first`)
  const left = async () => {
    const { rows } = await db.query<{ left: number }>(
      `select count(*) as left from unnest($1::text[]) as wanted (payment)
       where (select count(*) from orders where payment_reference = wanted.payment) <> 1`,
      [references],
    )
    return rows[0]?.left ?? 0
  }
  await until(async () => (await left()) === 0, 60_000).catch(async () =>
    trial.wrong(`${await left()} of ${references.length} card payments did not become one order each`),
  )
}

const other = (name: DatabaseMachine): DatabaseMachine => (name === 'a' ? 'b' : 'a')
