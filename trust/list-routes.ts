import { buildApp } from '../server/app.ts'
import { chooseOutside } from '../server/outside.ts'
import { readConfig } from '../server/platform/config.ts'
import { openPool } from '../server/platform/db.ts'
import { createLog } from '../server/platform/log.ts'

export type Route = { method: string; path: string }

/** Every route under /api as the app itself lists them, so that a new one cannot be forgotten here. */
export async function listRoutes(databaseUrl: string): Promise<Route[]> {
  const log = createLog('silent')
  const config = readConfig({ CARD: 'off', MAIL: 'off', SMS: 'off', SUPPLIER: 'off' })
  const db = openPool({ url: databaseUrl, size: 4, log, name: 'trust-routes' })
  const jobsDb = openPool({ url: databaseUrl, size: 3, log, name: 'trust-routes' })
  const outside = chooseOutside(config, () => 'http://shop.test', null, db)
  const app = await buildApp({
    db,
    jobsDb,
    log,
    shop: config.shop,
    now: () => new Date(),
    sharedDatabase: true,
    rateLimits: false,
    trustedProxies: 0,
    ...outside,
    pace: config.pace,
    webRoot: null,
  })
  await app.ready()
  const tree = app.printRoutes({ commonPrefix: false, includeHooks: false })
  await app.close()
  outside.close()
  await Promise.all([db.end(), jobsDb.end()])
  return readTree(tree).filter(({ path }) => path.startsWith('/api/') && !path.startsWith('/api/docs'))
}

/** The printed tree has one line per node, four characters of indent per level, and the verbs in brackets. */
function readTree(tree: string): Route[] {
  const above: string[] = []
  const routes: Route[] = []
  for (const line of tree.split('\n')) {
    const match = /^((?:[│ ] {3})*)[├└]── (\S+)(?: \(([A-Z, -]+)\))?/.exec(line)
    if (!match) continue
    const depth = (match[1] as string).length / 4
    above.length = depth
    const path = `${above.join('')}${match[2]}`
    above.push(match[2] as string)
    for (const method of match[3]?.split(', ') ?? []) routes.push({ method, path })
  }
  return routes
}
