import { type App, buildApp } from '../server/app.ts'
import { ensureSampleCatalogue } from '../server/features/products/sample-catalogue.ts'
import { readConfig } from '../server/platform/config.ts'
import { createLog } from '../server/platform/log.ts'
import { openTestDatabase, type TestDatabase } from './database.ts'

/** The clock of a test: it stands still until the test moves it. */
export type Clock = { now: Date; advance(ms: number): void }

export type TestShop = {
  app: App
  database: TestDatabase
  clock: Clock
  close(): Promise<void>
}

/** The real app on a database of its own with the sample catalogue; `call` it through `app.inject`. */
export async function openTestShop({ rateLimits = false } = {}): Promise<TestShop> {
  const database = await openTestDatabase()
  const clock: Clock = {
    now: new Date('2026-11-21T12:00:00Z'),
    advance(ms) {
      clock.now = new Date(clock.now.getTime() + ms)
    },
  }
  await ensureSampleCatalogue(database.db, clock.now)
  const app = await buildApp({
    db: database.db,
    log: createLog('silent'),
    shop: readConfig({}).shop,
    now: () => clock.now,
    sharedDatabase: false,
    rateLimits,
    trustedProxies: 0,
    webRoot: null,
  })
  await app.ready()
  return {
    app,
    database,
    clock,
    async close() {
      await app.close()
      await database.close()
    },
  }
}
