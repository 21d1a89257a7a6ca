import { readdir, rm } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findRunningPostgres } from '../../server/platform/embedded-postgres.ts'
import { copyDataFolder, openTestDatabase } from '../database.ts'
import { makeFolder } from '../make-folder.ts'
import { runProgram } from './run-program.ts'

let dataDir: string
beforeAll(async () => {
  dataDir = await makeFolder()
})
afterAll(() => rm(dataDir, { recursive: true, force: true }))

test('ledger:check proves the books of an open shop and of a closed one, and leaves both as they were', async () => {
  await copyDataFolder(dataDir)
  const shop = runProgram('server/main.ts', { DATA_DIR: dataDir, PORT: '0', ADMIN_PASSWORD: 'a good password', LOG_LEVEL: 'warn' })
  await shop.prints(/is open at (\S+)/)
  const open = runProgram('tools/ledger-check.ts', { DATA_DIR: dataDir })
  expect([await open.ended(), open.output()]).toEqual([
    0,
    expect.stringMatching(/^The shop: .*\n(?: {2}\(by .*\n)?2 entries, 4 postings, 1 wallets: all balanced\n$/),
  ])
  expect(shop.process.exitCode).toBeNull()
  expect(await findRunningPostgres({ dataDir })).not.toBeNull()

  shop.process.kill('SIGTERM')
  expect(await shop.ended()).toBe(0)
  const closed = runProgram('tools/ledger-check.ts', { DATA_DIR: dataDir })
  expect([await closed.ended(), closed.output()]).toEqual([
    0,
    expect.stringMatching(/^The shop: .*\n(?: {2}\(by .*\n)?2 entries, 4 postings, 1 wallets: all balanced\n$/),
  ])
  expect(await findRunningPostgres({ dataDir })).toBeNull()
})

test('ledger:check ends with 1 and names the rule and the row', async () => {
  const database = await openTestDatabase()
  await database.db.query(
    `begin; set local session_replication_role = replica;
     insert into journal_entries (key, kind, created_at) values ('recharge:77', 'recharge', now()); commit`,
  )
  const check = runProgram('tools/ledger-check.ts', { DATABASE_URL: database.url })
  expect(await check.ended()).toBe(1)
  expect(check.output()).toMatch(
    /BROKEN {2}the postings of an entry sum to zero, and there are two or more\n +entry \d+ \(recharge:77\): 0 postings/,
  )
  await expect(database.close()).rejects.toThrow(/recharge:77/)
})

test('ledger:check on a folder without a database says so and makes none', async () => {
  const empty = await makeFolder()
  const check = runProgram('tools/ledger-check.ts', { DATA_DIR: empty })
  expect([await check.ended(), check.output()]).toEqual([
    1,
    expect.stringContaining(`The books could not be checked: There is no database in the data folder ${empty}.\n`),
  ])
  expect(await readdir(empty)).toEqual([])
  await rm(empty, { recursive: true })
})
