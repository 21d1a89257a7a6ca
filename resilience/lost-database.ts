import { rm } from 'node:fs/promises'
import { startEmbeddedPostgres } from '../server/platform/embedded-postgres.ts'
import { createLog } from '../server/platform/log.ts'
import { type FaultProxy, openFaultProxy } from '../test/fault-proxy.ts'
import { callAt } from '../test/http-client.ts'
import { until } from '../test/until.ts'
import type { Trial } from './experiment.ts'
import { listDatabaseOf, makeFolder } from './leftovers.ts'
import { openShops, type Shop } from './shops.ts'

const log = createLog('silent')

export async function swallowReplies(trial: Trial) {
  let proxy: FaultProxy | undefined
  const shops = await openShops({ ...trial.opening, processes: 0 })
  proxy = await openFaultProxy(shops.databaseUrl)
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
        [second.status, second.headers['idempotency-replayed'], books.orders, books.pesewas],
        [200, 'true', 1, 9_450],
      )
    })
    trial.note(`${proxy.counts.cuts} replies swallowed`)
    for (const violation of await shops.prove()) trial.wrong(violation)
  } finally {
    await shops.close()
    await proxy.close()
  }
}

export async function loseDatabase(trial: Trial) {
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
      trial.within('saying so', performance.now() - since, 3_000)
      database = await startEmbeddedPostgres({ dataDir, log })
      const backAt = performance.now()
      await until(async () => (await shops.call('GET', '/product')).status === 200)
      backMs.push(performance.now() - backAt)
      const again = await Promise.all(keys.map((key) => shops.buy(buyer, [line], key)))
      trial.same('answers to the second try', [...new Set(again.map(({ status }) => status))], [200])
      trial.same('orders', (await shops.books(buyer.id)).orders - before.orders, keys.length)
      trial.same('the process', shop.program.process.exitCode, null)
    })
    trial.within('being healthy again', Math.max(...backMs), 2_000)
    trial.note(`healthy ${Math.max(...backMs).toFixed(0)} ms after the return`)
    for (const violation of await shops.prove()) trial.wrong(violation)
  } finally {
    await shops.close()
    await database.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

export async function hangDatabase(trial: Trial) {
  const dataDir = makeFolder('hung')
  const database = await startEmbeddedPostgres({ dataDir, log })
  const shops = await openShops({ ...trial.opening, processes: 1, databaseUrl: database.url(), env: { DATABASE_POOL_SIZE: '8' } })
  const [shop] = shops.all as [Shop]
  try {
    const person = await shops.makeUser()
    const figures: { told: number; back: number }[] = []
    await trial.repeat(async () => {
      const all = listDatabaseOf(dataDir)
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
    trial.within('saying so', told, 3_000)
    trial.within('being back', back, 2_000)
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
