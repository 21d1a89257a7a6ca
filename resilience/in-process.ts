import type { InjectOptions } from 'fastify'
import { openSandbox, type Sandbox } from '../sandbox/open-sandbox.ts'
import { type App, buildApp } from '../server/app.ts'
import { ensureSampleCatalogue } from '../server/features/catalogue/products/ensure-sample-catalogue.ts'
import { checkLedger } from '../server/ledger/check-ledger.ts'
import { chooseOutside } from '../server/outside.ts'
import { readConfig } from '../server/platform/config.ts'
import { type Db, openPool } from '../server/platform/db.ts'
import { startEmbeddedPostgres } from '../server/platform/embedded-postgres.ts'
import { installJobQueue } from '../server/platform/job-queue.ts'
import { createLog } from '../server/platform/log.ts'
import { migrate } from '../server/platform/migrate.ts'
import type { HttpReply } from '../test/http-client.ts'
import { makeFolder } from './leftovers.ts'
import { type Asked, makeUser, type Person } from './shops.ts'

export type InProcessShop = {
  db: Db
  card: Sandbox['cardProvider']
  admin: Person
  call<T = Record<string, unknown>>(method: string, path: string, asked?: Asked): Promise<HttpReply<T>>
  /** Closes the app and builds it anew on the same database, as a restart does. */
  restart(): Promise<void>
  prove(): Promise<string[]>
  close(): Promise<void>
}

/**
 * The real app on a database of its own, in this process and without a network, so that hundreds of thousands of calls
 * take minutes. Its clock goes on by a millisecond with each look, and so the shop's own looking after payments, which
 * no model could foretell, never comes due.
 */
export async function openInProcessShop(spoil?: (db: Db) => Promise<void>): Promise<InProcessShop> {
  const log = createLog('silent')
  const folder = makeFolder('model', { inMemory: true })
  const postgres = await startEmbeddedPostgres({ dataDir: folder, log })
  await migrate(postgres.url(), log)
  const db = openPool({ url: postgres.url(), size: 6, log, name: 'dwadi' })
  const jobsDb = openPool({ url: postgres.url(), size: 3, log, name: 'dwadi-jobs' })
  await installJobQueue(db)
  let clock = Date.now()
  const now = () => new Date(clock++)
  await ensureSampleCatalogue(db, now())
  await spoil?.(db)
  // Nothing listens there: the provider's notices are lost, and only who asks learns that a payment was made.
  const sandbox = await openSandbox({ dataDir: folder, shopUrl: () => 'http://127.0.0.1:1', log, webhookRetryDelaysMs: [] })
  const config = readConfig({ SUPPLIER: 'off', SMS: 'off', MAIL: 'off' })
  const outside = chooseOutside(config, () => 'http://shop.test', sandbox, db)
  const build = () =>
    buildApp({
      db,
      jobsDb,
      log,
      shop: config.shop,
      now,
      sharedDatabase: false,
      rateLimits: false,
      passwords: config.passwords,
      trustedProxies: 0,
      ...outside,
      timings: config.timings,
      webRoot: null,
    })
  let app: App = await build()
  await app.ready()
  const admin = await makeUser(db, 'none', { level: 'Admin' })

  return {
    db,
    card: sandbox.cardProvider,
    admin,
    async call<T>(method: string, path: string, { as, body, headers = {} }: Asked = {}) {
      const options: InjectOptions = {
        method: method as NonNullable<InjectOptions['method']>,
        url: `/api${path}`,
        headers: { ...headers, ...(as ? { authorization: `Bearer ${as.token}` } : {}) },
      }
      if (body !== undefined) options.payload = body as NonNullable<InjectOptions['payload']>
      const reply = await app.inject(options)
      const isJson = String(reply.headers['content-type'] ?? '').includes('application/json')
      return {
        status: reply.statusCode,
        body: (isJson ? reply.json() : {}) as T,
        headers: reply.headers as HttpReply['headers'],
        text: reply.body,
        tookMs: 0,
      }
    },
    async restart() {
      await app.close()
      app = await build()
      await app.ready()
    },
    prove: async () => (await checkLedger(db)).map(({ rule, subject, detail }) => `${rule}: ${subject}: ${detail}`),
    async close() {
      await app.close()
      outside.close()
      await Promise.all([db.end(), jobsDb.end()])
      await sandbox.close()
      await postgres.stop()
    },
  }
}
