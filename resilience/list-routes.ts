import { buildApp } from '../server/app.ts'
import { chooseOutside } from '../server/outside.ts'
import { readConfig } from '../server/platform/config.ts'
import { openPool } from '../server/platform/db.ts'
import { createLog } from '../server/platform/log.ts'
import { type Route, readRoutes } from '../test/read-routes.ts'

export type { Route }

/** Every route under /api, as the app lists them, so that a new one cannot be forgotten. */
export async function listRoutes(databaseUrl: string): Promise<Route[]> {
  const log = createLog('silent')
  const config = readConfig({ CARD: 'off', MAIL: 'off', SMS: 'off', SUPPLIER: 'off' })
  const db = openPool({ url: databaseUrl, size: 4, log, name: 'resilience-routes' })
  const jobsDb = openPool({ url: databaseUrl, size: 3, log, name: 'resilience-routes' })
  const outside = chooseOutside(config, () => 'http://shop.test', null, db)
  const app = await buildApp({
    db,
    jobsDb,
    log,
    shop: config.shop,
    now: () => new Date(),
    sharedDatabase: true,
    rateLimits: false,
    passwords: config.passwords,
    trustedProxies: 0,
    ...outside,
    timings: config.timings,
    webRoot: null,
  })
  await app.ready()
  const routes = readRoutes(app)
  await app.close()
  outside.close()
  await Promise.all([db.end(), jobsDb.end()])
  return routes
}
