import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestShop, type TestShop } from '../../test/app.ts'
import { call, makeUser } from '../../test/builders.ts'
import { openEmptyDatabase, openTestDatabase, type TestDatabase } from '../../test/database.ts'
import { makeFolder } from '../../test/make-folder.ts'
import { APP_ROLE } from '../../test/template-databases.ts'
import { until } from '../../test/until.ts'
import { letAppIn } from './app-role.ts'
import { writeBackup } from './backup.ts'
import type { Queryable } from './db.ts'
import { createLog } from './log.ts'
import { listMigrations, migrate } from './migrate.ts'
import { objectsOf, readSqlRelease, replaySql } from './replay-sql.ts'
import { restoreBackup } from './restore.ts'

const log = createLog('silent')
const MIGRATIONS = resolve(import.meta.dirname, '../../db/migrations')
const POSTINGS = '0124-ranges-of-postings'
const NOTE = `insert into admin_actions (action, subject_type, subject_id, note, created_at) values ('order.rejected', 'order', 'one', $1, now()) returning id::integer`

/** Without the triggers of tables that are younger than the database. */
async function readReleaseFor(client: pg.Client) {
  const { release, files } = await readSqlRelease()
  const { rows } = await client.query<{ name: string }>("select relname as name from pg_class where relkind in ('r', 'p')")
  const tables = new Set(rows.map(({ name }) => name))
  const isYounger = (object: string) => object.startsWith('trigger ') && !tables.has(object.replace(/^.* on /, ''))
  return { release, files: files.filter((file) => !objectsOf(file).some(isYounger)) }
}

describe('a shop from before there were ranges', () => {
  let empty: Awaited<ReturnType<typeof openEmptyDatabase>>
  let client: pg.Client
  beforeAll(async () => {
    empty = await openEmptyDatabase()
    await migrate(empty.url, log, { upTo: (await listMigrations()).indexOf('0123-ranges-of-numbers') })
    client = new pg.Client({ connectionString: empty.url })
    await client.connect()
    await replaySql(client, await readReleaseFor(client))
    await client.query(`insert into admin_actions (id, action, subject_type, subject_id, note, created_at) overriding system value
      select n, 'order.rejected', 'order', 'one', 'note ' || n, now() from unnest('{1, 3999999, 4000000, 5000001}'::bigint[]) n`)
    await client.query(`select setval(pg_get_serial_sequence('admin_actions', 'id'), 5000001)`)
    await client.query(`insert into order_search (seq, words) values (1, 'kofi'), (9000000, 'ama')`)
    await migrate(empty.url, log)
  })
  afterAll(async () => {
    await client.end()
    await empty.close()
  })

  test('keeps all its rows, in a first range that ends after the newest', async () => {
    expect(await listRanges(client)).toEqual([
      'admin_actions_1 FROM (MINVALUE) TO (8000000)',
      'admin_actions_2 FROM (8000000) TO (12000000)',
      'admin_actions_3 FROM (12000000) TO (16000000)',
      'order_search_1 FROM (MINVALUE) TO (12000000)',
      'order_search_2 FROM (12000000) TO (16000000)',
      'order_search_3 FROM (16000000) TO (20000000)',
      'postings_1 FROM (MINVALUE) TO (8000000)',
      'postings_2 FROM (8000000) TO (12000000)',
      'postings_3 FROM (12000000) TO (16000000)',
    ])
    const { rows } = await client.query('select string_agg(note, $1 order by id) as notes from admin_actions', [', '])
    expect(rows).toEqual([{ notes: 'note 1, note 3999999, note 4000000, note 5000001' }])
    expect((await client.query(`select seq::integer from order_search where words ilike '%ama%'`)).rows).toEqual([{ seq: 9_000_000 }])
  })

  test('goes on with its numbers, counts what is new, and refuses changes of what is old', async () => {
    const { rows: before } = await client.query(`select rows from list_counts where list = 'admin_actions'`)
    expect((await client.query(NOTE, ['new'])).rows).toEqual([{ id: 5_000_002 }])
    const { rows: after } = await client.query(`select rows from list_counts where list = 'admin_actions'`)
    expect(Number(after[0].rows)).toBe(Number(before[0].rows) + 1)
    const refused = { code: 'DW001', message: expect.stringContaining('admin_actions is append-only') }
    await expect(client.query(`update admin_actions set note = 'never' where id = 1`)).rejects.toMatchObject(refused)
    await expect(client.query('delete from admin_actions_1 where id = 1')).rejects.toMatchObject(refused)
    await expect(client.query('truncate admin_actions')).rejects.toMatchObject(refused)
  })

  test('comes back from a backup with a first range as large as it was', async () => {
    await comesBack(empty.url)
  })

  test('every statement finds its rows by the index of a range, as before', async () => {
    const { rows } = await client.query(
      `select i.indexrelid::regclass::text as name, i.indisvalid as valid, count(h.inhrelid)::integer as ranges
       from pg_index i left join pg_inherits h on h.inhparent = i.indexrelid
       where i.indrelid = any ('{admin_actions, order_search}'::regclass[]) group by 1, 2 order by 1`,
    )
    expect(rows).toEqual(
      ['action', 'actor', 'created', 'note', 'pkey', 'subject']
        .map((name) => ({ name: `admin_actions_${name}`, valid: true, ranges: 3 }))
        .concat(['pkey', 'words'].map((name) => ({ name: `order_search_${name}`, valid: true, ranges: 3 }))),
    )
  })
})

