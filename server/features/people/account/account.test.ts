import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OwnAccount } from '../../../../shared/account.ts'
import type { ErrorBody } from '../../../../shared/errors.ts'
import type { SignedInUser, User } from '../../../../shared/users.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { call, makeUser, PASSWORD } from '../../../../test/builders.ts'
import { until } from '../../../../test/until.ts'

const NEW_PASSWORD = 'seven green umbrellas'

let shop: TestShop
beforeAll(async () => {
  shop = await openTestShop({ withSandbox: true, outsideWorld: { SMS: 'off', SUPPLIER: 'off' } })
})
afterAll(() => shop.close())

function signIn(phone: string, password = PASSWORD) {
  return call<SignedInUser & ErrorBody>(shop, 'POST', '/user/login', { body: { userPhone: phone, password } })
}
const isLive = async (as: { token: string }) => (await call(shop, 'GET', '/user/me', { as })).status === 200
const mailsTo = async (to: string) =>
  (await call<{ to: string; subject: string; body: string }[]>(shop, 'GET', '/sandbox/outbox')).body.filter((mail) => mail.to === to)

function changePassword(as: { token: string }, newPassword: string, password = PASSWORD) {
  return call<ErrorBody>(shop, 'PUT', '/user/me/password', { as, body: { password, newPassword } })
}
function changeContact(as: { token: string }, change: { email?: string; phone?: string; password?: string }) {
  return call<{ user: User } & ErrorBody>(shop, 'PUT', '/user/me/contact', { as, body: { password: PASSWORD, ...change } })
}

describe('a new password', () => {
  test('ends every other session and leaves this one; the old one signs nobody in, and a mail says so', async () => {
    const phone = await makeUser(shop)
    const laptop = (await signIn(phone.phone)).body
    const reply = await changePassword(phone, NEW_PASSWORD)
    expect([reply.status, reply.body.message]).toEqual([200, 'Your password was changed. Your other devices are signed out.'])
    expect([await isLive(phone), await isLive(laptop)]).toEqual([true, false])
    expect([(await signIn(phone.phone)).status, (await signIn(phone.phone, NEW_PASSWORD)).status]).toEqual([401, 200])
    await until(async () => (await mailsTo(phone.email)).length > 0)
    expect((await mailsTo(phone.email))[0]).toMatchObject({ subject: 'Your Dwadi password was changed' })
  })

  test('pauses lists that were planned without a PIN, and the mail says so and where webhooks go', async () => {
    const agent = await makeUser(shop, { level: 'Agent' })
    const { db } = shop.database
    await db.query(
      `with made as (
         insert into bulk_groups (user_id, name, lines, created_at, updated_at) values ($1, 'Staff', '[{}]', $2, $2) returning id
       ), hook as (
         insert into webhook_endpoints (user_id, url, events, secret, created_at)
         values ($1, 'https://thief.example/hook', '{order.delivered}', '\\x00', $2)
       )
       insert into bulk_schedules (user_id, group_id, repeats, weekday, at_time, most_pesewas, next_at, created_at, updated_at)
       select $1, id, 'weekly', 1, '08:00', 100, $2, $2, $2 from made`,
      [agent._id, shop.clock.now],
    )
    await changePassword(agent, NEW_PASSWORD)
    await until(async () => (await mailsTo(agent.email)).length > 0)
    const [mail] = await mailsTo(agent.email)
    expect(mail?.body).toContain('A list that was to be sent by itself is paused.')
    expect(mail?.body).toContain('Your webhooks go on telling of your orders: https://thief.example/hook.')
  })

  test.each([
    ['without the old one', { password: 'not the password' }, 'password', 'That is not your password.'],
    ['that many people have', { newPassword: 'password123' }, 'password', /too common/],
    ['that is too short', { newPassword: 'short' }, 'newPassword', /at least 8/],
  ])('%s is refused, and nothing changes', async (_name, wrong, path, message) => {
    const user = await makeUser(shop)
    const { status, body } = await call<ErrorBody>(shop, 'PUT', '/user/me/password', {
      as: user,
      body: { password: PASSWORD, newPassword: NEW_PASSWORD, ...wrong },
    })
    expect([status, body.issues?.[0]?.path]).toEqual([400, path])
    expect(body.message).toMatch(message)
    expect((await signIn(user.phone)).status).toBe(200)
  })

  test('chosen in two browsers at once is one of the two, and the other hears of it', async () => {
    const user = await makeUser(shop)
    const laptop = (await signIn(user.phone)).body
    const replies = await Promise.all([changePassword(user, NEW_PASSWORD), changePassword(laptop, 'nine blue umbrellas')])
    const won = replies.findIndex(({ status }) => status === 200)
    expect([401, 409, 400]).toContain(replies[1 - won]!.status)
    const works = await Promise.all(
      [NEW_PASSWORD, 'nine blue umbrellas'].map(async (one) => (await signIn(user.phone, one)).status === 200),
    )
    expect(works).toEqual([won === 0, won === 1])
  })

  test('cannot be guessed at an open screen', async () => {
    const guarded = await openTestShop({ rateLimits: true })
    const user = await makeUser(guarded)
    const guess = () => call(guarded, 'POST', '/user/me/confirm-password', { as: user, body: { password: 'not the password' } })
    const replies = await Promise.all(Array.from({ length: 12 }, guess))
    expect(replies.map(({ status }) => status).sort()).toEqual([...Array(10).fill(400), 429, 429])
    await guarded.close()
  })
})

