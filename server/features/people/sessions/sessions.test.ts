import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ErrorBody } from '../../../../shared/errors.ts'
import type { SignedInUser } from '../../../../shared/users.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { call, makeUser, PASSWORD } from '../../../../test/builders.ts'
import { openRealtimeProbe } from '../../../../test/realtime-probe.ts'
import { until } from '../../../../test/until.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

let shop: TestShop
beforeAll(async () => {
  shop = await openTestShop()
})
afterAll(() => shop.close())

async function signIn({ phone }: { phone: string }): Promise<SignedInUser> {
  return (await call<SignedInUser>(shop, 'POST', '/user/login', { body: { userPhone: phone, password: PASSWORD } })).body
}

async function statusOf(as: { token: string }): Promise<number> {
  return (await call(shop, 'GET', '/user', { as })).status
}

describe('a session', () => {
  test('of a customer lasts thirty days, however often it is used', async () => {
    const user = await makeUser(shop)
    for (let day = 1; day < 30; day++) {
      shop.clock.advance(DAY_MS)
      expect(await statusOf(user)).toBe(200)
    }
    shop.clock.advance(DAY_MS)
    expect(await statusOf(user)).toBe(401)
  })

  test('that expires closes its sockets, without a request', async () => {
    const listening = await openTestShop({ withSandbox: true })
    const older = await openRealtimeProbe(listening.url, (await makeUser(listening)).token)
    listening.clock.advance(DAY_MS)
    const newer = await openRealtimeProbe(listening.url, (await makeUser(listening)).token)
    listening.clock.advance(29 * DAY_MS)
    await until(() => older.closed())
    expect(newer.closed()).toBeNull()
    newer.close()
    await listening.close()
  })

  test('of an admin lasts twelve hours, however often it is used', async () => {
    const admin = await signIn(await makeUser(shop, { level: 'Admin' }))
    for (let hour = 1; hour < 12; hour++) {
      shop.clock.advance(HOUR_MS)
      expect(await statusOf(admin)).toBe(200)
    }
    shop.clock.advance(HOUR_MS)
    expect(await statusOf(admin)).toBe(401)
  })

  test('of an admin ends for good after two idle hours', async () => {
    const admin = await signIn(await makeUser(shop, { level: 'Admin' }))
    shop.clock.advance(2 * HOUR_MS)
    expect(await statusOf(admin)).toBe(200)
    shop.clock.advance(2 * HOUR_MS + MINUTE_MS)
    expect(await statusOf(admin)).toBe(401)
    shop.clock.advance(-2 * HOUR_MS)
    expect(await statusOf(admin)).toBe(401)
  })

  test('that has ended gets a message saying so', async () => {
    const user = await makeUser(shop)
    shop.clock.advance(31 * DAY_MS)
    const { body } = await call<ErrorBody>(shop, 'GET', '/user', { as: user })
    expect(body).toEqual({ message: 'Your session has ended. Please sign in again.', code: 'UNAUTHENTICATED' })
  })

  test('ends by signing out, and no other session with it', async () => {
    const phone = await makeUser(shop)
    const laptop = await signIn(phone)
    const reply = await call<{ message: string }>(shop, 'POST', '/user/logout', { as: phone })
    expect([reply.status, reply.body]).toEqual([200, { message: 'You are signed out.' }])
    expect([await statusOf(phone), await statusOf(laptop)]).toEqual([401, 200])
    expect((await call(shop, 'POST', '/user/logout', { as: phone })).status).toBe(401)
  })

  test('ends by a ban, with all others of that user, even after the ban is lifted', async () => {
    const admin = await makeUser(shop, { level: 'Admin' })
    const phone = await makeUser(shop)
    const laptop = await signIn(phone)
    await call(shop, 'PUT', `/user/${phone._id}/status`, { as: admin, body: { status: 'Banned' } })
    expect([await statusOf(phone), await statusOf(laptop), await statusOf(admin)]).toEqual([401, 401, 200])
    await call(shop, 'PUT', `/user/${phone._id}/status`, { as: admin, body: { status: 'Active' } })
    expect([await statusOf(phone), await statusOf(laptop)]).toEqual([401, 401])
    expect(await statusOf(await signIn(phone))).toBe(200)
  })

  test('of a user marked as banned in the database is refused, however that came about', async () => {
    const user = await makeUser(shop)
    await shop.database.db.query(`update users set status = 'Banned' where id = $1`, [user._id])
    expect(await statusOf(user)).toBe(401)
  })

  test('is stored as a hash, so the database’s content signs nobody in', async () => {
    const user = await makeUser(shop)
    const { rows } = await shop.database.db.query<{ hash: Buffer; row: string }>(
      'select token_hash as hash, to_jsonb(sessions)::text as row from sessions where user_id = $1',
      [user._id],
    )
    expect(rows.map(({ hash }) => hash)).toEqual([createHash('sha256').update(user.token).digest()])
    expect(rows[0]!.row).not.toContain(user.token)
    for (const token of [rows[0]!.hash.toString('hex'), rows[0]!.hash.toString('base64url')]) expect(await statusOf({ token })).toBe(401)
  })

  test.each([
    ['no token', undefined],
    ['an empty one', 'Bearer '],
    ['one that nobody has', `Bearer ${'x'.repeat(43)}`],
    ['another scheme', `Basic ${'x'.repeat(43)}`],
    ['two tokens', `Bearer ${'x'.repeat(43)} ${'y'.repeat(43)}`],
    ['one of 10,000 letters', `Bearer ${'x'.repeat(10_000)}`],
    ['SQL', "Bearer ' or 1=1 --"],
  ])('does not come from %s', async (_name, authorization) => {
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization }
    const { status, body } = await call<ErrorBody>(shop, 'GET', '/user', { headers })
    expect([status, body.code]).toEqual([401, 'UNAUTHENTICATED'])
  })

  test('does not come from a token in the URL or a cookie, which could leak', async () => {
    const user = await makeUser(shop)
    const inAddress = await call(shop, 'GET', '/user', { query: { token: user.token, access_token: user.token } })
    const inCookie = await call(shop, 'GET', '/user', { headers: { cookie: `token=${user.token}` } })
    expect([inAddress.status, inCookie.status]).toEqual([401, 401])
  })
})
