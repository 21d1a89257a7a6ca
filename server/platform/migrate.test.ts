import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openEmptyDatabase, openTestDatabase, type TestDatabase } from '../../test/database.ts'
import { until } from '../../test/until.ts'
import { describeSchema } from '../../tools/describe-schema.ts'
import { createLog } from './log.ts'
import { listMigrations, MigrationError, migrate } from './migrate.ts'

const log = createLog('silent')
const ADDS = 'create table further (id bigint primary key);\nalter table orders add column further bigint;\n'
let database: TestDatabase
let client: pg.Client
let folder: string
let before: string

beforeEach(async () => {
  database = await openTestDatabase()
  client = await connect()
  before = await describeSchema(client)
  folder = await mkdtemp(join(tmpdir(), 'dwadi-migrations-'))
  await cp(resolve(import.meta.dirname, '../../db/migrations'), folder, { recursive: true })
})
afterEach(async () => {
  await client.end()
  await database.close()
  await rm(folder, { recursive: true, force: true })
})

async function connect(): Promise<pg.Client> {
  const one = new pg.Client({ connectionString: database.url, application_name: 'a long export' })
  await one.connect()
  return one
}

const write = (name: string, text: string) => writeFile(join(folder, `${name}.sql`), text)

/** The message of a migration that fails, once it is known that the database is as it was. */
async function failure(options: { lockWithinMs?: number } = {}): Promise<string> {
  const error = await migrate(database.url, log, { folder, ...options }).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(MigrationError)
  expect(await describeSchema(client)).toBe(before)
  expect(await namesOf9000()).toEqual([])
  return (error as MigrationError).message
}

async function namesOf9000(): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`select name from schema_migrations where name >= '9000' order by name`)
  return rows.map(({ name }) => name)
}

test('new migrations are done together, and a second start does nothing', async () => {
  await write('9000-adds', ADDS)
  await write('9001-adds', 'alter table further add column more bigint;')
  expect(await migrate(database.url, log, { folder })).toEqual(['9000-adds', '9001-adds'])
  expect(await migrate(database.url, log, { folder })).toEqual([])
  expect(await namesOf9000()).toEqual(['9000-adds', '9001-adds'])
})

test('the shop’s role may use at once what a migration has made', async () => {
  await client.query('create role another_shop')
  try {
    await client.query('grant select, insert, update on wallets to another_shop')
    await write('9000-adds', ADDS)
    await migrate(database.url, log, { folder })
    const { rows } = await client.query(`select has_table_privilege('another_shop', 'further', 'insert, update') as may`)
    expect(rows).toEqual([{ may: true }])
  } finally {
    await client.query('drop owned by another_shop; drop role another_shop')
  }
})

