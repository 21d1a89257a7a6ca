import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { makeUser, PASSWORD } from '../../../../test/builders.ts'
import { until } from '../../../../test/until.ts'
import { hashToken } from '../../../platform/hash-token.ts'
import type { Bucket } from '../../../platform/rate-limiter.ts'
import { keepDevices, selectKnown } from './known-devices.sql.ts'
import { limitGuesses } from './limit-guesses.ts'
import { hashPlace } from './open-device-cookies.ts'

const MINUTE_MS = 60_000

let shop: TestShop
beforeAll(async () => {
  shop = await openTestShop({ rateLimits: true, withSandbox: true })
})
afterAll(() => shop.close())

type From = { address?: string; device?: string | undefined }
let addresses = 0

/** An address that nobody has used yet. */
function newAddress(): string {
  addresses += 1
  return `10.1.${addresses >> 8}.${addresses & 255}`
}

async function post(path: string, body: object, { address = '10.0.0.1', device }: From = {}) {
  const reply = await shop.app.inject({
    method: 'POST',
    url: `/api${path}`,
    remoteAddress: address,
    headers: device === undefined ? {} : { cookie: `theme=dark; device=${device}` },
    payload: body,
  })
  const cookie = String(reply.headers['set-cookie'] ?? '')
  return { status: reply.statusCode, body: reply.json(), headers: reply.headers, cookie, device: /^device=([^;]+)/.exec(cookie)?.[1] }
}

const login = (userPhone: string, password: string, from?: From) => post('/user/login', { userPhone, password }, from)

/** How many of the guesses were looked at. */
async function guess(phone: string, times: number, from?: From): Promise<number> {
  let looked = 0
  for (let index = 0; index < times; index++) {
    const { status } = await login(phone, `guess ${index}`, from)
    expect([401, 429]).toContain(status)
    if (status === 401) looked += 1
  }
  return looked
}

describe('guesses at one account from one address', () => {
  test('are ten, then one every 90 seconds; beyond that even the right password is not checked', async () => {
    const [victim, address] = [await makeUser(shop), newAddress()]
    expect(await guess(victim.phone, 14, { address })).toBe(10)
    const refused = await login(victim.phone, PASSWORD, { address })
    expect([refused.status, refused.body]).toEqual([
      429,
      {
        message:
          'Too many attempts. Please wait 90 seconds and try again. Or press “Forgot your password?”: the link in our mail lets you in at once, also with the password that you have.',
        code: 'TOO_MANY_REQUESTS',
      },
    ])
    expect(Number(refused.headers['retry-after'])).toBe(90)
    expect((await login(`+233${victim.phone.slice(1)}`, PASSWORD, { address })).status).toBe(429)
    shop.clock.advance(1.5 * MINUTE_MS)
    expect(await guess(victim.phone, 3, { address })).toBe(1)
    shop.clock.advance(15 * MINUTE_MS)
    expect(await guess(victim.phone, 20, { address })).toBe(10)
  })

  test('do not lock out the owner at another address', async () => {
    const [victim, address] = [await makeUser(shop), newAddress()]
    // For as long as the guesser likes.
    for (let round = 0; round < 10; round++) {
      await guess(victim.phone, 12, { address })
      expect((await login(victim.phone, PASSWORD, { address: newAddress() })).status).toBe(200)
      shop.clock.advance(5 * MINUTE_MS)
    }
  })

  test('from a few networks, however many, do not lock out the owner who comes from another', async () => {
    const victim = await makeUser(shop)
    const from = (network: number, at: number) => ({ address: `172.20.${network}.${at}` })
    let looked = 0
    for (let at = 1; at <= 12; at++) for (const network of [1, 2, 3, 4, 5, 6]) looked += await guess(victim.phone, 1, from(network, at))
    expect(looked).toBeLessThanOrEqual(36)
    expect((await login(victim.phone, PASSWORD, from(1, 99))).status).toBe(429)
    for (const network of [7, 8]) expect((await login(victim.phone, PASSWORD, from(network, 1))).status).toBe(200)
    // One guess, as long as the account is guessed at from elsewhere.
    expect(await guess(victim.phone, 3, from(9, 1))).toBe(1)
    // And twenty from all new networks together.
    for (let network = 20; network < 60; network++) looked += await guess(victim.phone, 1, from(network, 1))
    expect((await login(victim.phone, PASSWORD, from(99, 1))).status).toBe(429)
    expect(looked).toBeLessThanOrEqual(60)
  })

  test('do not lock out the owner in a known browser at the same address', async () => {
    const [victim, address] = [await makeUser(shop), newAddress()]
    const { device } = await login(victim.phone, PASSWORD, { address })
    expect(await guess(victim.phone, 14, { address })).toBe(10)
    expect((await login(victim.phone, PASSWORD, { address })).status).toBe(429)
    expect((await login(victim.phone, PASSWORD, { address, device })).status).toBe(200)
  })

  test('are not used up by correct sign-ins', async () => {
    const [user, address] = [await makeUser(shop), newAddress()]
    for (let time = 0; time < 15; time++) expect((await login(user.phone, PASSWORD, { address })).status).toBe(200)
    expect(await guess(user.phone, 14, { address })).toBe(10)
  })

  test('are counted and answered the same whether or not the account exists', async () => {
    const [user, address] = [await makeUser(shop), newAddress()]
    expect(await guess('0209999999', 14, { address })).toBe(await guess(user.phone, 14, { address }))
    const [unknown, known] = [await login('0209999999', PASSWORD, { address }), await login(user.phone, PASSWORD, { address })]
    expect([unknown.status, unknown.body]).toEqual([known.status, known.body])
  })

  test('are counted together for a whole /64 of IPv6', async () => {
    const victim = await makeUser(shop)
    let looked = 0
    for (let index = 0; index < 14; index++) looked += await guess(victim.phone, 1, { address: `2001:db8:7:7:${index}::1` })
    expect(looked).toBe(10)
    expect((await login(victim.phone, PASSWORD, { address: '2001:db8:7:8::1' })).status).toBe(200)
  })

  test('are counted by the real address, whatever X-Forwarded-For says', async () => {
    const [victim, address] = [await makeUser(shop), newAddress()]
    const statuses: number[] = []
    for (let index = 0; index < 11; index++) {
      const { statusCode } = await shop.app.inject({
        method: 'POST',
        url: '/api/user/login',
        remoteAddress: address,
        headers: { 'x-forwarded-for': `10.9.0.${index}`, 'x-real-ip': `10.9.0.${index}` },
        payload: { userPhone: victim.phone, password: 'a guess' },
      })
      statuses.push(statusCode)
    }
    expect(statuses).toEqual([...Array(10).fill(401), 429])
  })

  test('are no more when they come at the same time', async () => {
    const [victim, address] = [await makeUser(shop), newAddress()]
    const replies = await Promise.all(Array.from({ length: 40 }, (_, index) => login(victim.phone, `guess ${index}`, { address })))
    expect(replies.filter(({ status }) => status === 401)).toHaveLength(10)
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(30)
  })
})

