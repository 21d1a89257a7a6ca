import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { SignedInUser } from '../../../../shared/users.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { balanceOf, call, cartLine, checkout, makeUser, type NewUser, PASSWORD, registerUser } from '../../../../test/builders.ts'
import { confirmNumberOf } from '../../../../test/confirmations.ts'
import { until } from '../../../../test/until.ts'

const MINUTE_MS = 60_000

let shop: TestShop
beforeAll(async () => {
  shop = await openTestShop({ withSandbox: true })
})
afterAll(() => shop.close())
beforeEach(() => shop.clock.advance(25 * 60 * MINUTE_MS))

let drawn = 0
/** A number of no other test. */
const newPhone = () => `02477${String(++drawn).padStart(5, '0')}`
const query = async (sql: string, values: unknown[] = []) => (await shop.database.db.query(sql, values)).rows
const sentTo = (phone: string) => (shop.sandbox?.sms.messages() ?? []).filter(({ to }) => to.endsWith(phone.slice(1)))
type Asked = { claim: string; waitSeconds: number; message: string }
const ask = (phoneNumber: string) => call<Asked>(shop, 'POST', '/user/register/code', { body: { phoneNumber } })

/** A code that was sent to a number, as whoever has the phone reads it. */
async function receive(phone: string): Promise<{ claim: string; code: string }> {
  const before = sentTo(phone).length
  const { status, body } = await ask(phone)
  expect([status, body.waitSeconds]).toEqual([200, 60])
  const text = await until(async () => (sentTo(phone).length > before ? sentTo(phone)[0]?.body : null))
  return { claim: body.claim, code: /^(\d{6}) is your/.exec(text)?.[1] ?? '' }
}

const LETTERS = 'abcdefghij'
async function register(phone: string, number?: { claim: string; code: string }, name = 'Ama') {
  const username = `${name} ${[...phone].map((digit) => LETTERS[Number(digit)]).join('')}`
  const body = { username, email: `${name.replace(/ /g, '')}.${phone}@example.com`, phone, password: PASSWORD, number }
  return call<SignedInUser & { code: string; message: string }>(shop, 'POST', '/user/register', { body })
}
const signIn = (userPhone: string) => call<SignedInUser>(shop, 'POST', '/user/login', { body: { userPhone, password: PASSWORD } })
const wrong = (code: string) => `${code.startsWith('1') ? '2' : '1'}${code.slice(1)}`
const holderOf = async (phone: string) => (await query('select id from users where phone = $1', [phone]))[0]?.id

