import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Sandbox } from '../../../../sandbox/open-sandbox.ts'
import type { SignedInUser } from '../../../../shared/users.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { call, cartLine, checkout, makeUser, PASSWORD } from '../../../../test/builders.ts'
import { confirmNumberOf } from '../../../../test/confirmations.ts'
import { until } from '../../../../test/until.ts'

const CAP = 5
const DAY_MS = 86_400_000

let shop: TestShop
let mail: Sandbox['mail']
beforeAll(async () => {
  shop = await openTestShop({ withSandbox: true, outsideWorld: { MAIL_DAILY_CAP: String(CAP) } })
  mail = (shop.sandbox as Sandbox).mail
})
afterAll(() => shop.close())

async function day() {
  const today = shop.clock.now.toISOString().slice(0, 10)
  const { rows } = await shop.database.db.query('select used, warned, full_warned as full from mail_days where day = $1', [today])
  return rows[0]
}

/** Asks in the name of so many users, and waits until all of it is dealt with. */
async function askAs(users: SignedInUser[]) {
  for (const { email } of users) await call(shop, 'POST', '/user/forget-password', { body: { email } })
  await until(async () => {
    const { rows } = await shop.database.db.query('select from password_reset_requests where try_at is not null')
    return rows.length === 0
  })
}

const someUsers = (count: number, level: 'Agent' | 'Customer' = 'Agent') =>
  Promise.all(Array.from({ length: count }, () => makeUser(shop, { level })))
const mailsOf = (users: SignedInUser[]) => mail.messages().filter(({ to }) => users.some(({ email }) => email === to))

test('mails are capped per day, with alarms at 80 % and 100 %; the next day starts again', async () => {
  const users = await someUsers(3)
  await askAs(users)
  expect([mailsOf(users).length, await day()]).toEqual([3, { used: 3, warned: false, full: false }])
  const fourth = await someUsers(1)
  await askAs(fourth)
  expect([mailsOf(fourth).length, await day()]).toEqual([1, { used: 4, warned: true, full: false }])
  const more = await someUsers(4)
  await askAs(more)
  expect([mailsOf(more).length, await day()]).toEqual([1, { used: CAP, warned: true, full: true }])
  const { rows } = await shop.database.db.query('select count(*) as refused from password_reset_requests where last_error = $1', [
    'the mails of the day are used up',
  ])
  expect(rows).toEqual([{ refused: 3 }])

  shop.clock.advance(DAY_MS)
  const [next] = await someUsers(1)
  await askAs([next as SignedInUser])
  expect([mailsOf([next as SignedInUser]).length, await day()]).toEqual([1, { used: 1, warned: false, full: false }])
})

test('a mail counts only once the mail service accepts it', async () => {
  shop.clock.advance(DAY_MS)
  const users = await someUsers(1)
  mail.addFault({ kind: 'refuse', code: 550, times: 1 })
  await askAs(users)
  expect([mailsOf(users).length, await day()]).toEqual([0, { used: 0, warned: false, full: false }])
})

test('a changed password is reported by mail even after the daily cap is reached', async () => {
  shop.clock.advance(DAY_MS)
  const [owner, ...others] = (await someUsers(CAP)) as [SignedInUser, ...SignedInUser[]]
  await askAs([owner])
  const token = /\/reset-password\/([\w-]+)/.exec(mailsOf([owner])[0]?.body ?? '')?.[1]
  await askAs(others)
  expect(await day()).toMatchObject({ used: CAP })
  const reply = await call(shop, 'POST', `/user/reset-password/${token}`, { body: { password: 'another good password' } })
  expect(reply.status).toBe(200)
  await until(() => mailsOf([owner]).length === 2)
  expect(mailsOf([owner]).some(({ subject }) => subject === 'Your Dwadi password was changed')).toBe(true)
  expect(await day()).toMatchObject({ used: CAP, full: false })
})

test('notices leave half of the day to mails about passwords', async () => {
  shop.clock.advance(DAY_MS)
  const [restless, waiting] = (await someUsers(2)) as [SignedInUser, SignedInUser]
  for (let index = 0; index < CAP; index++) {
    const body = { password: PASSWORD, phone: `024199990${index}` }
    expect((await call(shop, 'PUT', '/user/me/contact', { as: restless, body })).status).toBe(200)
    await until(() => mailsOf([restless]).length === index + 1)
  }
  expect(await day()).toMatchObject({ used: 3, full: false })
  await askAs([waiting])
  expect([mailsOf([waiting]).length, await day()]).toEqual([1, { used: 4, warned: true, full: false }])
})

test('accounts that nobody knows anything of have a quarter of the day together, of password mails and notices, and keep none from the others', async () => {
  shop.clock.advance(DAY_MS)
  const strangers = await someUsers(CAP, 'Customer')
  await askAs(strangers)
  expect([mailsOf(strangers).length, (await day()).used]).toEqual([2, 2])
  // Their notices are sent, since they warn, but use up nothing of the others'.
  const body = { password: PASSWORD, phone: '0241888800' }
  expect((await call(shop, 'PUT', '/user/me/contact', { as: strangers[4]!, body })).status).toBe(200)
  await until(() => mailsOf(strangers).length === 3)
  expect((await day()).used).toBe(2)
  const [buyer, confirmed] = [await makeUser(shop, { balance: 20 }), await makeUser(shop)]
  expect((await checkout(shop, buyer, [await cartLine(shop)])).status).toBe(200)
  await confirmNumberOf(shop, confirmed)
  await askAs([buyer, confirmed])
  expect([mailsOf([buyer, confirmed]).length, (await day()).used]).toEqual([2, 4])
  shop.clock.advance(DAY_MS)
  const next = await someUsers(1, 'Customer')
  await askAs(next)
  expect(mailsOf(next).length).toBe(1)
})
