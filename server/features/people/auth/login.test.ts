import { hash } from '@node-rs/argon2'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ErrorBody } from '../../../../shared/errors.ts'
import type { SignedInUser } from '../../../../shared/users.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { call, cartLine, checkout, makeUser, PASSWORD, registerUser } from '../../../../test/builders.ts'
import { confirmNumberOf } from '../../../../test/confirmations.ts'
import { isWaitedFor } from '../../../../test/locks.ts'
import { until } from '../../../../test/until.ts'
import { networkKey } from '../../../platform/address-key.ts'
import { chooseLane } from './choose-lane.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openTestShop()
})
afterAll(() => shop.close())

function login<T = SignedInUser>(userPhone: unknown, password: unknown, at: TestShop = shop) {
  return call<T>(at, 'POST', '/user/login', { body: { userPhone, password } })
}

describe('signing in', () => {
  test('returns the current user and a new token each time', async () => {
    const ama = await registerUser(shop, { level: 'Agent', balance: 12.5, username: 'ama serwaa' })
    const [first, second] = [await login(ama.phone, PASSWORD), await login(ama.phone, PASSWORD)]
    const { token: _token, balanceVersion: _version, ...fields } = ama
    expect(first.body).toMatchObject({ ...fields, username: 'ama serwaa', userLevel: 'Agent', isAdmin: false, balance: 12.5 })
    expect(new Set([ama.token, first.body.token, second.body.token]).size).toBe(3)
    for (const as of [ama, first.body, second.body]) expect((await call(shop, 'GET', '/user', { as })).status).toBe(200)
  })

  test('accepts phone numbers as people write them', async () => {
    const user = await registerUser(shop, { phone: '0247654321' })
    for (const phone of ['0247654321', '024 765 4321', '+233247654321']) expect((await login(phone, PASSWORD)).body._id).toBe(user._id)
  })

  test('does not take a longer number for its first ten digits', async () => {
    const { phone } = await registerUser(shop)
    for (const typed of [`${phone}0`, `${phone} / 0551234567`]) expect((await login(typed, PASSWORD)).status).toBe(400)
  })

  test.each(['NFC', 'NFD'] as const)('takes a password however its accents are composed, also by a hash from before: %s', async (form) => {
    const user = await registerUser(shop)
    const secret = 'Adwoɑ é ɛ́ Kwabénà'
    const old = await hash(secret.normalize(form), { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 })
    await shop.database.db.query('update users set password_hash = $2 where id = $1', [user._id, old])
    for (const typed of ['NFC', 'NFD'] as const) expect((await login(user.phone, secret.normalize(typed))).status).toBe(200)
    expect((await login(user.phone, secret.normalize('NFD').replace(/\p{M}/gu, ''))).status).toBe(401)
  })

  test('gives the same reply for an unknown phone and for a wrong password', async () => {
    const user = await registerUser(shop)
    const [unknown, wrong] = [await login('0209999999', PASSWORD), await login(user.phone, 'not the password')]
    const volatile = /^(date|x-request-id)$/
    const heads = [unknown, wrong].map(({ headers }) => Object.entries(headers).filter(([name]) => !volatile.test(name)))
    expect([unknown.status, unknown.body]).toEqual([401, { message: 'Wrong phone number or password.', code: 'UNAUTHENTICATED' }])
    expect([wrong.status, wrong.body, heads[1]]).toEqual([unknown.status, unknown.body, heads[0]])
  })

  test('with an unknown phone takes as much work as with a wrong password', async () => {
    const user = await registerUser(shop)
    const usedUs: Record<'unknown' | 'wrong', number[]> = { unknown: [], wrong: [] }
    await login('0209999999', 'warming up')
    for (let round = 0; round < 15; round++) {
      for (const [kind, phone] of [
        ['unknown', '0209999999'],
        ['wrong', user.phone],
      ] as const) {
        // CPU time, since on a busy machine the time by the clock says little.
        const before = process.cpuUsage()
        await login(phone, 'not the password')
        const { user: inCode, system } = process.cpuUsage(before)
        usedUs[kind].push(inCode + system)
      }
    }
    const median = (times: number[]) => times.sort((a, b) => a - b)[7]!
    // Without the hash of nobody, an unknown phone is a tenth of the work.
    expect(median(usedUs.unknown) / median(usedUs.wrong)).toBeGreaterThan(0.5)
    expect(median(usedUs.unknown) / median(usedUs.wrong)).toBeLessThan(2)
  })

  test('tells a banned user so, but only with the right password', async () => {
    const user = await registerUser(shop)
    const admin = await registerUser(shop, { level: 'Admin' })
    await call(shop, 'PUT', `/user/${user._id}/status`, { as: admin, body: { status: 'Banned' } })
    const right = await login<ErrorBody>(user.phone, PASSWORD)
    expect([right.status, right.body.code]).toEqual([403, 'BANNED'])
    expect(right.body.message).toBe('This account has been banned. Please contact us if you think that is a mistake.')
    const wrong = await login<ErrorBody>(user.phone, 'not the password')
    expect([wrong.status, wrong.body.code]).toEqual([401, 'UNAUTHENTICATED'])
  })

  test.each([
    ['no phone', undefined, PASSWORD, 'userPhone', 'Enter your phone number.'],
    ['half a phone', '024', PASSWORD, 'userPhone', /exactly 10 digits/],
    ['a phone as a number', 247654321, PASSWORD, 'userPhone', 'Enter your phone number.'],
    ['no password', '0247654321', undefined, 'password', 'Enter your password.'],
    ['an empty password', '0247654321', '', 'password', 'Enter your password.'],
    ['a password as an object', '0247654321', { $ne: null }, 'password', 'Enter your password.'],
    ['a password of 10,000 letters', '0247654321', 'x'.repeat(10_000), 'password', 'That password is too long.'],
  ])('with %s names the field', async (_name, phone, password, path, message) => {
    const { status, body } = await login<ErrorBody>(phone, password)
    expect([status, body.code, body.issues?.[0]?.path]).toEqual([400, 'INVALID', path])
    expect(body.message).toMatch(message)
  })

  test.each([
    ['a new password', `update users set password_hash = password_hash || 'x' where id = $1`],
    ['a ban', `update users set status = 'Banned' where id = $1`],
    ['a promotion, whose sessions are short', `update users set level = 'Admin' where id = $1`],
  ])('starts no session when %s happened during the password check', async (_what, change) => {
    const user = await registerUser(shop)
    const { db } = shop.database
    const holder = await db.connect()
    const sessions = async () => (await db.query('select from sessions where user_id = $1', [user._id])).rowCount
    const before = await sessions()
    await holder.query('begin')
    await holder.query(change, [user._id])
    const signingIn = login<ErrorBody>(user.phone, PASSWORD)
    await until(async () => (await isWaitedFor(holder)) || (await sessions()) !== before)
    await holder.query('commit')
    holder.release()
    const { status, body } = await signingIn
    expect([status, body.code, await sessions()]).toEqual([401, 'UNAUTHENTICATED', before])
  })

  test('an account that anybody can make waits with its network, others by themselves', async () => {
    const db = shop.database.db
    const [free, buyer, confirmed] = [await makeUser(shop), await makeUser(shop, { balance: 20 }), await makeUser(shop)]
    expect((await checkout(shop, buyer, [await cartLine(shop)])).status).toBe(200)
    await confirmNumberOf(shop, confirmed)
    const laneOf = async (user: SignedInUser, ip: string) => (await chooseLane({ db, ip }, user._id)).lane
    expect(await laneOf(free, '203.0.113.7')).toBe(networkKey('203.0.113.7'))
    for (const user of [buyer, confirmed]) {
      expect(await laneOf(user, '203.0.113.7')).toBe(await laneOf(user, '198.51.100.7'))
      expect(await laneOf(user, '203.0.113.7')).not.toBe(networkKey('203.0.113.7'))
    }
  })

  test('many times at once with one account: ten are checked, the rest are asked to wait', async () => {
    const user = await registerUser(shop)
    const replies = await Promise.all(Array.from({ length: 30 }, () => login<ErrorBody>(user.phone, PASSWORD)))
    const refused = replies.filter(({ status }) => status === 429)
    expect(replies.filter(({ status }) => status === 200).length).toBe(30 - refused.length)
    expect(refused.length).toBeGreaterThan(0)
    expect(refused.map(({ headers }) => headers['retry-after'])).toEqual(refused.map(() => '2'))
  })
})