/** Two lines, of which the house's accounts 6 and 4 have one each, as an entry of its own transaction. */
const entryOf = (id: number, lines = `(${id}, 1, 6, 500), (${id}, 2, 4, -500)`) => `begin;
  insert into journal_entries (id, key, kind, created_at) overriding system value values (${id}, 'admin-credit:${id}', 'admin-credit', now());
  insert into postings (entry_id, line, account_id, amount_pesewas) values ${lines};
  insert into account_deltas (account_id, pesewas, day, kind)
  select account_id, amount_pesewas, (now() at time zone 'UTC')::date, 'admin-credit' from postings where entry_id = ${id}; commit`

describe('the postings of a shop from before their ranges', () => {
  let empty: Awaited<ReturnType<typeof openEmptyDatabase>>
  let client: pg.Client
  let app: pg.Client
  let folder: string
  let notices: string[] = []
  beforeAll(async () => {
    folder = await makeFolder()
    await cp(MIGRATIONS, join(folder, 'migrations'), { recursive: true })
    empty = await openEmptyDatabase()
    await migrate(empty.url, log, { upTo: (await listMigrations()).indexOf(POSTINGS) })
    client = new pg.Client({ connectionString: empty.url })
    client.on('notice', ({ message }) => notices.push(message ?? ''))
    await client.connect()
    await replaySql(client, await readReleaseFor(client))
    const { url } = await letAppIn({ ownerUrl: empty.url, role: APP_ROLE })
    app = new pg.Client({ connectionString: url })
    await app.connect()
    for (const id of [1, 3_999_999, 4_000_000, 5_000_001]) await client.query(entryOf(id))
    await client.query(`select setval(pg_get_serial_sequence('journal_entries', 'id'), 5000001)`)
    await writeBackup({ url: empty.url, file: join(folder, 'before.zst') })
  })
  beforeEach(() => {
    notices = []
  })
  afterAll(async () => {
    await client.end()
    await app.end()
    await empty.close()
    await rm(folder, { recursive: true, force: true })
  })

  const bound = async () =>
    (await client.query(`select pg_get_constraintdef(oid) as text from pg_constraint where conname = 'postings_first_range'`)).rows[0]?.text
  const inARange = async () => (await client.query(`select from pg_class where relname like 'postings%' and relispartition`)).rowCount
  /** The migration up to here, without a trace; returns whether it had to read all postings. */
  const readsThemAll = async () => {
    await client.query('begin; set local client_min_messages = debug1')
    await client.query(await readFile(join(MIGRATIONS, `${POSTINGS}.sql`), 'utf8'))
    await client.query('rollback')
    return !notices.includes('partition constraint for table "postings_1" is implied by existing constraints')
  }
  async function failAfterPreparing() {
    await writeFile(join(folder, 'migrations/9000-breaks.sql'), 'insert into no_such_table values (1);')
    await expect(migrate(empty.url, log, { folder: join(folder, 'migrations') })).rejects.toThrow('9000-breaks')
  }

  test('are in one table after a migration that failed, with room for four to eight million entries, and guarded as before', async () => {
    expect(await readsThemAll()).toBe(true)
    await failAfterPreparing()
    expect([await inARange(), await bound()]).toEqual([0, "CHECK ((entry_id < '12000000'::bigint))"])
    await client.query(entryOf(5_000_002))
    await expect(client.query(entryOf(5_000_003, '(5000003, 1, 6, 500), (5000003, 2, 4, -501)'))).rejects.toMatchObject({ code: 'DW003' })
    await client.query('rollback')
    await expect(app.query('update postings set line = 3')).rejects.toMatchObject({ code: '42501' })
    await failAfterPreparing()
    expect(await bound()).toBe("CHECK ((entry_id < '12000000'::bigint))")
  })

  test('are not read again by the migration, which needs no lock for long', async () => {
    expect(await readsThemAll()).toBe(false)
  })

  test('have their bound moved by a later start once little of that room is left', async () => {
    await client.query(entryOf(9_999_999))
    await failAfterPreparing()
    expect(await bound()).toBe("CHECK ((entry_id < '12000000'::bigint))")
    await client.query(entryOf(10_000_001))
    await failAfterPreparing()
    expect([await bound(), await readsThemAll()]).toEqual(["CHECK ((entry_id < '16000000'::bigint))", false])
    await client.query(`select setval(pg_get_serial_sequence('journal_entries', 'id'), 10000001)`)
  })

  test('are sold on beside a preparation that waits for a sale: others wait for it a moment only', async () => {
    await client.query('alter table postings drop constraint postings_first_range')
    const sale = new pg.Client({ connectionString: empty.url })
    await sale.connect()
    await sale.query('begin; lock table postings in row exclusive mode')
    const failing = failAfterPreparing()
    const isWaiting = `select from pg_locks where relation = 'postings'::regclass and mode = 'AccessExclusiveLock' and not granted`
    for (let count = 0; count < 5; count++) {
      await until(async () => (await client.query(isWaiting)).rowCount === 1)
      await client.query(`begin; set local lock_timeout = '1s'; lock table postings in row exclusive mode; commit`)
    }
    await sale.query('rollback')
    await sale.end()
    await failing
    expect(await bound()).toBe("CHECK ((entry_id < '16000000'::bigint))")
  })

  test('are bounded without being read, and proved afterwards', async () => {
    const isProved = async () =>
      (await client.query(`select convalidated as proved from pg_constraint where conname = 'postings_first_range'`)).rows[0]?.proved
    const statements = (await readFile(join(MIGRATIONS, `prepare/${POSTINGS}.sql`), 'utf8')).split('\n\n')
    await client.query('alter table postings drop constraint postings_first_range')
    const proved: boolean[] = []
    for (const statement of statements) {
      await client.query(statement)
      proved.push(await isProved())
    }
    expect(proved).toEqual([false, true])
  })

  test('may be given any number that the next entries have, however far it is above the newest of them', async () => {
    const { rows } = await client.query(`select pg_sequence_last_value(pg_get_serial_sequence('journal_entries', 'id'))::integer as newest`)
    const sell = () =>
      client.query(`select post_entry('admin-credit:far', 'admin-credit', '', null, '{6, 4}', '{7, -7}', now())::integer as id`)
    await client.query(`select setval(pg_get_serial_sequence('journal_entries', 'id'), 29999999)`)
    await failAfterPreparing()
    await client.query('begin')
    expect((await sell()).rows).toEqual([{ id: 30_000_000 }])
    await client.query('rollback; begin; alter table postings drop constraint postings_first_range')
    await client.query(await readFile(join(MIGRATIONS, `${POSTINGS}.sql`), 'utf8'))
    expect((await sell()).rows).toEqual([{ id: 30_000_001 }])
    await client.query('rollback; alter table postings drop constraint postings_first_range')
    await client.query(`select setval(pg_get_serial_sequence('journal_entries', 'id'), $1)`, [rows[0].newest])
    await failAfterPreparing()
    expect(await bound()).toBe("CHECK ((entry_id < '16000000'::bigint))")
  })

  test('become the first range, up to that bound, with the keys that they had', async () => {
    await migrate(empty.url, log)
    expect((await listRanges(client)).filter((range) => range.startsWith('postings'))).toEqual([
      'postings_1 FROM (MINVALUE) TO (16000000)',
      'postings_2 FROM (16000000) TO (20000000)',
      'postings_3 FROM (20000000) TO (24000000)',
    ])
    expect(await bound()).toBeUndefined()
    const { rows } = await client.query(`select entry_id::integer as id, count(*)::integer as lines from postings group by 1 order by 1`)
    expect(rows).toEqual([1, 3_999_999, 4_000_000, 5_000_001, 5_000_002, 9_999_999, 10_000_001].map((id) => ({ id, lines: 2 })))
    const { rows: keys } = await client.query(
      `select conrelid::regclass::text as range, count(*)::integer from pg_constraint
       where contype = 'f' and convalidated and conrelid::regclass::text like 'postings%' group by 1 order by 1`,
    )
    expect(keys).toEqual(['postings', 'postings_1', 'postings_2', 'postings_3'].map((range) => ({ range, count: 2 })))
    const { rows: indexes } = await client.query(
      `select i.indexrelid::regclass::text as name, i.indisvalid as valid, count(h.inhrelid)::integer as ranges
       from pg_index i left join pg_inherits h on h.inhparent = i.indexrelid where i.indrelid = 'postings'::regclass group by 1, 2 order by 1`,
    )
    expect(indexes).toEqual(['postings_account', 'postings_pkey'].map((name) => ({ name, valid: true, ranges: 3 })))
  })

  describe.each([
    ['what is old', 'postings_1', 10_000_001, 10_000_002],
    ['a new range', 'postings_2', 16_000_000, 16_000_001],
  ])('guard %s as before:', (_, range, there, next) => {
    beforeAll(async () => {
      if (range === 'postings_2') await client.query(entryOf(there))
    })
    afterEach(() => client.query('rollback'))

    test.each([
      ['an update', `update postings set amount_pesewas = 1 where entry_id = ${there}`, 'DW001'],
      ['a deletion in the range by itself', `delete from ${range} where entry_id = ${there}`, 'DW001'],
      ['the whole being emptied', 'truncate postings', 'DW001'],
      ['an entry that does not balance', entryOf(next, `(${next}, 1, 6, 500), (${next}, 2, 4, -501)`), 'DW003'],
      ['an entry of one line', entryOf(next, `(${next}, 1, 6, 500)`), 'DW003'],
      ['a line of an entry that was committed', `insert into postings values (${there}, 3, 6, 1)`, 'DW002'],
      ['two lines of one number', entryOf(next, `(${next}, 1, 6, 500), (${next}, 1, 4, -500)`), '23505'],
      ['a line of no entry', `insert into postings values (${next}, 1, 6, 1)`, '23503'],
      ['an account that is not there', entryOf(next, `(${next}, 1, 998, 500), (${next}, 2, 4, -500)`), '23503'],
      ['a line that moves nothing', entryOf(next, `(${next}, 1, 6, 0), (${next}, 2, 4, 0)`), '23514'],
      ['a wallet’s line without its balance', entryOf(next, `(${next}, 1, 1000, 500), (${next}, 2, 4, -500)`), '23514'],
    ])('%s is refused', async (_what, statement, code) => {
      await expect(client.query(statement)).rejects.toMatchObject({ code })
    })

    test('the shop’s role may add to the whole, and do nothing with the range by itself', async () => {
      for (const statement of [
        `select from ${range}`,
        `insert into ${range} values (${there}, 3, 6, 1)`,
        `update ${range} set line = 3`,
        `delete from ${range}`,
        `truncate ${range}`,
        'truncate postings',
      ])
        await expect(app.query(statement)).rejects.toMatchObject({ code: '42501' })
      await client.query(`select setval(pg_get_serial_sequence('journal_entries', 'id'), ${next + 9})`)
      const { rows } = await app.query(
        `select post_entry('admin-credit:by-${range}', 'admin-credit', '', null, '{6, 4}', '{7, -7}', now())::integer as id`,
      )
      expect(rows).toEqual([{ id: next + 10 }])
      expect((await client.query(`select from ${range} where entry_id = ${next + 10}`)).rowCount).toBe(2)
    })
  })

  test('come back from a backup, also from one that was made before', async () => {
    await comesBack(empty.url)
    const restored = await openEmptyDatabase()
    await restoreBackup({ url: restored.url, file: join(folder, 'before.zst'), log })
    const after = new pg.Client({ connectionString: restored.url })
    await after.connect()
    expect((await listRanges(after)).filter((range) => range.startsWith('postings'))).toEqual([
      'postings_1 FROM (MINVALUE) TO (12000000)',
      'postings_2 FROM (12000000) TO (16000000)',
      'postings_3 FROM (16000000) TO (20000000)',
    ])
    expect((await after.query('select max(entry_id)::integer as newest, count(*)::integer from postings')).rows).toEqual([
      { newest: 5_000_001, count: 8 },
    ])
    await expect(after.query('delete from postings')).rejects.toMatchObject({ code: 'DW001' })
    await after.end()
    await restored.close()
  })

  test('come back from that backup too when it was begun before and interrupted', async () => {
    const restored = await openEmptyDatabase()
    const begun = new pg.Client({ connectionString: restored.url })
    await begun.connect()
    await begun.query('create table restore_unfinished (since timestamptz not null default now())')
    await migrate(restored.url, log, { upTo: (await listMigrations()).indexOf(POSTINGS) })
    const { migratedOn } = await restoreBackup({ url: restored.url, file: join(folder, 'before.zst'), log })
    expect(migratedOn[0]).toBe(POSTINGS)
    expect((await begun.query('select count(*)::integer from postings')).rows).toEqual([{ count: 8 }])
    await begun.end()
    await restored.close()
  })

  test('don’t come back into the tables of a newer version, which an interrupted restore has left', async () => {
    const newer = await openEmptyDatabase()
    const begun = new pg.Client({ connectionString: newer.url })
    await begun.connect()
    await begun.query('create table restore_unfinished (since timestamptz not null default now())')
    await migrate(newer.url, log)
    const restoring = restoreBackup({ url: newer.url, file: join(folder, 'before.zst'), log })
    await expect(restoring).rejects.toThrow(`a newer version than the backup (${POSTINGS})`)
    expect((await begun.query('select from postings')).rowCount).toBe(0)
    await begun.end()
    await newer.close()
  })

  test('need not be prepared: then the first range ends after the newest entry', async () => {
    const other = await openEmptyDatabase()
    await migrate(other.url, log, { upTo: (await listMigrations()).indexOf(POSTINGS) })
    const shop = new pg.Client({ connectionString: other.url })
    await shop.connect()
    await shop.query(entryOf(5_000_001))
    await rm(join(folder, `migrations/prepare/${POSTINGS}.sql`))
    await rm(join(folder, 'migrations/9000-breaks.sql'))
    await migrate(other.url, log, { folder: join(folder, 'migrations') })
    expect((await listRanges(shop)).filter((range) => range.startsWith('postings'))).toEqual([
      'postings_1 FROM (MINVALUE) TO (8000000)',
      'postings_2 FROM (8000000) TO (12000000)',
      'postings_3 FROM (12000000) TO (16000000)',
    ])
    expect((await shop.query('select entry_id::integer as id from postings')).rows).toEqual([{ id: 5_000_001 }, { id: 5_000_001 }])
    await shop.end()
    await other.close()
  })
})

