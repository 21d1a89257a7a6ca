import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashToken } from '../server/platform/hash-token.ts'
import { bucketOf, type RateName } from '../server/platform/shares.ts'
import { openTestShop, type TestShop } from './app.ts'
import { call, makeUser } from './builders.ts'

// Thousands of phones share a mobile operator's address: what one of them does closes nothing to the others.

let shop: TestShop
beforeAll(async () => {
  shop = await openTestShop({ rateLimits: true })
})
afterAll(() => shop.close())

let addresses = 0
function newAddress(): string {
  addresses += 1
  return `203.0.113.${addresses}`
}

async function post(path: string, payload: object, { at, browser }: { at: string; browser?: string }): Promise<number> {
  const headers = browser === undefined ? {} : { cookie: `guest=${browser}` }
  return (await shop.app.inject({ method: 'POST', url: `/api${path}`, payload, remoteAddress: at, headers })).statusCode
}

/** No shop has this name, which is found out after the call was counted. */
const pay = (phone: string, from: { at: string; browser?: string }) =>
  post(
    '/shops/no-such-shop/payment',
    { phone, items: [{ productId: randomUUID(), offer: '1GB', phoneNumber: '0244000000', amount: 5 }] },
    from,
  )

const number = (n: number) => `0245${String(n).padStart(6, '0')}`
const makeBrowser = () => randomBytes(24).toString('base64url')

/** As many calls as an address has, made by a script that keeps no cookie and types other numbers, or as an account has. */
async function useUp(name: RateName, whose: string) {
  const { name: bucket, size, everyMs } = bucketOf(name, whose)
  await shop.database.db.query('select settle_attempts($1, $2, $3, $2, $4)', [bucket, size, everyMs, shop.clock.now])
}

describe('a guest’s payments', () => {
  test('for one number are ten at an address, then one every half a minute, and others there pay on', async () => {
    const at = newAddress()
    for (let n = 0; n < 10; n++) expect(await pay(number(1), { at })).toBe(404)
    expect(await pay(number(1), { at })).toBe(429)
    expect([await pay(number(2), { at }), await pay(number(1), { at: newAddress() })]).toEqual([404, 404])
    shop.clock.advance(30_000)
    expect([await pay(number(1), { at }), await pay(number(1), { at })]).toEqual([404, 429])
  })

  test('in one browser are as many, whichever numbers it types', async () => {
    const [at, browser] = [newAddress(), makeBrowser()]
    for (let n = 0; n < 10; n++) expect(await pay(number(10 + n), { at, browser })).toBe(404)
    expect(await pay(number(30), { at, browser })).toBe(429)
    expect(await pay(number(30), { at, browser: makeBrowser() })).toBe(404)
  })

  test('go on in a browser that has paid when a script has used up what the address has, and in no invented one', async () => {
    const [at, browser] = [newAddress(), makeBrowser()]
    await useUp('guest payment', at)
    expect([await pay(number(40), { at }), await pay(number(40), { at, browser })]).toEqual([429, 429])
    await payIn(browser)
    const answers: number[] = []
    for (let n = 0; n < 11; n++) answers.push(await pay(number(41), { at, browser }))
    expect(answers).toEqual([...Array<number>(10).fill(404), 429])
    expect(await pay(number(42), { at, browser: makeBrowser() })).toBe(429)
    await shop.database.db.query(`delete from payments where guest_phone = '0245000040'`)
  })
})

test('the tracker is closed to no neighbour of whoever looks too often', async () => {
  const at = newAddress()
  const look = (n: number) => post('/track', { reference: String(800_000 + n), phoneNumber: number(50 + (n % 2)) }, { at, browser })
  const browser = makeBrowser()
  for (let n = 0; n < 30; n++) expect(await look(n)).toBe(404)
  expect(await look(31)).toBe(429)
  expect(await post('/track', { reference: '800001', phoneNumber: number(60) }, { at })).toBe(404)
})

describe('registrations', () => {
  const register = (name: string, phone: string, at: string) =>
    post('/user/register', { username: name, email: `${name.replace(' ', '.')}@example.com`, phone, password: 'correct horse 91x' }, { at })
  const usedAt = async (at: string) => {
    const { rows } = await shop.database.db.query<{ used: number }>(
      `select ceil(extract(epoch from empty_at - $2) / 6)::int as used from rate_limit_buckets where name = $1`,
      [bucketOf('register', at).name, shop.clock.now],
    )
    return rows[0]?.used
  }

  test('that are refused use up nothing of the address, up to ten for one number', async () => {
    const at = newAddress()
    expect(await register('kofi first', number(70), at)).toBe(200)
    const answers: number[] = []
    for (let n = 0; n < 10; n++) answers.push(await register(`kofi ${'abcdefghij'[n]}`, number(70), at))
    expect(answers).toEqual([...Array<number>(9).fill(409), 429])
    // Given back once each answer has been sent.
    await expect.poll(() => usedAt(at)).toBe(1)
    expect(await register('ama honest', number(71), at)).toBe(200)
  })
})

test('a withdrawal, which can be taken back, counts as money to and fro', async () => {
  const agent = await makeUser(shop, { level: 'Agent' })
  const withdraw = async () => {
    const body = { amount: 50, fee: 1, phoneNumber: '0245550100', network: 'MTN', name: 'Akosua Frimpong' }
    return (await call(shop, 'POST', '/earnings/withdrawals', { as: agent, body, headers: { 'idempotency-key': randomUUID() } })).status
  }
  // Who has no shop is told so.
  expect(await withdraw()).toBe(404)
  await useUp('money to and fro', agent._id)
  expect(await withdraw()).toBe(429)
})

/** A payment by a guest that was made in the browser. */
async function payIn(browser: string) {
  await shop.database.db.query(
    `with owner as (
       insert into users (username, username_skeleton, email, phone, password_hash, level, created_at)
       values ('shop owner', 'shopowner', 'owner@example.com', '0249000001', 'x', 'Agent', $2) returning id
     ), shop as (
       insert into agent_shops (owner_id, slug, name, colour, created_at) select id, 'shop-of-owner', 'Esi', 'green', $2 from owner returning id
     ) insert into payments (reference, shop_id, guest_phone, guest_browser, purpose, lines, price_pesewas, surcharge_pesewas, status,
         received_pesewas, created_at, settled_at)
       select 'paidinthisbrowser001', id, '0245000040', $1, 'order', '[]', 500, 0, 'paid', 500, $2, $2 from shop`,
    [hashToken(browser), shop.clock.now],
  )
}