describe('guesses at one account from many addresses', () => {
  test('are thirty, then one every 30 seconds; the owner still gets in from a known place, and after a reset', async () => {
    const [victim, home] = [await makeUser(shop), newAddress()]
    const { device } = await login(victim.phone, PASSWORD, { address: home })
    let looked = 0
    for (let index = 0; index < 50; index++) looked += await guess(victim.phone, 1, { address: newAddress() })
    expect(looked).toBe(30)
    const elsewhere = await login(victim.phone, PASSWORD, { address: newAddress() })
    expect([elsewhere.status, elsewhere.headers['retry-after']]).toEqual([429, '30'])
    expect((await login(victim.phone, PASSWORD, { address: newAddress(), device })).status).toBe(200)
    // Without the cookie, where they have signed in before.
    expect((await login(victim.phone, PASSWORD, { address: home })).status).toBe(200)

    const address = newAddress()
    const reset = await post(`/user/reset-password/${await mailedToken(victim.email)}`, { password: 'a newer password' }, { address })
    expect(reset.status).toBe(200)
    expect((await login(victim.phone, 'a newer password', { address, device: reset.device })).status).toBe(200)
    // Whoever knew the old password may have signed in there.
    expect((await login(victim.phone, 'a newer password', { address: newAddress(), device })).status).toBe(429)
  })

  test('however many, from however many networks, do not keep out whoever reads the account’s mails, who needs no new password', async () => {
    const [victim, home] = [await makeUser(shop), newAddress()]
    const { device: before } = await login(victim.phone, PASSWORD, { address: home })
    const guessOn = async () => {
      for (let index = 0; index < 60; index++) await guess(victim.phone, 1, { address: `172.21.${networks++}.1` })
    }
    let networks = 0
    await guessOn()
    const address = '172.22.1.1'
    expect((await login(victim.phone, PASSWORD, { address })).status).toBe(429)
    const token = await mailedToken(victim.email)
    const { status, device } = await post(`/user/reset-password/${token}/keep`, {}, { address })
    expect([status, device]).toEqual([200, expect.any(String)])
    // The link is used up, a browser that has not opened it stays out, and the old one stays known.
    expect((await post(`/user/reset-password/${token}/keep`, {}, { address: newAddress() })).status).toBe(400)
    await guessOn()
    expect((await login(victim.phone, PASSWORD, { address: '172.22.2.1' })).status).toBe(429)
    expect((await login(victim.phone, PASSWORD, { address: '172.22.2.1', device })).status).toBe(200)
    expect((await login(victim.phone, PASSWORD, { address: newAddress(), device: before })).status).toBe(200)
    // It opens nothing by itself, and has ten guesses as any known browser.
    expect(await guess(victim.phone, 14, { address: '172.22.2.1', device })).toBe(10)
  })

  test('are thirty in known browsers too, however many browsers there are', async () => {
    const victim = await makeUser(shop)
    const devices: (string | undefined)[] = []
    for (let index = 0; index < 5; index++) devices.push((await login(victim.phone, PASSWORD, { address: newAddress() })).device)
    let looked = 0
    for (const device of devices) looked += await guess(victim.phone, 11, { address: newAddress(), device })
    expect(looked).toBe(30)
  })

  test('start again after a new password, which also forgets known browsers and addresses', async () => {
    const victim = await makeUser(shop)
    for (let index = 0; index < 3; index++) await login(victim.phone, PASSWORD, { address: newAddress() })
    const reset = await post(`/user/reset-password/${await mailedToken(victim.email)}`, { password: 'a newer password' })
    expect(reset.status).toBe(200)
    const { rows } = await shop.database.db.query<{ hash: Buffer }>('select device_hash as hash from known_devices where user_id = $1', [
      victim._id,
    ])
    expect(rows.map(({ hash }) => hash.toString('hex')).toSorted()).toEqual(
      [hashToken(reset.device as string), hashPlace('10.0.0.1')].map((hash) => hash.toString('hex')).toSorted(),
    )
  })
})