describe('the next range', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await openTestDatabase()
    await setNumber(database.db, 3_999_998)
  })
  afterAll(() => database.close())

  test('is made by the shop’s own role, which may otherwise make no table and has no rights to a range by itself', async () => {
    const app = new pg.Client({ connectionString: database.appUrl })
    await app.connect()
    try {
      expect((await app.query('select make_partitions() as made')).rows).toEqual([{ made: 0 }])
      const ids: number[] = []
      for (let count = 0; count < 3; count++) ids.push((await app.query(NOTE, ['at the edge'])).rows[0].id)
      expect(ids).toEqual([3_999_999, 4_000_000, 4_000_001])
      expect((await app.query('select make_partitions() as made')).rows).toEqual([{ made: 1 }])
      expect((await app.query('select make_partitions() as made')).rows).toEqual([{ made: 0 }])
      for (const statement of ['select from admin_actions_1', 'select from admin_actions_4', 'create table admin_actions_5 (id bigint)'])
        await expect(app.query(statement)).rejects.toMatchObject({ code: '42501' })
    } finally {
      await app.end()
    }
    const { rows } = await database.db.query(
      'select tableoid::regclass::text as range, count(*)::integer from admin_actions group by 1 order by 1',
    )
    expect(rows).toEqual([
      { range: 'admin_actions_1', count: 1 },
      { range: 'admin_actions_2', count: 2 },
    ])
    expect(await listRanges(database.db)).toContain('admin_actions_4 FROM (12000000) TO (16000000)')
  })

  test('waits for a later call while somebody holds the table, and is made once by two at the same time', async () => {
    await setNumber(database.db, 12_000_000)
    const holder = await database.db.connect()
    await holder.query('begin; lock table admin_actions in share update exclusive mode')
    expect((await database.db.query('select make_partitions() as made')).rows).toEqual([{ made: 0 }])
    await holder.query('rollback')
    holder.release()
    const both = await Promise.all([1, 2].map(() => database.db.query<{ made: number }>('select make_partitions() as made')))
    expect(both.map(({ rows }) => rows[0]?.made).sort()).toEqual([0, 1])
  })

  test('takes whoever was away for long up to where the numbers are', async () => {
    await setNumber(database.db, 40_000_001)
    await database.db.query('select make_partitions()')
    await database.db.query(NOTE, ['long after'])
    expect((await listRanges(database.db)).filter((range) => range.startsWith('admin')).at(-1)).toBe(
      'admin_actions_13 FROM (48000000) TO (52000000)',
    )
  })

  test('of the postings waits for a sale that is under way, and takes the ones after it', async () => {
    const { db } = database
    await db.query(`select setval(pg_get_serial_sequence('journal_entries', 'id'), 4000000)`)
    const app = new pg.Client({ connectionString: database.appUrl })
    await app.connect()
    const post = (key: string) =>
      app.query(`select post_entry($1, 'admin-credit', '', null, '{6, 4}', '{5, -5}', now())::integer as id`, [`admin-credit:${key}`])
    await app.query('begin')
    expect((await post('one')).rows).toEqual([{ id: 4_000_001 }])
    expect((await db.query('select make_partitions() as made')).rows).toEqual([{ made: 0 }])
    await app.query('commit')
    // One that posts and then opens a wallet waits for what has locked the accounts and waits for the entries: the range is given up before
    // anybody looks for a deadlock.
    await app.query('begin; lock table journal_entries in row exclusive mode')
    const making = db.query('select make_partitions() as made')
    const waits = `select from pg_locks where not granted and pid in (
      select pid from pg_stat_activity where datname = current_database() and query like 'select make_partitions%')`
    await until(async () => (await db.query(waits)).rowCount === 1)
    const posting = app.query('lock table accounts in row exclusive mode')
    expect((await making).rows).toEqual([{ made: 0 }])
    await posting
    await app.query('commit')
    expect((await app.query('select make_partitions() as made')).rows).toEqual([{ made: 1 }])
    await db.query(`select setval(pg_get_serial_sequence('journal_entries', 'id'), 11999999)`)
    expect((await post('another')).rows).toEqual([{ id: 12_000_000 }])
    await expect(app.query('insert into postings_4 values (12000000, 3, 6, 1)')).rejects.toMatchObject({ code: '42501' })
    await expect(db.query('delete from postings_4')).rejects.toMatchObject({ code: 'DW001' })
    await expect(db.query('insert into postings values (12000001, 1, 6, 1)')).rejects.toMatchObject({ code: '23503' })
    await app.end()
    const { rows } = await db.query('select tableoid::regclass::text as range, count(*)::integer from postings group by 1 order by 1')
    expect(rows).toEqual([
      { range: 'postings_2', count: 2 },
      { range: 'postings_4', count: 2 },
    ])
  })

  test('is there again after a restore', async () => {
    expect(await comesBack(database.url)).toBe(40_000_002)
  })
})

