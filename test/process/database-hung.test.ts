/** @module-tag long */
import { readFileSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../server/platform/embedded-postgres.ts'
import { createLog } from '../../server/platform/log.ts'
import { copyDataFolder } from '../database.ts'
import { makeFolder } from '../make-folder.ts'
import { allow } from '../slowness.ts'
import { until } from '../until.ts'
import { closeShop, type OpenShop, openAccount, openShop, signInAsAdmin } from './open-shops.ts'

let dataDir: string
let database: EmbeddedPostgres
let shop: OpenShop
let buyer: { token: string }

beforeAll(async () => {
  dataDir = await makeFolder()
  await copyDataFolder(dataDir)
  database = await startEmbeddedPostgres({ dataDir, log: createLog('silent') })
  shop = await openShop({ DATABASE_URL: database.url(), DATABASE_POOL_SIZE: '8' })
  buyer = await openAccount(shop, { adminToken: await signInAsAdmin(shop), balance: 500 })
})
afterAll(async () => {
  await closeShop(shop)
  await database.stop()
  await rm(dataDir, { recursive: true, force: true })
})

test.runIf(process.platform === 'linux')(
  'a database that hangs: everyone is told within three seconds, and the shop sells within two of its return',
  async () => {
    const tookMs: { told: number; back: number }[] = []
    for (let round = 0; round < 3; round++) {
      const frozen = await clusterProcesses()
      expect(frozen.length).toBeGreaterThan(3)
      for (const pid of frozen) process.kill(pid, 'SIGSTOP')
      const askedAt = performance.now()
      // More than the pool has connections: some wait for the database, the others for a connection.
      const replies = await Promise.all(Array.from({ length: 30 }, () => statusOf('/api/order/allorders')))
      const told = performance.now() - askedAt
      expect(new Set(replies)).toEqual(new Set([503]))
      expect([await statusOf('/healthz'), await statusOf('/readyz')]).toEqual([200, 503])

      for (const pid of frozen) process.kill(pid, 'SIGCONT')
      const backAt = performance.now()
      await until(async () => (await statusOf('/api/order/allorders')) === 200)
      tookMs.push({ told, back: performance.now() - backAt })
    }
    expect(Math.max(...tookMs.map(({ told }) => told))).toBeLessThan(allow(3_000))
    expect(Math.max(...tookMs.map(({ back }) => back))).toBeLessThan(allow(2_000))
    // No connection was leaked: the pool's eight and the health check's, and none that waits for its death.
    await until(async () => (await countConnections()) <= 10)
  },
)

test('connections ended by the database, again and again: no request fails but those that were on them', async () => {
  const { pid } = shop.program.process
  for (let round = 0; round < 100; round++) {
    await onDatabase(`select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'dwadi%' and state = 'idle'`)
    if (round % 10 === 0) expect([200, 503]).toContain(await statusOf('/api/order/allorders'))
  }
  await until(async () => (await statusOf('/api/order/allorders')) === 200)
  expect([shop.program.process.pid, shop.program.process.exitCode]).toEqual([pid, null])
})

async function statusOf(path: string): Promise<number> {
  const reply = await fetch(`${shop.address}${path}`, { headers: { authorization: `Bearer ${buyer.token}` } })
  await reply.arrayBuffer()
  return reply.status
}

/** The database's own first process and its children; of this test's cluster alone. */
async function clusterProcesses(): Promise<number[]> {
  const postmaster = Number((await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0])
  expect(readFileSync(`/proc/${postmaster}/cmdline`, 'utf8')).toContain(dataDir)
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').trim().split(' ').map(Number)
  return [postmaster, ...children]
}

async function countConnections(): Promise<number> {
  const { rows } = await onDatabase(
    `select count(*)::int as count from pg_stat_activity where application_name like 'dwadi%' and application_name not like 'dwadi owner%'`,
  )
  return Number(rows[0].count)
}

async function onDatabase(statement: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: database.url(), application_name: 'test' })
  await client.connect()
  return client.query(statement).finally(() => client.end())
}
