import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../test/database.ts'
import { isDatabaseAway } from './db.ts'

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