test.each([
  ['order_search', `insert into order_search select n, 'word ' || n from generate_series(3999001, 4001000) n`],
  [
    'postings',
    `set session_replication_role = replica; insert into postings select n, 1, 6, 1 from generate_series(3999001, 4001000) n; reset session_replication_role`,
  ],
])('what the planner knows of the whole of %s is counted again once its ranges have grown', async (table, fill) => {
  const database = await openTestDatabase()
  const known = async () =>
    (await database.db.query(`select reltuples::integer as rows from pg_class where relname = $1`, [table])).rows[0].rows
  await database.db.query(fill)
  await database.db.query(`analyze ${table}_1; analyze ${table}_2`)
  expect(await known()).toBeLessThan(1)
  const app = new pg.Client({ connectionString: database.appUrl })
  await app.connect()
  await app.query('select analyze_partitions()')
  await app.end()
  expect(await known()).toBe(2_000)
  await database.db.query(`alter table postings disable trigger user; truncate postings; alter table postings enable trigger user`)
  await database.close()
})

describe('a list over two ranges', () => {
  let shop: TestShop
  beforeAll(async () => {
    shop = await openTestShop()
    await setNumber(shop.database.db, 3_999_950)
    for (let count = 0; count < 100; count++) await shop.database.db.query(NOTE, [`note ${count} of a hundred`])
  })
  afterAll(() => shop.close())

  test('is one list, newest first, page by page, and searched as one', async () => {
    const admin = await makeUser(shop, { level: 'Admin' })
    const pages: string[] = []
    for (let page = 1; page <= 10; page++) {
      const query = { page: String(page), pageSize: '10', search: 'of a hundred' }
      const { body } = await call<{ note: string }[]>(shop, 'GET', '/admin/actions', { as: admin, query })
      pages.push(...body.map(({ note }) => note))
    }
    expect(pages).toEqual(Array.from({ length: 100 }, (_, index) => `note ${99 - index} of a hundred`))
  })
})

