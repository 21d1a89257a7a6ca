import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestShop, type TestShop } from '../../test/app.ts'
import { call, makeUser } from '../../test/builders.ts'
import { openEmptyDatabase, openTestDatabase, type TestDatabase } from '../../test/database.ts'
import { makeFolder } from '../../test/make-folder.ts'
import { writeBackup } from './backup.ts'
import type { Queryable } from './db.ts'
import { createLog } from './log.ts'
import { listMigrations, migrate } from './migrate.ts'
import { readSqlRelease, replaySql } from './replay-sql.ts'
import { restoreBackup } from './restore.ts'

const log = createLog('silent')
const NOTE = `insert into admin_actions (action, subject_type, subject_id, note, created_at) values ('order.rejected', 'order', 'one', $1, now()) returning id::integer`

describe('a shop from before there were ranges', () => {
  let empty: Awaited<ReturnType<typeof openEmptyDatabase>>
  let client: pg.Client
  beforeAll(async () => {
    empty = await openEmptyDatabase()
    await migrate(empty.url, log, { upTo: (await listMigrations()).indexOf('0123-ranges-of-numbers') })
    client = new pg.Client({ connectionString: empty.url })
    await client.connect()
    await replaySql(client, await readSqlRelease())
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

  test('is there again after a restore', async () => {
    expect(await comesBack(database.url)).toBe(40_000_002)
  })
})

test('what the planner knows of the whole is counted again once its ranges have grown', async () => {
  const database = await openTestDatabase()
  const known = async () =>
    (await database.db.query(`select reltuples::integer as rows from pg_class where relname = 'order_search'`)).rows[0].rows
  await database.db.query(`insert into order_search select n, 'word ' || n from generate_series(3999001, 4001000) n`)
  await database.db.query('analyze order_search_1; analyze order_search_2')
  expect(await known()).toBeLessThan(1)
  const app = new pg.Client({ connectionString: database.appUrl })
  await app.connect()
  await app.query('select analyze_partitions()')
  await app.end()
  expect(await known()).toBe(2_000)
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