describe('what a migration has prepared beforehand', () => {
  const prepare = (name: string, text: string) => write(`prepare/${name}`, text)
  const constraint = async () =>
    (await client.query(`select convalidated as proved from pg_constraint where conname = 'orders_prepared'`)).rows as { proved: boolean }[]
  const ADD = `do $$ begin
  if exists (select from pg_constraint where conname = 'orders_prepared') then return; end if;
  set local lock_timeout = '50ms';
  alter table orders add constraint orders_prepared check (price_pesewas > 0) not valid;
end $$;`
  const PROVE = 'alter table orders validate constraint orders_prepared;'

  test('is there when it begins, and was done without its locks: each statement by itself, while others read', async () => {
    await prepare('9000-adds', `-- Two statements.\n${ADD}\n\nselect from no_such_table;\n`)
    await write('9000-adds', 'alter table orders drop constraint orders_prepared;')
    const error = await migrate(database.url, log, { folder }).catch((thrown: unknown) => thrown)
    expect((error as Error).message).toContain('at migration prepare/9000-adds: relation "no_such_table" does not exist.')
    expect((error as Error).message).toContain('What was prepared stays for the next start (docs/going-live.md')
    expect(await constraint()).toEqual([{ proved: false }])
    // Again, since it may stand half done; beside a long transaction, which it need not wait for.
    await prepare('9000-adds', `${ADD}\n\n${PROVE}\n`)
    const reader = await connect()
    await reader.query('begin')
    await reader.query('select from orders limit 1')
    const migrating = migrate(database.url, log, { folder })
    await until(async () => (await constraint())[0]?.proved === true)
    expect(await namesOf9000()).toEqual([])
    await reader.query('rollback')
    await reader.end()
    expect(await migrating).toEqual(['9000-adds'])
    expect(await constraint()).toEqual([])
    expect(await migrate(database.url, log, { folder })).toEqual([])
  })

  test('waits for a lock in short attempts, and says what holds it', async () => {
    await prepare('9000-adds', ADD)
    await write('9000-adds', ADDS)
    const reader = await connect()
    await reader.query('begin')
    await reader.query('select from orders limit 1')
    const error = await migrate(database.url, log, { folder, lockWithinMs: 1_500 }).catch((thrown: unknown) => thrown)
    expect((error as Error).message).toContain('at migration prepare/9000-adds: other work has held a table for too long.')
    expect((error as Error).message).toMatch(/process \d+ \(a long export, idle in transaction\) for \d+ s: orders/)
    await reader.query('rollback')
    await reader.end()
    expect(await constraint()).toEqual([])
    expect(await migrate(database.url, log, { folder })).toEqual(['9000-adds'])
    expect(await constraint()).toEqual([{ proved: false }])
  })

  test('is done once by two processes that start together, and no limit of the server’s ends it or the wait for it', async () => {
    await client.query('create sequence attempts')
    await client.query(`alter database ${pg.escapeIdentifier(client.database ?? '')} set statement_timeout = '400ms'`)
    await client.query(`alter database ${pg.escapeIdentifier(client.database ?? '')} set lock_timeout = '400ms'`)
    await prepare('9000-adds', `select nextval('attempts'), pg_sleep(1);`)
    await write('9000-adds', ADDS)
    const both = await Promise.all([1, 2].map(() => migrate(database.url, log, { folder })))
    expect(both.toSorted((one, other) => one.length - other.length)).toEqual([[], ['9000-adds']])
    expect((await client.query('select last_value::integer as attempts from attempts')).rows).toEqual([{ attempts: 1 }])
  })

  test('is not begun again once a person has cancelled it', async () => {
    await client.query('create sequence attempts')
    await prepare('9000-adds', `do $$ begin if nextval('attempts') = 1 then perform pg_sleep(600); end if; end $$;`)
    await write('9000-adds', ADDS)
    const migrating = migrate(database.url, log, { folder }).catch((thrown: unknown) => thrown)
    const cancel = `select pg_cancel_backend(pid) from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`
    await until(async () => (await client.query(cancel)).rowCount === 1)
    expect(((await migrating) as Error).message).toContain('at migration prepare/9000-adds: ')
    expect(await namesOf9000()).toEqual([])
  })

  test('belongs to what is pending, and not to an empty database', async () => {
    const empty = await openEmptyDatabase()
    await prepare('9000-adds', 'select from no_such_table;')
    await write('9000-adds', ADDS)
    await migrate(empty.url, log, { folder })
    await migrate(empty.url, log, { folder })
    await empty.close()
    await prepare('9001-adds', 'select from no_such_table;')
    await rm(join(folder, 'prepare/9000-adds.sql'))
    await write('9001-adds', 'select 1;')
    const upTo = (await listMigrations(folder)).indexOf('9001-adds')
    expect(await migrate(database.url, log, { folder, upTo })).toEqual(['9000-adds'])
    expect(await migrate(database.url, log, { folder, upTo })).toEqual([])
    await expect(migrate(database.url, log, { folder })).rejects.toThrow('at migration prepare/9001-adds')
  })
})