test('a browser whose session ended while it was being remembered is not remembered', async () => {
  const user = await makeUser(shop)
  const kept = async (sessionHash: Buffer) => {
    const hash = hashToken(crypto.randomUUID())
    await keepDevices(shop.database.db, { hashes: [hash], userId: user._id, sessionHash, device: null, now: shop.clock.now })
    return (await selectKnown(shop.database.db, [hash], user.phone)).length
  }
  expect([await kept(hashToken(user.token)), await kept(hashToken('a session that has ended'))]).toEqual([1, 0])
})

describe('guesses from one address', () => {
  test('at many accounts lock nobody else out; an account that is new at the address has two attempts', async () => {
    const address = newAddress()
    await useUp(address, 0)
    for (let index = 0; index < 3; index++) expect(await guess(`020900000${index}`, 4, { address })).toBe(2)
    const user = await makeUser(shop)
    expect((await login(user.phone, PASSWORD, { address })).status).toBe(200)
  })

  test('in very large numbers lock out only accounts that are new there, for seconds', async () => {
    const [stranger, regular, address] = [await makeUser(shop), await makeUser(shop), newAddress()]
    expect((await login(regular.phone, PASSWORD, { address })).status).toBe(200)
    await useUp(address, 0)
    await useUp(address, 1)
    expect(await guess('0209111111', 2, { address })).toBe(0)
    const refused = await login(stranger.phone, PASSWORD, { address })
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '3'])
    expect((await login(regular.phone, PASSWORD, { address })).status).toBe(200)
    expect((await login(stranger.phone, PASSWORD, { address: newAddress() })).status).toBe(200)
    shop.clock.advance(3_000)
    expect((await login(stranger.phone, PASSWORD, { address })).status).toBe(200)
  })

  test('do not count when the password could not be checked', async () => {
    const [user, address] = [await makeUser(shop), newAddress()]
    await shop.database.db.query(`update users set password_hash = 'cut off' where id = $1`, [user._id])
    for (let time = 0; time < 12; time++) expect((await login(user.phone, PASSWORD, { address })).status).toBe(500)
  })

  test('do not stop two hundred customers who sign in at once, a tenth of them at the second attempt', async () => {
    const address = newAddress()
    const users = await makeUsers(200)
    const statuses = await Promise.all(
      users.map(async ({ phone }, index) => {
        if (index % 10 === 0) await guess(phone, 1, { address })
        return (await login(phone, PASSWORD, { address })).status
      }),
    )
    expect(statuses).toEqual(Array(200).fill(200))
  })
})

