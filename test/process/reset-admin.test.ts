import { readdir, rm } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findRunningPostgres } from '../../server/platform/embedded-postgres.ts'
import type { AdminAction } from '../../shared/admin-actions.ts'
import type { SignedInUser } from '../../shared/users.ts'
import { openTestShop, type TestShop } from '../app.ts'
import { call, makeUser, PASSWORD } from '../builders.ts'
import { copyDataFolder, openTestDatabase } from '../database.ts'
import { makeFolder } from '../make-folder.ts'
import { openRealtimeProbe } from '../realtime-probe.ts'
import { until } from '../until.ts'
import { runProgram } from './run-program.ts'

const NEW_PASSWORD = 'the owner is back'

async function reset(env: Record<string, string>, args: string[] = []) {
  const program = runProgram('tools/reset-admin.ts', env, args)
  const [code, output] = [await program.ended(), program.output()]
  // Before anything else it says whose shop it is.
  const [said = ''] = /^The shop: .*\n/.exec(output) ?? []
  expect(said === '' ? output : '').toMatch(/^$|The settings are not right/)
  return { code, output: output.slice(said.length) }
}

describe('admin:reset on a database server', () => {
  let shop: TestShop
  beforeAll(async () => {
    shop = await openTestShop()
  })
  afterAll(() => shop.close())

  function signIn(phone: string, password: string) {
    return call<SignedInUser>(shop, 'POST', '/user/login', { body: { userPhone: phone, password } })
  }

  test('gives the admin a new password, ends their sessions, leaves a record, and touches nobody else', async () => {
    const [owner, other] = [await makeUser(shop, { level: 'Admin' }), await makeUser(shop, { level: 'Admin' })]
    for (const { phone } of [owner, other]) expect((await signIn(phone, PASSWORD)).status).toBe(200)
    const { code, output } = await reset({ DATABASE_URL: shop.database.url, ADMIN_PHONE: owner.phone, ADMIN_PASSWORD: NEW_PASSWORD })
    // Whoever knew the old password may have been there too.
    const known = await shop.database.db.query<{ user_id: string }>('select distinct user_id from known_devices')
    expect(known.rows).toEqual([{ user_id: other._id }])
    expect([code, output]).toEqual([
      0,
      `${owner.username} is an active admin; their sessions have ended.\nSign in with\n  phone     ${owner.phone}\n  password  the one in ADMIN_PASSWORD\n`,
    ])
    expect([(await signIn(owner.phone, PASSWORD)).status, (await signIn(owner.phone, NEW_PASSWORD)).status]).toEqual([401, 200])
    expect((await call(shop, 'GET', '/order/stats', { as: owner })).status).toBe(401)
    expect((await call(shop, 'GET', '/order/stats', { as: other })).status).toBe(200)
    const { body } = await call<AdminAction[]>(shop, 'GET', '/admin/actions', {
      as: other,
      query: { search: 'Gave an admin a new password' },
    })
    expect(body).toMatchObject([
      {
        actor: null,
        action: 'admin.reset',
        subjectType: 'user',
        subjectId: owner._id,
        subject: owner.username,
        before: { level: 'Admin', status: 'Active' },
        after: { level: 'Admin', status: 'Active' },
        note: 'a new password, set on the server itself',
        ip: null,
      },
    ])
    expect(JSON.stringify(body)).not.toContain(NEW_PASSWORD)
  })

  test('with a password that others would guess is refused in words, and changes nothing', async () => {
    const owner = await makeUser(shop, { level: 'Admin' })
    for (const guess of ['password123', 'Dwadi2026!', owner.phone]) {
      const { code, output } = await reset({
        DATABASE_URL: shop.database.url,
        ADMIN_PHONE: owner.phone,
        ADMIN_PASSWORD: guess,
        GUESSABLE_PASSWORDS: 'refuse',
      })
      expect([code, output]).toEqual([1, expect.stringContaining('ADMIN_PASSWORD: is too easy to guess')])
      expect(output).not.toContain(guess)
    }
    expect((await signIn(owner.phone, PASSWORD)).status).toBe(200)
  })

  test('closes the sockets of those sessions too, and nobody else’s', async () => {
    const listening = await openTestShop({ withSandbox: true })
    const [owner, other] = [await makeUser(listening, { level: 'Admin' }), await makeUser(listening, { level: 'Admin' })]
    const [ownersProbe, othersProbe] = [
      await openRealtimeProbe(listening.url, owner.token),
      await openRealtimeProbe(listening.url, other.token),
    ]
    const env = { DATABASE_URL: listening.database.url, ADMIN_PHONE: owner.phone, ADMIN_PASSWORD: NEW_PASSWORD }
    expect((await reset(env)).code).toBe(0)
    await until(() => ownersProbe.closed())
    expect(othersProbe.closed()).toBeNull()
    othersProbe.close()
    await listening.close()
  })

  test('makes an admin who was banned and demoted an active admin again, with a password made up and shown once', async () => {
    const owner = await makeUser(shop)
    await shop.database.db.query(`update users set status = 'Banned' where id = $1`, [owner._id])
    const { code, output } = await reset({ DATABASE_URL: shop.database.url, ADMIN_PHONE: owner.phone })
    expect(code).toBe(0)
    const password = / {2}password {2}(\S{16})\nThis password is shown only now: keep it\.\n$/.exec(output)![1]!
    const { status, body } = await signIn(owner.phone, password)
    expect([status, body.userLevel, body.status, body.isAdmin]).toEqual([200, 'Admin', 'Active', true])
  })

  test('makes no second owner unless it is told to, and says who the owners are', async () => {
    const owner = await makeUser(shop, { level: 'Admin' })
    const { rows: before } = await shop.database.db.query('select from users')
    // The sample's number, which nobody set, and one that nobody has.
    for (const ADMIN_PHONE of ['', '0201111111']) {
      const { code, output } = await reset({ DATABASE_URL: shop.database.url, ADMIN_PHONE })
      expect([code, output]).toEqual([
        1,
        expect.stringContaining(`ADMIN_PHONE: nobody has ${ADMIN_PHONE || '0200000000'}. The owners are: `),
      ])
      expect(output).toMatch(/ADMIN_PHONE=0\d{9} before the command, or put --make behind it/)
    }
    expect((await shop.database.db.query('select from users')).rowCount).toBe(before.length)
    expect((await call(shop, 'GET', '/order/stats', { as: owner })).status).toBe(200)
  })

  test('makes an admin when nobody has that phone number, and it is told to', async () => {
    const env = { ADMIN_PHONE: '0207654321', ADMIN_USERNAME: 'second owner', ADMIN_EMAIL: 'second@example.com' }
    const { code, output } = await reset({ DATABASE_URL: shop.database.url, ADMIN_PASSWORD: NEW_PASSWORD, ...env }, ['--make'])
    expect([code, output]).toEqual([0, expect.stringContaining('Nobody had the phone number 0207654321, so an admin was made.')])
    const { body } = await signIn('0207654321', NEW_PASSWORD)
    expect(body).toMatchObject({ username: 'second owner', userLevel: 'Admin', balance: 0 })
    expect((await call(shop, 'GET', '/order/stats', { as: body })).status).toBe(200)
  })

  test('says which setting to change when the name or the address is somebody else’s, and changes nothing', async () => {
    const somebody = await makeUser(shop)
    const env = { DATABASE_URL: shop.database.url, ADMIN_PHONE: '0209999999', ADMIN_USERNAME: 'third', ADMIN_EMAIL: 'third@example.com' }
    const byName = await reset({ ...env, ADMIN_USERNAME: somebody.username }, ['--make'])
    const byAddress = await reset({ ...env, ADMIN_EMAIL: somebody.email }, ['--make'])
    expect([byName.code, byName.output]).toEqual([1, expect.stringContaining('Set ADMIN_USERNAME to another, or ADMIN_PHONE to theirs.')])
    expect([byAddress.code, byAddress.output]).toEqual([1, expect.stringContaining('Set ADMIN_EMAIL to another')])
    expect((await signIn(somebody.phone, PASSWORD)).body.userLevel).toBe('Customer')
  })

  test('names a setting that is wrong', async () => {
    const { code, output } = await reset({ DATABASE_URL: shop.database.url, ADMIN_PASSWORD: 'short' })
    expect([code, output]).toEqual([1, expect.stringContaining('ADMIN_PASSWORD')])
  })

  test('says that a database without a shop has none', async () => {
    const database = await openTestDatabase()
    await database.db.query('create schema elsewhere')
    const { code, output } = await reset({
      DATABASE_URL: `${database.url}${database.url.includes('?') ? '&' : '?'}options=-csearch_path%3Delsewhere`,
    })
    expect([code, output]).toEqual([1, 'The admin could not be reset: there is no shop in this database yet. Start the shop first.\n'])
    await database.close()
  })
})

