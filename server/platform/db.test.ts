import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../test/database.ts'
import { isDatabaseAway, openPool } from './db.ts'
import { createLog } from './log.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

test.each([
  ['a full disk', '53100', true],
  ['no memory left', '53200', true],
  ['a disk that fails', '58030', true],
  ['too many connections', '53300', true],
  ['a shutdown', '57P01', true],
  ['a standby, which only reads', '25006', true],
  ['a broken constraint', '23505', false],
  ['a statement that is wrong', '42601', false],
])('%s is recognised as the database being unavailable or not', async (_name, code, away) => {
  const error = await database.db
    .query(`do $$ begin raise exception 'no' using errcode = '${code}'; end $$`)
    .catch((thrown: unknown) => thrown)
  expect(isDatabaseAway(error)).toBe(away)
})

test('only a pool of what can be done again commits without waiting for the disk', async () => {
  const url = `${database.appUrl}${database.appUrl.includes('?') ? '&' : '?'}options=-c%20synchronous_commit%3Don`
  const read = async (isRepeatable: boolean) => {
    const pool = openPool({ url, size: 1, log: createLog('silent'), name: 'dwadi-test-commits', isRepeatable })
    const { rows } = await pool.query<{ setting: string }>(`select current_setting('synchronous_commit') as setting`)
    await pool.end()
    return rows[0]?.setting
  }
  expect([await read(false), await read(true)]).toEqual(['on', 'off'])
})