describe('a migration that fails leaves the database as it was, and says what to do', () => {
  test('after an error in its SQL', async () => {
    await write('9000-adds', ADDS)
    await write('9001-breaks', 'alter table orders add column later bigint;\ninsert into no_such_table values (1);\n')
    expect(await failure()).toBe(
      [
        'The database could not be brought to this version, at migration 9001-breaks: relation "no_such_table" does not exist.',
        'Nothing was changed: the database is as it was, and the version before goes on selling with it.',
        'Start the version before again (docs/going-live.md, "Upgrade", says how), and show this message to whoever made this version.',
      ].join('\n'),
    )
  })

  test('while a long transaction holds a table, which it names', async () => {
    await write('9000-adds', ADDS)
    const other = await connect()
    await other.query('begin')
    await other.query('select from orders limit 1')
    // Only what is at work for more than a second is named.
    const message = await failure({ lockWithinMs: 1_500 })
    expect(message).toContain('at migration 9000-adds: other work has held a table for too long.')
    expect(message).toMatch(/process \d+ \(a long export, idle in transaction\) for \d+ s: orders/)
    expect(message).toContain('Wait until a backup or a long export is done, or end what hangs')
    await other.query('rollback')
    await other.end()
    expect(await migrate(database.url, log, { folder })).toEqual(['9000-adds'])
  })

  test('when the connection is lost in the middle', async () => {
    await write('9000-adds', ADDS)
    await write('9001-ends', 'select pg_terminate_backend(pg_backend_pid());')
    const message = await failure()
    expect(message).toContain('at migration 9001-ends: ')
    expect(message).toContain('The connection to the database was lost. Once it is back, start this version again.')
  })

  test('when the disk is full', async () => {
    await write('9000-adds', ADDS)
    await write(
      '9001-fills',
      `do $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$;`,
    )
    expect(await failure()).toContain('The disk of the database is full. Make room, then start this version again.')
  })

  test('when its process is killed in the middle', async () => {
    await write('9000-adds', ADDS)
    await write('9001-hangs', 'select pg_sleep(600);')
    const program = `
      const { migrate } = await import(${JSON.stringify(resolve(import.meta.dirname, 'migrate.ts'))})
      const { createLog } = await import(${JSON.stringify(resolve(import.meta.dirname, 'log.ts'))})
      await migrate(${JSON.stringify(database.url)}, createLog('silent'), { folder: ${JSON.stringify(folder)} })`
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'ignore' })
    const ended = once(child, 'exit')
    const atWork = async () => (await client.query(`select from pg_stat_activity where query like 'select pg_sleep(600)%'`)).rowCount === 1
    await until(atWork)
    child.kill('SIGKILL')
    await ended
    // PostgreSQL looks for a lost connection only between statements.
    await client.query(`select pg_terminate_backend(pid) from pg_stat_activity where query like 'select pg_sleep(600)%'`)
    await until(async () => !(await atWork()))
    await until(async () => (await describeSchema(client)) === before)
    expect(await namesOf9000()).toEqual([])
    await rm(join(folder, '9001-hangs.sql'))
    expect(await migrate(database.url, log, { folder })).toEqual(['9000-adds'])
  })
})

test('a sale that holds one table and wants another is not ended by a deadlock with a migration', async () => {
  await write('9000-adds', ADDS)
  const sale = await connect()
  await sale.query('begin')
  // The migration gets wallets, which is older, and waits for this one; so the sale waits for the migration.
  await sale.query('lock table orders in row exclusive mode')
  const migrating = migrate(database.url, log, { folder })
  const holdsWallets = `select from pg_locks where relation = 'wallets'::regclass and mode = 'AccessExclusiveLock' and granted`
  await until(async () => (await client.query(holdsWallets)).rowCount === 1)
  await sale.query('lock table wallets in row exclusive mode')
  await sale.query('commit')
  await sale.end()
  expect(await migrating).toEqual(['9000-adds'])
})