describe('admin:reset on the embedded database', () => {
  let dataDir: string
  beforeAll(async () => {
    dataDir = await makeFolder()
  })
  afterAll(() => rm(dataDir, { recursive: true, force: true }))

  async function signInAt(url: string, password: string): Promise<number> {
    const reply = await fetch(`${url}/api/user/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ userPhone: '0200000000', password }),
    })
    return reply.status
  }

  test('works while the shop is open and while it is closed, and leaves both as they were', async () => {
    await copyDataFolder(dataDir)
    const open = () => runProgram('server/main.ts', { DATA_DIR: dataDir, PORT: '0', ADMIN_PASSWORD: PASSWORD, LOG_LEVEL: 'warn' })
    const first = open()
    const [, url = ''] = await first.prints(/is open at (\S+)/)
    expect((await reset({ DATA_DIR: dataDir, ADMIN_PASSWORD: NEW_PASSWORD })).code).toBe(0)
    expect([await signInAt(url, PASSWORD), await signInAt(url, NEW_PASSWORD)]).toEqual([401, 200])
    first.process.kill('SIGTERM')
    expect(await first.ended()).toBe(0)

    const closed = await reset({ DATA_DIR: dataDir })
    expect(closed.code).toBe(0)
    expect(await findRunningPostgres({ dataDir })).toBeNull()
    const second = open()
    const [, secondUrl = ''] = await second.prints(/is open at (\S+)/)
    expect(await signInAt(secondUrl, / {2}password {2}(\S+)/.exec(closed.output)![1]!)).toBe(200)
    second.process.kill('SIGTERM')
    expect(await second.ended()).toBe(0)
  })

  test('on a folder without a database says so and makes none', async () => {
    const empty = await makeFolder()
    const { code, output } = await reset({ DATA_DIR: empty })
    expect([code, output]).toEqual([1, `The admin could not be reset: There is no database in the data folder ${empty}.\n`])
    expect(await readdir(empty)).toEqual([])
    await rm(empty, { recursive: true })
  })
})
