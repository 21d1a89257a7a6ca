import { rm } from 'node:fs/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../server/platform/embedded-postgres.ts'
import { createLog } from '../../server/platform/log.ts'
import { copyDataFolder } from '../database.ts'
import { LIVE_SETTINGS } from '../live-settings.ts'
import { makeFolder } from '../make-folder.ts'
import { until } from '../until.ts'
import { closeShop, openShop, signInAsAdmin } from './open-shops.ts'
import { runProgram } from './run-program.ts'

const LIVE = {
  ...LIVE_SETTINGS,
  PORT: '0',
  ADMIN_PASSWORD: 'a good password',
}

// A live shop refuses a database without fsync, like that of the tests.
let dataDir: string
let database: EmbeddedPostgres
beforeAll(async () => {
  dataDir = await makeFolder()
  await copyDataFolder(dataDir)
  database = await startEmbeddedPostgres({ dataDir, log: createLog('silent') })
})
afterAll(async () => {
  await database.stop()
  await rm(dataDir, { recursive: true, force: true })
})

describe('a database that may forget what it confirmed', () => {
  beforeAll(() => onDatabase(`do $$ begin execute format('alter database %I set synchronous_commit = off', current_database()); end $$`))
  afterAll(() => onDatabase(`do $$ begin execute format('alter database %I reset synchronous_commit', current_database()); end $$`))

  test('a live shop does not open on it, and says which setting is wrong', async () => {
    const program = runProgram('server/main.ts', { ...LIVE, DATABASE_URL: database.url() })
    expect(await program.ended()).toBe(1)
    expect(program.output()).toMatch(/may lose confirmed sales: synchronous_commit = off/)
    expect(program.output()).not.toMatch(/is open at/)
  })

  test('a sandbox opens on it with a warning', async () => {
    const shop = await openShop({ DATABASE_URL: database.url(), LOG_LEVEL: 'warn' })
    await closeShop(shop)
    expect(shop.program.output()).toMatch(/may lose confirmed sales: synchronous_commit = off/)
  })
})

describe('a database whose commits do not wait for its standby (synchronous_commit = local)', () => {
  const local = `do $$ begin execute format('alter database %I set synchronous_commit = local', current_database()); end $$`
  beforeAll(() => onDatabase(local))
  afterAll(() => onDatabase(`do $$ begin execute format('alter database %I reset synchronous_commit', current_database()); end $$`))

  test('a live shop opens on it while there is no standby', async () => {
    await closeShop(await openShop({ ...LIVE, RATE_LIMITS: 'on', DATABASE_URL: database.url() }))
  })

  test('a live shop does not open on it where there is one, and says which setting is wrong', async () => {
    // Named is enough: with `local` nothing waits for it, so none has to be there.
    await onDatabase(`alter system set synchronous_standby_names = 'another_machine'`)
    await onDatabase('select pg_reload_conf()')
    try {
      await until(async () => (await onDatabase('show synchronous_standby_names'))[0]?.synchronous_standby_names === 'another_machine')
      const program = runProgram('server/main.ts', { ...LIVE, DATABASE_URL: database.url() })
      expect(await program.ended()).toBe(1)
      expect(program.output()).toMatch(/may lose confirmed sales: synchronous_commit = local\. Turn these settings on/)
      expect(program.output()).not.toMatch(/is open at/)
    } finally {
      await onDatabase('alter system reset synchronous_standby_names')
      await onDatabase('select pg_reload_conf()')
      await until(async () => (await onDatabase('show synchronous_standby_names'))[0]?.synchronous_standby_names === '')
    }
  })
})

test('a live shop tells browsers to come by https only, names its public address, and has no sandbox', async () => {
  const program = runProgram('server/main.ts', { ...LIVE, DATABASE_URL: database.url(), LOG_LEVEL: 'info' })
  await program.prints(/is open at https:\/\/shop\.example/)
  const [, port] = await program.prints(/127\.0\.0\.1:(\d+)/)
  const address = `http://127.0.0.1:${port}`
  for (const path of ['/api/product', '/healthz', '/sandbox', '/api/no-such']) {
    const { headers } = await fetch(`${address}${path}`)
    expect([path, headers.get('strict-transport-security')]).toEqual([path, 'max-age=31536000'])
  }
  for (const path of ['/sandbox', '/api/sandbox/outbox']) expect([path, (await fetch(`${address}${path}`)).status]).toEqual([path, 404])
  program.process.kill('SIGTERM')
  expect(await program.ended()).toBe(0)
  // The sandbox's made-up result checkers are out of the stock, so that nobody buys one.
  await onDatabase(`do $$ begin assert not exists (select from checker_codes where taken_back_at is null) and exists (select from checker_imports);
    assert not exists (select from checker_packages) and not exists (select from checker_vault); end $$`)
})

test('a sandbox that others can reach shows its outbox to the admin who is signed in, and to nobody else', async () => {
  const closed = runProgram('server/main.ts', {
    HOST: '0.0.0.0',
    PUBLIC_URL: 'https://shop.example',
    DATABASE_URL: database.url(),
    PORT: '0',
  })
  expect(await closed.ended()).toBe(1)
  expect(closed.output()).toMatch(/ HOST: .*\n *PUBLIC_URL: /)
  expect(closed.output()).not.toMatch(/is open at/)

  const shop = await openShop({ DATABASE_URL: database.url(), HOST: '0.0.0.0', PUBLIC_SANDBOX: 'allow' })
  const look = (headers: Record<string, string> = {}) =>
    fetch(`${shop.address}/api/sandbox/outbox`, { headers }).then(({ status }) => status)
  const authorization = `Bearer ${await signInAsAdmin(shop)}`
  const visit = await fetch(`${shop.address}/api/sandbox/visit`, { method: 'POST', headers: { authorization } })
  const cookie = String(visit.headers.get('set-cookie')).split(';')[0]!
  expect([await look(), await look({ authorization }), await look({ cookie })]).toEqual([401, 200, 200])
  await fetch(`${shop.address}/api/user/logout`, { method: 'POST', headers: { authorization } })
  expect([await look({ authorization }), await look({ cookie })]).toEqual([401, 401])
  await closeShop(shop)
})

async function onDatabase(statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: database.url() })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows
  } finally {
    await client.end()
  }
}
