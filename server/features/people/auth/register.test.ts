import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ErrorBody } from '../../../../shared/errors.ts'
import { type SignedInUser, username as usernameSchema } from '../../../../shared/users.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { call, makeUser, PASSWORD } from '../../../../test/builders.ts'
import { atAGlance, foldUsername } from '../users/fold-username.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openTestShop()
})
afterAll(() => shop.close())

let count = 0
function someone(given: Record<string, unknown> = {}) {
  count += 1
  return {
    username: `newcomer ${count}`,
    email: `newcomer${count}@example.com`,
    phone: `026${count.toString().padStart(7, '0')}`,
    password: 'a good password',
    ...given,
  }
}

function register<T = SignedInUser>(body: unknown) {
  return call<T>(shop, 'POST', '/user/register', { body })
}

async function countUsers(): Promise<number> {
  const { rows } = await shop.database.db.query<{ total: number }>('select count(*) as total from users')
  return rows[0]!.total
}

describe('registering', () => {
  test('makes an active customer with nothing in the wallet, and signs them in', async () => {
    const { status, body } = await register(someone({ username: '  Esi Boateng ', email: ' ESI@Example.com', phone: '0551112223' }))
    expect(status).toBe(200)
    expect(body).toEqual({
      _id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      username: 'esi boateng',
      email: 'esi@example.com',
      phone: '0551112223',
      userLevel: 'Customer',
      isAdmin: false,
      status: 'Active',
      totalPurchase: 0,
      balance: 0,
      balanceVersion: 0,
      createdAt: '2026-11-21T12:00:00.000Z',
      token: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
    })
    const { body: users } = await call<SignedInUser[]>(shop, 'GET', '/user', { as: body })
    expect(users.map((user) => user._id)).toEqual([body._id])
  })

  test('and signing in with the same password works', async () => {
    const details = someone({ password: '  spaces count  ' })
    await register(details)
    const right = await call(shop, 'POST', '/user/login', { body: { userPhone: details.phone, password: '  spaces count  ' } })
    const trimmed = await call(shop, 'POST', '/user/login', { body: { userPhone: details.phone, password: 'spaces count' } })
    expect([right.status, trimmed.status]).toEqual([200, 401])
  })

  test.each([
    ['no username', { username: undefined }, 'username', 'Enter a username.'],
    ['an empty username', { username: ' ' }, 'username', 'Enter a username.'],
    ['letters of another alphabet', { username: 'аma' }, 'username', /^Use letters, digits, spaces and/],
    ['no e-mail address', { email: undefined }, 'email', 'Enter your e-mail address.'],
    ['no real e-mail address', { email: 'esi@example' }, 'email', 'Enter a valid e-mail address, like ama@example.com.'],
    ['a phone of nine digits', { phone: '055111222' }, 'phone', /^Enter a phone number of exactly 10 digits/],
    ['a phone of eleven digits', { phone: '05511122233' }, 'phone', /^Enter a phone number of exactly 10 digits/],
    ['a phone as a number', { phone: 551112223 }, 'phone', /^Enter a phone number of exactly 10 digits/],
    ['a password of seven letters', { password: '1234567' }, 'password', 'The password must be at least 8 characters long.'],
    ['a password of 129 letters', { password: 'x'.repeat(129) }, 'password', 'The password must be at most 128 characters long.'],
    ['a password that everybody has', { password: 'Password123' }, 'password', /^That password is too common/],
    ['the shop’s own name as password', { password: 'dwadi 2026' }, 'password', /^That password is too common/],
    ['their own number as password', { phone: '0277654321', password: '0277654321' }, 'password', /too easy to guess as a password/],
    ['no password', { password: undefined }, 'password', 'Enter a password.'],
  ])('with %s names the field and creates no account', async (_name, wrong, path, message) => {
    const before = await countUsers()
    const { status, body } = await register<ErrorBody>(someone(wrong))
    expect([status, body.code, body.issues?.map((issue) => issue.path)]).toEqual([400, 'INVALID', [path]])
    expect(body.message).toMatch(message)
    expect(await countUsers()).toBe(before)
  })

  test('with several faults names each of them', async () => {
    const { body } = await register<ErrorBody>({})
    expect(body.issues?.map((issue) => issue.path)).toEqual(['username', 'email', 'phone', 'password'])
  })

  test.each([
    ['the username', { username: 'kofi mensah' }, 'username'],
    ['the username in capitals', { username: 'KOFI Mensah' }, 'username'],
    ['a username that looks like it: a zero', { username: 'k0fi mensah' }, 'username'],
    ['a username that looks like it: a one', { username: 'kof1 mensah' }, 'username'],
    ['a username that looks like it: an l', { username: 'kofl mensah' }, 'username'],
    ['a username that looks like it: rn for m', { username: 'kofi rnensah' }, 'username'],
    ['a username that looks like it: other signs between', { username: 'kofi.men-sah' }, 'username'],
    ['a username that looks like it: an accent', { username: 'kófi meñsah' }, 'username'],
    ['a username that looks like it: a letter of Twi', { username: 'kɔfi mɛnsah' }, 'username'],
    ['the e-mail address', { email: 'kofi@example.com' }, 'email'],
    ['the e-mail address in capitals', { email: 'KOFI@example.COM' }, 'email'],
    ['the phone', { phone: '0244445556' }, 'phone'],
  ])('with %s of somebody else is refused, and names the field', async (_name, taken, path) => {
    await register(someone({ username: 'kofi mensah', email: 'kofi@example.com', phone: '0244445556' }))
    const before = await countUsers()
    const { status, body } = await register<ErrorBody>(someone(taken))
    expect([status, body.code, body.issues?.map((issue) => issue.path)]).toEqual([409, 'TAKEN', [path]])
    expect(body.message).toBe(body.issues?.[0]?.message)
    expect(await countUsers()).toBe(before)
  })

  test.each([
    ...[
      'admin',
      'aclmin',
      'adm1n',
      'admln',
      'ad.min',
      'Ádmin',
      'adrnin',
      'kofi admin',
      'dwadi',
      'dwadi support',
      'Dw4di',
      'dvvadi',
      'clwadi',
    ],
    ...[
      'd w a d i gh',
      'support',
      'Shop-Support',
      'suppоrt'.replace('о', '0'),
      'customer care',
      'the manager',
      'mtn staff',
      'official agent',
      'Owner',
      'the 0wner',
    ],
    ...['nana yaw', 'n4na yaw', 'nana.yavv'],
  ])('as %j is refused, since it could be mistaken for the shop or for its admin Nana Yaw', async (username) => {
    await makeUser(shop, { username: 'nana yaw', phone: '0277777777', email: 'nana@example.com', level: 'Admin' }).catch(() => null)
    const before = await countUsers()
    const { status, body } = await register<ErrorBody>(someone({ username }))
    expect([status, body.code, body.issues?.map((issue) => issue.path)]).toEqual([409, 'TAKEN', ['username']])
    expect(await countUsers()).toBe(before)
  })

  test('folds every permitted letter to a plain one, so that look-alike names collide', () => {
    const letters = Array.from({ length: 0x2fff }, (_, code) => String.fromCodePoint(code)).filter(
      (letter) => usernameSchema.safeParse(`x${letter}x`).success && /\p{L}/u.test(letter),
    )
    expect(letters.length).toBeGreaterThan(500)
    expect(letters.filter((letter) => !/^x[a-z0-9]+x$/.test(foldUsername(usernameSchema.parse(`x${letter}x`))))).toEqual([])
    expect(['ẚdmin', 'ẛupport'].map(atAGlance)).toEqual(['admin', 'support'].map(atAGlance))
  })

  test.each(['nana yaa', 'clement', 'adwoa', 'agnes mante', 'caretaker', 'rooted', 'Oforiwaa Adomi'])('as %j is fine', async (username) => {
    expect((await register(someone({ username }))).status).toBe(200)
  })

  test('does not lock out users whose name was allowed earlier', async () => {
    const user = await makeUser(shop)
    await shop.database.db.query(`update users set username = '0241112223', username_skeleton = 'o24lll2223' where id = $1`, [user._id])
    const { status, body } = await call(shop, 'POST', '/user/login', { body: { userPhone: user.phone, password: PASSWORD } })
    expect([status, body.username]).toEqual([200, '0241112223'])
  })

  test.each(['username', 'email', 'phone'])('32 times at once with one %s makes exactly one user', async (field) => {
    const shared = someone()[field as 'username']
    const before = await countUsers()
    const replies = await Promise.all(Array.from({ length: 32 }, () => register<ErrorBody>(someone({ [field]: shared }))))
    const refused = replies.filter(({ status }) => status !== 200)
    expect(refused).toHaveLength(31)
    expect(new Set(refused.map(({ status, body }) => `${status} ${body.code} ${body.issues?.[0]?.path}`))).toEqual(
      new Set([`409 TAKEN ${field}`]),
    )
    expect(await countUsers()).toBe(before + 1)
  })

  test.each([
    { isAdmin: true },
    { userLevel: 'Admin' },
    { level: 'Admin' },
    { balance: 1000, balancePesewas: 100_000 },
    { totalPurchase: 1000 },
    { status: 'Banned' },
    { _id: randomUUID(), id: randomUUID() },
    { token: 'x'.repeat(43) },
    { role: ['admin'], roles: ['Admin'] },
    { createdAt: '2000-01-01T00:00:00Z' },
    { newUser: { isAdmin: true } },
    { prototype: { isAdmin: true } },
  ])('ignores other fields of the request: %j', async (forged) => {
    const { status, body } = await register({ ...someone(), ...forged })
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({
        userLevel: 'Customer',
        isAdmin: false,
        status: 'Active',
        balance: 0,
        totalPurchase: 0,
        createdAt: shop.clock.now.toISOString(),
      }),
    ])
    for (const value of Object.values(forged)) expect([body._id, body.token]).not.toContain(value)
    const { rows } = await shop.database.db.query('select level, status from users where id = $1', [body._id])
    expect(rows).toEqual([{ level: 'Customer', status: 'Active' }])
    expect((await call(shop, 'PUT', `/user/${body._id}/level`, { as: body, body: { userLevel: 'Admin' } })).status).toBe(403)
  })

  test('while signed in as someone else creates an independent account', async () => {
    const admin = await makeUser(shop, { level: 'Admin' })
    const { body } = await call<SignedInUser>(shop, 'POST', '/user/register', { as: admin, body: someone({ userLevel: 'Admin' }) })
    expect(body.userLevel).toBe('Customer')
  })

  test('never stores or returns a password', async () => {
    const details = someone({ password: 'Kumasi-1995-secret' })
    const { body } = await register(details)
    expect(JSON.stringify(body)).not.toContain(details.password)
    const { rows } = await shop.database.db.query<{ hash: string }>('select password_hash as hash from users where id = $1', [body._id])
    expect(rows[0]!.hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  })
})