/** Restores a backup into an empty database, compares the ranges, and returns the number of the newest action there. */
async function comesBack(url: string): Promise<number> {
  const folder = await makeFolder()
  const restored = await openEmptyDatabase()
  const file = join(folder, 'shop.zst')
  await writeBackup({ url, file })
  await restoreBackup({ url: restored.url, file, log })
  const [before, after] = [url, restored.url].map((connectionString) => new pg.Client({ connectionString })) as [pg.Client, pg.Client]
  await Promise.all([before.connect(), after.connect()])
  const ranges = await listRanges(before)
  expect(await listRanges(after)).toEqual(ranges)
  const postings = `select tableoid::regclass::text as range, count(*), sum(entry_id), sum(entry_id * amount_pesewas) from postings group by 1 order by 1`
  expect((await after.query(postings)).rows).toEqual((await before.query(postings)).rows)
  const { rows } = await after.query<{ newest: number }>('select max(id)::integer as newest from admin_actions')
  await Promise.all([before.end(), after.end()])
  await restored.close()
  await rm(folder, { recursive: true, force: true })
  return rows[0]?.newest ?? 0
}

async function setNumber(db: Queryable, newest: number) {
  await db.query(`select setval(pg_get_serial_sequence('admin_actions', 'id'), $1)`, [newest])
}

async function listRanges(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ range: string }>(
    `select c.relname || replace(replace(pg_get_expr(c.relpartbound, c.oid), 'FOR VALUES', ''), '''', '') as range
     from pg_inherits i join pg_class c on c.oid = i.inhrelid where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace order by i.inhparent::regclass::text, length(c.relname), c.relname`,
  )
  return rows.map(({ range }) => range)
}
