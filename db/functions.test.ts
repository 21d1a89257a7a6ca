import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createLog } from '../server/platform/log.ts'
import { migrate } from '../server/platform/migrate.ts'
import { isReplayed, objectsOf, readSqlRelease, replaySql, type SqlRelease, sqlFile } from '../server/platform/replay-sql.ts'
import { openTestDatabase, type TestDatabase } from '../test/database.ts'
import { describeSchema } from '../tools/describe-schema.ts'

const log = createLog('silent')
const sql = await readSqlRelease()
let database: TestDatabase
let client: pg.Client

beforeAll(async () => {
  database = await openTestDatabase()
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await database.close()
})

describe('the files of db/functions and db/triggers', () => {
  test.each(sql.files)('$name defines what its name says', (file) => {
    const [folder, name] = file.name.replace('.sql', '').split('/')
    if (folder === 'functions') expect([[`function ${name}`], [`view ${name}`]]).toContainEqual(objectsOf(file))
    else for (const trigger of objectsOf(file)) expect(trigger).toMatch(new RegExp(`^trigger \\w+ on ${name}$`))
  })

  test('define every function, view and trigger, but for the functions whose results an index stores', async () => {
    const { rows } = await database.db.query<{ object: string }>(`
      select 'function ' || proname as object from pg_proc p where pronamespace = 'public'::regnamespace
        and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = p.oid and deptype = 'e')
        and not exists (select from pg_depend d join pg_index i on i.indexrelid = d.objid
          where d.classid = 'pg_class'::regclass and d.refclassid = 'pg_proc'::regclass and d.refobjid = p.oid)
      union all select 'view ' || viewname from pg_views where schemaname = 'public'
      union all select 'trigger ' || tgname || ' on ' || relname from pg_trigger g join pg_class t on t.oid = tgrelid
        where relnamespace = 'public'::regnamespace and not tgisinternal and tgparentid = 0`)
    expect(rows.map(({ object }) => object).sort()).toEqual(sql.files.flatMap(objectsOf).sort())
  })

  test('have bodies that PostgreSQL accepts', async () => {
    await client.query('set check_function_bodies = on')
    for (const { text } of sql.files) await client.query(text)
  })
})

test.each(sql.files)('$name is not kept longer than it says', ({ text }) => {
  const last = /^-- until: (\d+\.\d+)$/m.exec(text)?.[1]
  if (last) expect(`${last}.999`.localeCompare(sql.release, 'en', { numeric: true })).toBeGreaterThan(0)
})

describe('a replay', () => {
  let schema: string
  beforeEach(async () => {
    schema = await describeSchema(client)
  })

  test('does nothing the second time', async () => {
    expect(await isReplayed(client, sql)).toBe(true)
    expect(await replaySql(client, sql)).toEqual([])
  })

  test('brings a database that no replay has touched yet to the same schema', async () => {
    await client.query(`drop table schema_functions`)
    await client.query(`create or replace function create_wallet(p_user uuid) returns bigint language sql as 'select 1::bigint'`)
    await client.query('drop trigger users_counted on users; drop view order_counts; drop function new_reference')
    expect(await migrate(database.url, log)).toEqual([])
    expect(await describeSchema(client)).toBe(schema)
    expect(await isReplayed(client, sql)).toBe(true)
  })

  test('replaces only what has changed', async () => {
    const changed = withFile('functions/new_reference.sql', (text) => text.replaceAll('< 20', '< 24'))
    expect(await isReplayed(client, changed)).toBe(false)
    expect(await replaySql(client, changed)).toEqual(['functions/new_reference.sql'])
    const { rows } = await client.query<{ length: number }>('select length(new_reference()) as length')
    expect(rows).toEqual([{ length: 24 }])
    expect(await replaySql(client, sql)).toEqual(['functions/new_reference.sql'])
    expect(await describeSchema(client)).toBe(schema)
  })

  test('drops what no file defines any more', async () => {
    const added = {
      ...sql,
      files: [
        ...sql.files.map((file) =>
          file.name === 'triggers/users.sql' ? sqlFile(file.name, `${file.text}\n${file.text.replaceAll('_counted', '_extra')}`) : file,
        ),
        sqlFile(
          'functions/extra_function.sql',
          'create or replace function extra_function() returns integer language sql as $$ select 1 $$;\n',
        ),
        sqlFile('functions/extra_view.sql', 'create or replace view extra_view as select extra_function() as one;\n'),
      ],
    }
    await replaySql(client, added)
    expect(await describeSchema(client)).not.toBe(schema)
    expect(await replaySql(client, sql)).toEqual(['triggers/users.sql'])
    expect(await describeSchema(client)).toBe(schema)
  })

  test('of an older release changes nothing beside a newer one', async () => {
    const newer = { ...withFile('functions/new_reference.sql', (text) => `-- newer\n${text}`), release: '0.10.0' }
    const older = { ...sql, release: '0.9.1' }
    await replaySql(client, newer)
    expect(await isReplayed(client, older)).toBe(true)
    expect(await replaySql(client, older)).toEqual([])
    expect(await isReplayed(client, newer)).toBe(true)
    await client.query('drop table schema_functions')
    await replaySql(client, sql)
  })

  test('of a newer release that changes no file still keeps older ones from replaying', async () => {
    await replaySql(client, { ...sql, release: '1000.0.0' })
    expect(
      await replaySql(
        client,
        withFile('functions/new_reference.sql', (text) => `-- older\n${text}`),
      ),
    ).toEqual([])
    await client.query('drop table schema_functions')
    await replaySql(client, sql)
  })

  test('that fails leaves the database to the next one', async () => {
    const broken = withFile('functions/order_counts.sql', () => 'create or replace view order_counts as select from no_such_table;\n')
    await expect(replaySql(client, broken)).rejects.toThrow('no_such_table')
    expect(await isReplayed(client, sql)).toBe(true)
  })

  test('gives up on a table that somebody holds for three seconds', async () => {
    await replaySql(
      client,
      withFile('triggers/users.sql', (text) => `-- changed\n${text}`),
    )
    expect((await client.query('show lock_timeout')).rows).toEqual([{ lock_timeout: '3s' }])
    await replaySql(client, sql)
  })
})

function withFile(name: string, edit: (text: string) => string): SqlRelease {
  return { ...sql, files: sql.files.map((file) => (file.name === name ? sqlFile(name, edit(file.text)) : file)) }
}
