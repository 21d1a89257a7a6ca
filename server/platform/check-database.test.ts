import { createServer } from 'node:net'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openEmptyDatabase, openTestDatabase } from '../../test/database.ts'
import { checkDatabase, databaseSettings } from './check-database.ts'

let empty: Awaited<ReturnType<typeof openEmptyDatabase>>
const ROLE = `starter_${crypto.randomUUID().slice(0, 8)}`
const PASSWORD = 'p#ss/w?rd:@%'
beforeAll(async () => {
  empty = await openEmptyDatabase()
  await run(empty.url, `create role ${ROLE} login password '${PASSWORD}'`)
})
afterAll(async () => {
  await run(empty.url, `drop role ${ROLE}`)
  await empty.close()
})

async function run(url: string, sql: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(sql).finally(() => client.end())
}

/** The same server with other parts in the address. */
function address(change: { user?: string; password?: string; database?: string } = {}): string {
  const client = new pg.Client({ connectionString: empty.url })
  const { user, password, database } = { user: client.user, password: client.password, database: client.database, ...change }
  const host = client.host.startsWith('/')
    ? `localhost/${database}?host=${encodeURIComponent(client.host)}&port=${client.port}`
    : `${client.host}:${client.port}/${database}`
  return `postgres://${encodeURIComponent(user!)}:${encodeURIComponent(password!)}@${host}`
}

async function refusal(url: string): Promise<string> {
  return checkDatabase(databaseSettings({ databaseUrl: url, databaseMigrationUrl: undefined })).then(
    () => 'none',
    (error: Error) => error.message,
  )
}

describe('a start says which setting of the database is wrong, and what to do', () => {
  test('nothing, when all is right', async () => {
    expect(await refusal(address())).toBe('none')
  })

  test('nobody listens', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as { port: number }
    await new Promise((resolve) => server.close(resolve))
    expect(await refusal(`postgres://shop:x@127.0.0.1:${port}/shop`)).toMatch(
      new RegExp(`DATABASE_URL: no database server answers at 127\\.0\\.0\\.1:${port}\\. Start it`),
    )
    expect(await refusal('postgres://shop:x@localhost/shop?host=/no/such/folder')).toContain(
      'no database server answers in the folder /no/such/folder',
    )
  })

  test('no such machine', async () => {
    expect(await refusal('postgres://shop:x@no-such-machine.invalid/shop')).toContain(
      'DATABASE_URL: there is no machine called no-such-machine.invalid',
    )
  })

  test('an unknown role, and a wrong password, which is not repeated', async () => {
    expect(await refusal(address({ user: 'nobody_of_that_name' }))).toMatch(/DATABASE_URL: the server refuses the role nobody_of_that_name/)
    const wrong = await refusal(address({ user: ROLE, password: 'a wrong one' }))
    expect(wrong).toMatch(new RegExp(`DATABASE_URL: the server refuses the role ${ROLE}.*alter role ${ROLE} password`))
    expect(wrong).not.toContain('a wrong one')
  })

  test.each(['p#ss', 'p/ss', 'p?ss', 'p%ss', '1#s'])('a password %s that is not escaped', async (password) => {
    const message = await refusal(address().replace(/:[^:@]*@/, `:${password}@`))
    expect(message).toMatch(/DATABASE_URL: .*# is %23/s)
  })

  test('an escaped one is taken, and then the right to make tables is missing', async () => {
    expect(await refusal(address({ user: ROLE, password: PASSWORD }))).toMatch(
      new RegExp(`DATABASE_URL: the role ${ROLE} may not make tables in \\w+\\..*owner to "${ROLE}"`),
    )
  })

  test('a database that does not exist', async () => {
    expect(await refusal(address({ database: 'no_such_shop' }))).toMatch(
      /DATABASE_URL: there is no database no_such_shop there\. Make it: createdb .*--encoding=UTF8.* no_such_shop/,
    )
  })

  test('one in SQL_ASCII', async () => {
    const name = `ascii_${crypto.randomUUID().slice(0, 8)}`
    await run(empty.url, `create database ${name} encoding 'SQL_ASCII' template template0 locale 'C' locale_provider libc`)
    expect(await refusal(address({ database: name }))).toMatch(
      /DATABASE_URL: the database ascii_\w+ keeps its texts as SQL_ASCII.*--encoding=UTF8/,
    )
    await run(empty.url, `drop database ${name}`)
  })

  test('tables that belong to another role', async () => {
    const shop = await openTestDatabase()
    const database = new pg.Client({ connectionString: shop.url }).database as string
    expect(await refusal(address({ user: ROLE, password: PASSWORD, database }))).toMatch(
      new RegExp(`the tables of the shop belong to the role \\w+, not to ${ROLE}\\. Put \\w+ into DATABASE_MIGRATION_URL`),
    )
    await shop.close()
  })
})
