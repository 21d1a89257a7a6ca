import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestShop, type TestShop } from '../../test/app.ts'
import { call, cartLine, checkout, makeUser } from '../../test/builders.ts'
import { openTestDatabase } from '../../test/database.ts'
import { APPEND_ONLY, letAppIn } from './app-role.ts'

const PERMISSION_DENIED = '42501'
let shop: TestShop
let app: pg.Client
beforeAll(async () => {
  shop = await openTestShop()
  app = await connect(shop.database.appUrl)
})
afterAll(async () => {
  await app.end()
  await shop.close()
})

describe("the shop's role", () => {
  test('may sell, top up, refund and record all of it', async () => {
    const admin = await makeUser(shop, { level: 'Admin' })
    const buyer = await makeUser(shop, { balance: 20 })
    const bought = await checkout(shop, buyer, [await cartLine(shop), await cartLine(shop)])
    expect([bought.status, bought.body.balance]).toEqual([200, 9])
    const rejected = await call(shop, 'PUT', `/order/update-status/${bought.body.orders[0]?._id}`, {
      as: admin,
      body: { status: 'rejected' },
    })
    expect(rejected.status).toBe(200)
    const asked = await call<{ rechargeId: string }>(shop, 'POST', '/recharge', { as: buyer, body: { amount: 50 } })
    const approved = await call<{ balance: number }>(shop, 'PUT', `/recharge/${asked.body.rechargeId}/approve`, { as: admin })
    expect([approved.status, approved.body.balance]).toEqual([200, 64.5])
    const { rows } = await shop.database.db.query(
      `select distinct usename from pg_stat_activity where datname = current_database() and application_name in ('dwadi-test-app', 'dwadi-test-jobs')`,
    )
    expect(rows).toEqual([{ usename: 'dwadi_test_app' }])
  })

  const COLUMN = {
    accounts: 'code',
    journal_entries: 'memo',
    postings: 'amount_pesewas',
    ledger_seals: 'entries',
    admin_actions: 'note',
    report_messages: 'body',
    customer_notes: 'note',
    package_costs: 'cost_pesewas',
    day_closes: 'note',
    price_publications: 'published_at',
    receiver_corrections: 'agreed_by',
    delivery_restarts: 'from_status',
    delivery_events: 'detail',
    payout_numbers: 'free_at',
    payout_number_removals: 'phone',
    message_formats: 'kind',
    restore_rehearsals: 'orders',
  }
  const rewriting = APPEND_ONLY.flatMap((table) => [
    [`update ${table} set ${COLUMN[table]} = ${COLUMN[table]}`, table],
    [`delete from ${table}`, table],
    [`truncate ${table} cascade`, table],
  ])
  test.each(rewriting)('may not %s, with or without the triggers', async (sql, table) => {
    await expect(app.query(sql as string)).rejects.toMatchObject({ code: PERMISSION_DENIED })
    await shop.database.db.query(`alter table ${table} disable trigger user`)
    await expect(app.query(sql as string)).rejects.toMatchObject({ code: PERMISSION_DENIED })
    await shop.database.db.query(`alter table ${table} enable trigger user`)
  })

  test.each([
    'alter table postings disable trigger user',
    'drop trigger postings_append_only on postings',
    'create or replace function refuse_change() returns trigger language plpgsql as $$ begin return new; end $$',
    'alter table wallets drop constraint wallet_not_below_zero',
    'set session_replication_role = replica',
    'create table mine (id integer)',
    'drop table sms_messages',
    'truncate orders cascade',
    "update schema_migrations set name = 'x'",
    "update schema_functions set sha256 = 'x'",
    'set role postgres',
    'create role another superuser',
  ])('may not change what protects the ledger: %s', async (sql) => {
    await expect(app.query(sql)).rejects.toThrow(/permission denied|must be owner|does not exist/)
  })

  test('gains no rights at repeated starts, and loses those it should not have', async () => {
    const database = await openTestDatabase()
    await database.db.query('grant update, truncate on postings to dwadi_test_app')
    await database.db.query('grant select, insert on postings_2 to dwadi_test_app')
    const again = await letAppIn({ ownerUrl: database.url, role: 'dwadi_test_app' })
    expect(again).toEqual({ url: database.appUrl, role: 'dwadi_test_app', warning: null })
    const client = await connect(database.appUrl)
    await expect(client.query('update postings set amount_pesewas = 1')).rejects.toMatchObject({ code: PERMISSION_DENIED })
    await expect(client.query('insert into postings_2 values (4000000, 1, 1, 1)')).rejects.toMatchObject({ code: PERMISSION_DENIED })
    await client.end()
    await database.close()
  })
})

describe("the operator's own database server", () => {
  const names: string[] = []
  afterAll(async () => {
    for (const name of names) await shop.database.db.query(`drop owned by ${name}; drop role ${name}`)
  })

  /** A role of the operator's own, with the rights that `attributes` name. */
  async function makeRole(attributes: string): Promise<{ name: string; as: (url: string) => string }> {
    const name = `role_${crypto.randomUUID().slice(0, 8)}`
    names.push(name)
    await shop.database.db.query(`create role ${name} login password 'a-good-password' ${attributes}`)
    return { name, as: (url) => url.replace(/\/\/[^@]*@/, `//${name}:a-good-password@`) }
  }

  test('whose owner may create roles: processes that start together agree on one', async () => {
    const database = await openTestDatabase()
    const started = await Promise.all(Array.from({ length: 4 }, () => letAppIn({ ownerUrl: database.url })))
    expect(new Set(started.map(({ url }) => url)).size).toBe(1)
    expect(started.map(({ warning }) => warning)).toEqual([null, null, null, null])
    await database.close()
  })

  test('whose user may not create roles: the shop works as that user, and says what to do', async () => {
    const database = await openTestDatabase()
    const { name, as } = await makeRole('')
    const { url, role, warning } = await letAppIn({ ownerUrl: as(database.url) })
    expect([url, role]).toEqual([as(database.url), name])
    expect(warning).toMatch(/may not make a second role.*DATABASE_MIGRATION_URL/)
    await database.close()
  })

  test('with a role that the operator created: it gets its rights, with a warning when it has more', async () => {
    const database = await openTestDatabase()
    const { name, as } = await makeRole('')
    expect(await letAppIn({ ownerUrl: database.url, appUrl: as(database.url) })).toEqual({
      url: as(database.url),
      role: name,
      warning: null,
    })
    const client = await connect(as(database.url))
    await expect(client.query('delete from admin_actions')).rejects.toMatchObject({ code: PERMISSION_DENIED })
    expect((await client.query('select from admin_actions')).rowCount).toBe(0)
    await client.end()
    expect((await letAppIn({ ownerUrl: database.url, appUrl: database.url })).warning).toMatch(
      /may do more than it should: change public\.accounts/,
    )
    await database.db.query(`drop owned by ${name}`)
    await database.close()
  })
})

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client
}