describe('a new address', () => {
  test('is where mails go from then on, and the old one hears of it', async () => {
    const user = await makeUser(shop)
    const { status, body } = await changeContact(user, { email: 'New.Address@Example.com' })
    expect([status, body.user.email, body.user.phone]).toEqual([200, 'new.address@example.com', user.phone])
    await until(async () => (await mailsTo(user.email)).length > 0)
    expect((await mailsTo(user.email))[0]!.body).toContain('e-mail address of your Dwadi account was changed')
    expect(await mailsTo('new.address@example.com')).toEqual([])
  })

  test('ends a link for a new password that went to the old one', async () => {
    const user = await makeUser(shop)
    await shop.database.db.query(
      `insert into password_resets (token_hash, user_id, created_at, expires_at) values (sha256('link'), $1, now(), now() + interval '1 hour')`,
      [user._id],
    )
    await changeContact(user, { email: `moved-${user.email}` })
    const { rows } = await shop.database.db.query('select from password_resets where user_id = $1', [user._id])
    expect(rows).toHaveLength(0)
  })

  test('a new phone number signs in, the old one no longer', async () => {
    const user = await makeUser(shop)
    expect((await changeContact(user, { phone: '0501239876' })).body.user.phone).toBe('0501239876')
    expect([(await signIn('0501239876')).status, (await signIn(user.phone)).status]).toEqual([200, 401])
  })

  test.each(['email', 'phone'] as const)('that another account has is refused: %s', async (field) => {
    const [user, other] = [await makeUser(shop), await makeUser(shop)]
    const { status, body } = await changeContact(user, { [field]: other[field] })
    expect([status, body.code, body.issues?.[0]?.path]).toEqual([409, 'TAKEN', field])
  })

  test('needs the password, and a session', async () => {
    const user = await makeUser(shop)
    const { status, body } = await changeContact(user, { phone: '0501239877', password: 'not the password' })
    expect([status, body.issues?.[0]?.path]).toEqual([400, 'password'])
    expect((await call(shop, 'PUT', '/user/me/contact', { body: { password: PASSWORD } })).status).toBe(401)
    expect((await signIn(user.phone)).status).toBe(200)
  })
})

describe('one’s own sessions', () => {
  test('are listed, this one marked; one or all others end, and this one stays', async () => {
    const phone = await makeUser(shop)
    const [laptop, cafe] = [(await signIn(phone.phone)).body, (await signIn(phone.phone)).body]
    const list = async () => (await call<OwnAccount>(shop, 'GET', '/user/me/account', { as: phone })).body.sessions
    const sessions = await list()
    expect(sessions.map(({ current }) => current).sort()).toEqual([false, false, true])
    const end = (session?: string) =>
      call<ErrorBody>(shop, 'POST', '/user/me/sessions/end', { as: phone, body: session === undefined ? {} : { session } })
    const own = sessions.find(({ current }) => current)!
    expect((await end(own._id)).status).toBe(409)
    expect((await end('a'.repeat(24))).status).toBe(404)
    expect((await end(sessions.find(({ current }) => !current)!._id)).status).toBe(200)
    expect([await isLive(laptop), await isLive(cafe)].sort()).toEqual([false, true])
    expect((await end()).status).toBe(200)
    expect([await isLive(laptop), await isLive(cafe), await isLive(phone)]).toEqual([false, false, true])
    expect(await list()).toHaveLength(1)
  })

  test('of somebody else cannot be named', async () => {
    const [user, other] = [await makeUser(shop), await makeUser(shop)]
    const [theirs] = (await call<OwnAccount>(shop, 'GET', '/user/me/account', { as: other })).body.sessions
    expect((await call(shop, 'POST', '/user/me/sessions/end', { as: user, body: { session: theirs!._id } })).status).toBe(404)
    expect(await isLive(other)).toBe(true)
  })
})