test('invented reset links do not block a real one', async () => {
  const [user, address] = [await makeUser(shop), newAddress()]
  for (let index = 0; index < 40; index++) {
    const { status, body } = await post(`/user/reset-password/${'A'.repeat(43)}`, { password: 'a newer password' }, { address })
    expect([status, body.issues[0].path]).toEqual([400, 'token'])
  }
  const reset = await post(`/user/reset-password/${await mailedToken(user.email)}`, { password: 'a newer password' }, { address })
  expect(reset.status).toBe(200)
})

describe('the device cookie', () => {
  test('is httpOnly and same-site, and only its hash is stored', async () => {
    const user = await makeUser(shop)
    const { cookie, device } = await login(user.phone, PASSWORD)
    expect(cookie).toMatch(/^device=[A-Za-z0-9_-]{32}; Path=\/api\/user; Max-Age=31536000; HttpOnly; SameSite=Strict$/)
    const { rows } = await shop.database.db.query('select encode(device_hash, $2) as hash from known_devices where user_id = $1', [
      user._id,
      'escape',
    ])
    expect(JSON.stringify(rows)).not.toContain(device)
  })

  test('gives ten attempts of its own and no access', async () => {
    const [victim, address] = [await makeUser(shop), newAddress()]
    const { device } = await login(victim.phone, PASSWORD, { address })
    expect(await guess(victim.phone, 14, { address, device })).toBe(10)
    expect((await login(victim.phone, PASSWORD, { address, device })).status).toBe(429)
    expect((await login(victim.phone, PASSWORD, { address })).status).toBe(200)
    const { statusCode } = await shop.app.inject({ method: 'GET', url: '/api/user', headers: { cookie: `device=${device}` } })
    expect(statusCode).toBe(401)
  })

  test('of one account does not help with another, and serves everyone who shares the browser', async () => {
    const [owner, other, address] = [await makeUser(shop), await makeUser(shop), newAddress()]
    const { device } = await login(owner.phone, PASSWORD, { address })
    expect(await guess(other.phone, 14, { address, device })).toBe(10)
    const shared = await login(other.phone, PASSWORD, { address: newAddress(), device })
    expect(shared.device).toBe(device)
    expect((await login(other.phone, PASSWORD, { address, device })).status).toBe(200)
    expect((await login(owner.phone, PASSWORD, { address, device })).device).toBe(device)
  })

  test('is replaced when we did not issue it', async () => {
    const user = await makeUser(shop)
    const made = 'A'.repeat(32)
    const { device } = await login(user.phone, PASSWORD, { device: made })
    expect(device).toMatch(/^[\w-]{32}$/)
    expect(device).not.toBe(made)
  })

  test('is not sent with a refusal, which would reveal that the account exists', async () => {
    const user = await makeUser(shop)
    expect([(await login(user.phone, 'wrong')).cookie, (await login('0208888888', 'wrong')).cookie]).toEqual(['', ''])
  })
})

/** As if as many wrong guesses had come from an address as it may send: the narrow bucket (0) or the wide one (1). */
async function useUp(address: string, which: 0 | 1) {
  const { wrong } = limitGuesses({ phone: '', ip: address, deviceHash: null, isKnownPlace: false })
  const { name, size, everyMs } = wrong[which] as Bucket
  await shop.database.db.query('select settle_attempts($1, $2, $3, $2, $4)', [name, size, everyMs, shop.clock.now])
}

async function mailedToken(email: string): Promise<string> {
  await post('/user/forget-password', { email }, { address: newAddress() })
  return until(async () => {
    const outbox = (await shop.app.inject({ method: 'GET', url: '/api/sandbox/outbox' })).json() as { to: string; body: string }[]
    return outbox.find(({ to }) => to === email)?.body.match(/reset-password\/(\S+)/)?.[1]
  })
}

/** As many users with one and the same password, which is slow to hash. */
async function makeUsers(total: number): Promise<{ phone: string }[]> {
  const { phone } = await makeUser(shop)
  const { rows } = await shop.database.db.query<{ phone: string }>(
    `insert into users (username, username_skeleton, email, phone, password_hash, level, status, created_at)
     select 'nat ' || n, 'nat ' || n, 'nat' || n || '@example.com', '0209' || lpad((500000 + n)::text, 6, '0'), u.password_hash, 'Customer', 'Active', now()
     from users u, generate_series(1, $2::integer) n where u.phone = $1 returning phone`,
    [phone, total],
  )
  for (const user of rows) await shop.database.db.query('select create_wallet(id) from users where phone = $1', [user.phone])
  return rows
}