describe('a number that a stranger registered first', () => {
  test('is its owner’s again with the code that was sent to it; the stranger’s account keeps the rest and hears of it', async () => {
    const phone = newPhone()
    const stranger = await registerUser(shop, { phone })
    expect((await register(phone)).body).toMatchObject({ code: 'TAKEN', message: expect.stringContaining('already has an account') })
    const number = await receive(phone)
    expect(await register(phone, { ...number, code: wrong(number.code) })).toMatchObject({
      status: 400,
      body: { message: 'That is not the code. You have 4 more tries.' },
    })
    expect(await holderOf(phone)).toBe(stranger._id)

    const owner = await register(phone, number)
    expect([owner.status, owner.body.phone, owner.body.balance]).toEqual([200, phone, 0])
    expect((await call<{ confirmed: object[] }>(shop, 'GET', '/user/me/numbers', { as: owner.body })).body.confirmed).toMatchObject([
      { phoneNumber: phone },
    ])
    expect((await signIn(phone)).body._id).toBe(owner.body._id)
    // The code opened one account, and opens no other.
    expect((await register(phone, number, 'somebody else')).status).toBe(409)

    const [kept] = await query('select phone, email from users where id = $1', [stranger._id])
    expect(kept).toEqual({ phone: expect.stringMatching(/^9\d{9}$/), email: stranger.email })
    expect((await signIn(kept.phone)).body._id).toBe(stranger._id)
    const mail = await until(async () =>
      (await call<{ to: string; subject: string; body: string }[]>(shop, 'GET', '/sandbox/outbox')).body.find(
        ({ to, subject }) => to === stranger.email && subject.includes('another sign-in number'),
      ),
    )
    expect(mail.body).toContain(`${kept.phone.slice(0, 3)} ${kept.phone.slice(3, 6)} ${kept.phone.slice(6)}`)
  })

  test.each<[string, NewUser, (holder: SignedInUser) => Promise<unknown>, RegExp]>([
    ['was confirmed', {}, (holder) => confirmNumberOf(shop, holder), /confirmed it. Sign in there/],
    ['has money', { balance: 1 }, async () => null, /used before, so its money and orders stay/],
    [
      'has bought',
      { balance: 20 },
      async (holder) => checkout(shop, holder, [await cartLine(shop)]),
      /used before, so its money and orders stay/,
    ],
    ['is an agent’s', { level: 'Agent' }, async () => null, /used before, so its money and orders stay/],
    [
      'was banned',
      {},
      ({ _id }) => query(`update users set status = 'Banned' where id = $1`, [_id]),
      /used before, so its money and orders stay/,
    ],
  ])('stays with an account that %s, which is said to whoever types the code alone', async (_what, given, prepare, said) => {
    const phone = newPhone()
    const holder = await makeUser(shop, { ...given, phone })
    await prepare(holder)
    const balance = await balanceOf(shop, holder._id)
    const number = await receive(phone)
    expect(await register(phone, number)).toMatchObject({ status: 409, body: { code: 'CONFLICT', message: expect.stringMatching(said) } })
    expect(await holderOf(phone)).toBe(holder._id)
    expect(await balanceOf(shop, holder._id)).toBe(balance)
  })

  test('is not lost to guesses: five wrong ones end a code, which nobody without its claim can try', async () => {
    const phone = newPhone()
    const stranger = await registerUser(shop, { phone })
    const number = await receive(phone)
    for (let at = 0; at < 6; at++) await register(phone, { claim: crypto.randomUUID(), code: wrong(number.code) })
    for (let at = 0; at < 5; at++) expect((await register(phone, { ...number, code: wrong(number.code) })).status).toBe(400)
    expect((await register(phone, number)).body.message).toBe('That code has ended. Have a new one sent.')
    const other = newPhone()
    await registerUser(shop, { phone: other })
    shop.clock.advance(MINUTE_MS)
    // A code is good for the number that it was sent to alone.
    expect((await register(other, await receive(phone))).status).toBe(409)
    expect(await holderOf(phone)).toBe(stranger._id)
  })

  test('gets three such codes a day, a minute apart, and none where nobody has the number; together they are an eighth of the day’s SMS', async () => {
    const phone = newPhone()
    expect((await ask(phone)).body.message).toMatch(/has no account/)
    await registerUser(shop, { phone })
    await receive(phone)
    expect((await ask(phone)).body.message).toMatch(/a moment ago/)
    for (let at = 0; at < 2; at++) {
      shop.clock.advance(MINUTE_MS)
      await receive(phone)
    }
    shop.clock.advance(MINUTE_MS)
    expect((await ask(phone)).body.message).toMatch(/^We have sent enough codes to that number for today/)
    await query('update operations_settings set sms_daily_cap = 32')
    const statuses: number[] = []
    for (let at = 0; at < 2; at++) {
      const { phone: another } = await registerUser(shop, { phone: newPhone() })
      statuses.push((await ask(another)).status)
    }
    expect(statuses).toEqual([200, 409])
  })

  test('goes to one of two people who type a code at the same moment', async () => {
    const phone = newPhone()
    await registerUser(shop, { phone })
    const one = await receive(phone)
    shop.clock.advance(MINUTE_MS)
    const two = await receive(phone)
    const replies = await Promise.all([register(phone, one, 'Esi'), register(phone, two, 'Kofi')])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
  })
})
