import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { openTestDatabase } from '../test/database.ts'
import { buildApp } from './app.ts'
import { chooseOutside } from './outside.ts'
import { readConfig } from './platform/config.ts'
import { openPool } from './platform/db.ts'
import { createLog } from './platform/log.ts'

test('an app that cannot be built leaves nothing running', async () => {
  const database = await openTestDatabase()
  const log = createLog('silent')
  const config = readConfig({ JOB_TIMINGS: 'quick', CARD: 'off', MAIL: 'off', SMS: 'off', SUPPLIER: 'off' })
  const db = openPool({ url: database.appUrl, size: 4, log, name: 'dwadi-test-app' })
  const jobsDb = openPool({ url: database.appUrl, size: 3, log, name: 'dwadi-test-jobs' })
  const outside = chooseOutside(config, () => 'http://shop.test', null, db)
  const building = buildApp({
    ...{ db, jobsDb, log, shop: config.shop, now: () => new Date(), timings: config.timings, ...outside },
    ...{ sharedDatabase: true, rateLimits: false, passwords: config.passwords, trustedProxies: 0 },
    webRoot: join(import.meta.dirname, 'no-such-folder'),
  })
  await expect(building).rejects.toThrow('no-such-folder')
  const asked = [db, jobsDb].map((pool) => vi.spyOn(pool, 'connect'))
  // The relay alone would look ten times in this time.
  await wait(10 * config.timings.relayMs)
  expect(asked.map((spy) => spy.mock.calls.length)).toEqual([0, 0])
  outside.close()
  await Promise.all([db.end(), jobsDb.end()])
  await database.close()
})
