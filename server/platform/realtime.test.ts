import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { REALTIME_API_PATH, REALTIME_PATH } from '../../shared/realtime.ts'
import type { SignedInUser } from '../../shared/users.ts'
import { openTestShop, type TestShop } from '../../test/app.ts'
import { call, cartLine, checkout, makeUser, PASSWORD, registerUser } from '../../test/builders.ts'
import { openRealtimeProbe, type RealtimeProbe } from '../../test/realtime-probe.ts'
import { allow } from '../../test/slowness.ts'
import { until } from '../../test/until.ts'
import { openPool } from './db.ts'
import { createLog } from './log.ts'
import { openRealtime } from './realtime.ts'

/** On a quiet machine. */
const AT_ONCE_MS = 1_000

let shop: TestShop
let url: string
let admin: SignedInUser
const probes: RealtimeProbe[] = []

beforeAll(async () => {
  shop = await openTestShop()
  url = await shop.app.listen({ port: 0, host: '127.0.0.1' })
  admin = await makeUser(shop, { level: 'Admin' })
})
afterEach(() => {
  for (const probe of probes.splice(0)) probe.close()
})
afterAll(() => shop.close())

async function hear(token: string | undefined, headers: Record<string, string> = {}): Promise<RealtimeProbe> {
  const probe = await openRealtimeProbe(url, token, headers)
  probes.push(probe)
  return probe
}

function changeStatus(user: SignedInUser, status: string) {
  return call(shop, 'PUT', `/user/${user._id}/status`, { as: admin, body: { status } })
}

describe('the realtime channel refuses a client', () => {
  test.each([
    ['without a token', undefined],
    ['with an empty token', ''],
    ['with a token that nobody has', 'x'.repeat(43)],
    ['with SQL for a token', "' or 1=1 --"],
  ])('%s', async (_name, token) => {
    await expect(hear(token)).rejects.toThrow('UNAUTHENTICATED')
  })

  test.each([[['x'.repeat(43)]], [{ $ne: null }], [42], [null]])('with %j for a token', async (token) => {
    await expect(hear(token as unknown as string)).rejects.toThrow('UNAUTHENTICATED')
  })

  test('whose session has expired', async () => {
    const user = await makeUser(shop)
    shop.clock.advance(31 * 24 * 3_600_000)
    await expect(hear(user.token)).rejects.toThrow('UNAUTHENTICATED')
    shop.clock.advance(-31 * 24 * 3_600_000)
    await expect(hear(user.token)).resolves.toBeDefined()
  })

  test('who is banned, or has signed out', async () => {
    const [banned, gone] = [await makeUser(shop), await makeUser(shop)]
    await changeStatus(banned, 'Banned')
    await call(shop, 'POST', '/user/logout', { as: gone })
    await expect(hear(banned.token)).rejects.toThrow('UNAUTHENTICATED')
    await expect(hear(gone.token)).rejects.toThrow('UNAUTHENTICATED')
  })

  test.each(['http://shop.evil.example', 'https://127.0.0.1', 'http://127.0.0.1.evil.example', 'null', 'file://'])(
    'from a page of %s, with a good token',
    async (origin) => {
      const user = await makeUser(shop)
      await expect(hear(user.token, { origin })).rejects.toThrow()
      const polled = await fetch(`${url}${REALTIME_PATH}?EIO=4&transport=polling`, { headers: { origin } })
      expect(polled.status).toBe(403)
    },
  )

  test('unless it comes from our own page', async () => {
    const user = await makeUser(shop)
    expect((await hear(user.token, { origin: url })).socket.connected).toBe(true)
  })
})

describe('the realtime channel answers', () => {
  const ways: [string, (token: string) => Promise<RealtimeProbe>][] = [
    ['at the origin', (token) => openRealtimeProbe(url, token)],
    ['at the origin, with the token in the Authorization header', (token) => openRealtimeProbe(url, undefined, bearer(token))],
    ['at the path below /api', (token) => openRealtimeProbe(url, token, {}, REALTIME_API_PATH)],
    ['at the path below /api, with the header', (token) => openRealtimeProbe(url, undefined, bearer(token), REALTIME_API_PATH)],
    ['a client that is given the address of the API', (token) => openRealtimeProbe(`${url}/api`, token)],
    [
      'a client that is given the address of the API, with the header',
      (token) => openRealtimeProbe(`${url}/api`, undefined, bearer(token)),
    ],
  ]
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

  test.each(ways)('%s: it gets its own and public events, once, and is closed with its session', async (_name, connect) => {
    const [ama, kofi] = [await makeUser(shop, { balance: 20 }), await makeUser(shop, { balance: 20 })]
    const probe = await connect(ama.token)
    probes.push(probe)
    await checkout(shop, kofi, [await cartLine(shop)])
    await checkout(shop, ama, [await cartLine(shop)])
    await call(shop, 'PUT', '/extra/notice', { as: admin, body: { noticeContent: 'Closed at noon' } })
    await until(() => probe.heard.some(({ event }) => event === 'noticeUpdated'))
    expect(probe.heard.map(({ event }) => event)).toEqual(['ordersUpdated', 'CurrUserUpdated', 'noticeUpdated'])
    await changeStatus(ama, 'Banned')
    await until(() => probe.closed() !== null)
  })

  test.each(ways)('%s: nobody without a session', async (_name, connect) => {
    await expect(connect('x'.repeat(43))).rejects.toThrow('UNAUTHENTICATED')
  })

  test.each(['', '/api'])('never to a token in the address: %j', async (base) => {
    const { token } = await makeUser(shop)
    await expect(openRealtimeProbe(`${url}${base}?token=${token}`, undefined)).rejects.toThrow('UNAUTHENTICATED')
  })

  test('an admin below /api as an admin', async () => {
    const probe = await openRealtimeProbe(`${url}/api`, admin.token)
    probes.push(probe)
    const ama = await makeUser(shop, { balance: 20 })
    await checkout(shop, ama, [await cartLine(shop)])
    await until(() => probe.heard.some(({ event, payload }) => event === 'ordersUpdated' && payload.user === ama.username))
    expect(shop.app.realtime.sessions().length).toBeGreaterThan(0)
  })
})

describe('a customer', () => {
  test('gets events only about themself while others buy, register and pay', async () => {
    const [ama, kofi] = [await makeUser(shop, { balance: 20 }), await makeUser(shop, { balance: 100 })]
    const probe = await hear(ama.token)
    const line = await cartLine(shop)
    for (let round = 0; round < 10; round++) {
      const { body } = await checkout(shop, kofi, [line])
      await call(shop, 'PUT', `/order/update-status/${body.orders[0]!._id}`, {
        as: admin,
        body: { status: round % 2 ? 'rejected' : 'completed' },
      })
      await call(shop, 'PUT', '/user/balance', { as: admin, body: { chosenId: kofi._id, amount: 1 } })
      await makeUser(shop)
    }
    await checkout(shop, ama, [line])
    // One channel keeps the order, so what was meant for others would have come before this.
    await until(() => probe.heard.some(({ event }) => event === 'CurrUserUpdated'), AT_ONCE_MS)
    expect(probe.heard.map(({ event }) => event)).toEqual(['ordersUpdated', 'CurrUserUpdated'])
    expect(probe.heard[0]!.payload).toMatchObject({ user: ama.username, status: 'pending' })
    expect(probe.heard[1]!.payload).toMatchObject({ _id: ama._id, balance: 14.5, totalPurchase: 5.5 })
    for (const secret of [kofi._id, kofi.username, kofi.email, kofi.phone]) expect(JSON.stringify(probe.heard)).not.toContain(secret)
  })

  test('gets a decision and the refund on every device', async () => {
    const ama = await makeUser(shop, { balance: 20 })
    const { body: laptop } = await call<SignedInUser>(shop, 'POST', '/user/login', { body: { userPhone: ama.phone, password: PASSWORD } })
    const { body } = await checkout(shop, ama, [await cartLine(shop)])
    const devices = [await hear(ama.token), await hear(laptop.token)]
    await call(shop, 'PUT', `/order/update-status/${body.orders[0]!._id}`, { as: admin, body: { status: 'rejected' } })
    for (const { heard } of devices) {
      await until(() => heard.length === 2, AT_ONCE_MS)
      expect(heard).toEqual([
        { event: 'ordersUpdated', payload: { ...body.orders[0], status: 'rejected', actionTimestamp: '21/11/2026 12:00:00' } },
        { event: 'CurrUserUpdated', payload: expect.objectContaining({ balance: 20, totalPurchase: 0 }) },
      ])
    }
  })

  test('gets balances with increasing versions, so that a late one is not shown', async () => {
    const ama = await makeUser(shop, { balance: 100 })
    const probe = await hear(ama.token)
    const line = await cartLine(shop)
    await Promise.all(Array.from({ length: 10 }, () => checkout(shop, ama, [line])))
    await until(() => probe.heard.length === 20, AT_ONCE_MS)
    const told = probe.heard.flatMap(({ event, payload }) => (event === 'CurrUserUpdated' ? [payload] : []))
    const byVersion = told.toSorted((a, b) => a.balanceVersion - b.balanceVersion)
    expect(new Set(told.map(({ balanceVersion }) => balanceVersion)).size).toBe(10)
    expect(byVersion.map(({ balance }) => balance)).toEqual(Array.from({ length: 10 }, (_, index) => (10_000 - 550 * (index + 1)) / 100))
  })

  test('gets no event about a refused purchase', async () => {
    const ama = await makeUser(shop, { balance: 6 })
    const probe = await hear(ama.token)
    const line = await cartLine(shop)
    await checkout(shop, ama, [line, line])
    await checkout(shop, ama, [line])
    await until(() => probe.heard.length >= 2, AT_ONCE_MS)
    expect(probe.heard.map(({ event }) => event)).toEqual(['ordersUpdated', 'CurrUserUpdated'])
  })

  test('cannot join others’ rooms, nor make the server send anything', async () => {
    const [ama, kofi] = [await makeUser(shop), await makeUser(shop, { balance: 20 })]
    const probe = await hear(ama.token)
    const watching = await hear(admin.token)
    const emit = probe.socket.emit.bind(probe.socket) as unknown as (event: string, ...args: unknown[]) => void
    emit('join', 'staff:owner')
    emit('subscribe', `user:${kofi._id}`)
    emit('userUpdated', { ...ama, isAdmin: true, balance: 1_000 })
    emit('ordersUpdated', { _id: 'x' })
    await checkout(shop, kofi, [await cartLine(shop)])
    await until(() => watching.heard.length >= 2, AT_ONCE_MS)
    expect(watching.heard.map(({ payload }) => ('_id' in payload ? payload._id : null))).not.toContain('x')
    await changeStatus(ama, 'Active')
    await until(() => probe.heard.length >= 1, AT_ONCE_MS)
    expect(probe.heard.map(({ event }) => event)).toEqual(['CurrUserUpdated'])
  })

  test('who sends a frame of 20 KB is disconnected, and the shop continues', async () => {
    const probe = await hear((await makeUser(shop)).token)
    ;(probe.socket.emit as unknown as (event: string, text: string) => void)('x', 'x'.repeat(20_000))
    await until(() => probe.closed() !== null, AT_ONCE_MS)
    expect((await call(shop, 'GET', '/product')).status).toBe(200)
  })
})

describe('an admin', () => {
  test('gets new users, orders and balances', async () => {
    const probe = await hear(admin.token)
    const ama = await registerUser(shop, { balance: 20 })
    await checkout(shop, ama, [await cartLine(shop)])
    await until(() => probe.heard.length >= 3, AT_ONCE_MS)
    expect(probe.heard).toEqual([
      { event: 'userUpdated', payload: expect.objectContaining({ _id: ama._id, balance: 0 }) },
      { event: 'ordersUpdated', payload: expect.objectContaining({ user: ama.username, status: 'pending' }) },
      { event: 'userUpdated', payload: expect.objectContaining({ _id: ama._id, balance: 14.5 }) },
    ])
    expect(JSON.stringify(probe.heard)).not.toMatch(/argon2|password/i)
  })

  test('who is demoted is disconnected at once, and gets a customer’s events when they return', async () => {
    const former = await makeUser(shop, { level: 'Admin' })
    const before = await hear(former.token)
    await call(shop, 'PUT', `/user/${former._id}/level`, { as: admin, body: { userLevel: 'Customer' } })
    await until(() => before.closed() !== null, AT_ONCE_MS)
    const after = await hear(former.token)
    await makeUser(shop)
    await changeStatus(former, 'Active')
    await until(() => after.heard.length >= 1, AT_ONCE_MS)
    expect(after.heard.map(({ event }) => event)).toEqual(['CurrUserUpdated'])
  })

  test('who was just promoted gets an admin’s events after signing in again', async () => {
    const user = await makeUser(shop)
    const before = await hear(user.token)
    await call(shop, 'PUT', `/user/${user._id}/level`, { as: admin, body: { userLevel: 'Admin' } })
    await until(() => before.closed() !== null, AT_ONCE_MS)
    const { body: signedIn } = await call<SignedInUser>(shop, 'POST', '/user/login', {
      body: { userPhone: user.phone, password: PASSWORD },
    })
    const after = await hear(signedIn.token)
    const other = await registerUser(shop)
    await until(() => after.heard.length >= 1, AT_ONCE_MS)
    expect(after.heard[0]).toMatchObject({ event: 'userUpdated', payload: { _id: other._id } })
  })
})

describe('the server closes', () => {
  test('all channels of a banned user, within a second, and no others', async () => {
    const [ama, kofi] = [await makeUser(shop), await makeUser(shop)]
    const { body: laptop } = await call<SignedInUser>(shop, 'POST', '/user/login', { body: { userPhone: ama.phone, password: PASSWORD } })
    const [phone, second, others] = [await hear(ama.token), await hear(laptop.token), await hear(kofi.token)]
    await changeStatus(ama, 'Banned')
    await until(() => phone.closed() !== null && second.closed() !== null, AT_ONCE_MS)
    expect([phone.closed(), second.closed(), others.closed()]).toEqual(['io server disconnect', 'io server disconnect', null])
  })

  test('the channel of a session that signs out, and not those of the same user elsewhere', async () => {
    const ama = await makeUser(shop)
    const { body: laptop } = await call<SignedInUser>(shop, 'POST', '/user/login', { body: { userPhone: ama.phone, password: PASSWORD } })
    const [phone, other] = [await hear(ama.token), await hear(laptop.token)]
    await call(shop, 'POST', '/user/logout', { as: ama })
    await until(() => phone.closed() !== null, AT_ONCE_MS)
    expect(other.closed()).toBeNull()
  })
})

test.each<[string, object | null]>([
  ['is banned, or signs out,', null],
  ['is demoted', { roles: [] }],
])('a user who %s while their socket joins its rooms is not let in', async (_name, change) => {
  const server = createServer()
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const user = { id: crypto.randomUUID(), roles: ['owner'] as const, sessionHash: Buffer.from('a session') }
  let looks = 0
  const realtime = openRealtime({
    server,
    log: createLog('silent'),
    async authenticate() {
      looks += 1
      if (looks === 1) return user
      // Whoever closed their sockets a moment ago found none of the first look's.
      return change && { ...user, ...change }
    },
  })
  const { port } = server.address() as AddressInfo
  await expect(openRealtimeProbe(`http://127.0.0.1:${port}`, 't'.repeat(43))).rejects.toThrow('UNAUTHENTICATED')
  expect(looks).toBe(2)
  await realtime.close()
})

test('a notice is announced to everyone who is signed in', async () => {
  const [probe, adminProbe] = [await hear((await makeUser(shop)).token), await hear(admin.token)]
  await call(shop, 'PUT', '/extra/notice', { as: admin, body: { noticeContent: 'Closed on Farmers Day' } })
  for (const { heard } of [probe, adminProbe]) {
    await until(() => heard.length >= 1, AT_ONCE_MS)
    expect(heard[0]).toMatchObject({ event: 'noticeUpdated', payload: { noticeContent: 'Closed on Farmers Day' } })
  }
})

test('a handshake that asks for another namespace is refused', async () => {
  const user = await makeUser(shop)
  await expect(openRealtimeProbe(`${url}/admin`, user.token)).rejects.toThrow('Invalid namespace')
})

test('a connection that is still being opened as the shop closes does not keep the database pool from ending', async () => {
  const pool = openPool({ url: shop.database.url, size: 2, log: createLog('silent'), name: 'realtime test' })
  const both = await Promise.all([pool.connect(), pool.connect()])
  const server = createServer()
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const realtime = openRealtime({ server, log: createLog('silent'), authenticate: async () => null, shared: pool })
  expect(pool.waitingCount).toBeGreaterThan(0)
  await realtime.close()
  for (const client of both) client.release()
  await until(() => pool.waitingCount === 0)
  await pool.end()
  expect(pool.totalCount).toBe(0)
})

test('what is announced at the same moment reaches other processes in its order, by one statement', async () => {
  const pool = openPool({ url: shop.database.appUrl, size: 4, log: createLog('silent'), name: 'dwadi-test-gathered' })
  const notified: string[] = []
  const counted = new Proxy(pool, {
    get(target, name) {
      if (name !== 'query') return Reflect.get(target, name).bind?.(target) ?? Reflect.get(target, name)
      return (text: string, values: unknown[]) => {
        if (text.includes('pg_notify')) notified.push(JSON.stringify(values))
        return target.query(text, values)
      }
    },
  })
  const user = { id: crypto.randomUUID(), roles: [], sessionHash: Buffer.from('a session of theirs') }
  const [here, there] = [createServer(), createServer()]
  const open = (server: typeof here) => openRealtime({ server, log: createLog('silent'), authenticate: async () => user, shared: counted })
  const processes = [open(here), open(there)]
  await Promise.all([here, there].map((server) => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))))
  const probe = await openRealtimeProbe(`http://127.0.0.1:${(there.address() as AddressInfo).port}`, 't'.repeat(43))
  const tell = (noticeContent: string) => processes[0]?.announce({ user: user.id }, 'noticeUpdated', { noticeContent } as never)
  // Both processes listen by the time that the first one is heard.
  await until(() => {
    tell('first')
    return probe.heard.length > 0
  }, AT_ONCE_MS * 5)
  for (const word of ['one', 'two', 'three']) tell(word)
  const words = () =>
    probe.heard.map(({ payload }) => (payload as { noticeContent: string }).noticeContent).filter((word) => word !== 'first')
  await until(() => words().length === 3, AT_ONCE_MS * 5)
  expect(words()).toEqual(['one', 'two', 'three'])
  expect(notified.filter((values) => /one|two|three/.test(values))).toEqual([expect.stringMatching(/one.*two.*three/)])
  probe.close()
  await Promise.all(processes.map((one) => one.close()))
  await pool.end()
})

test('a phone that lost its signal does not keep the shop from closing', async () => {
  const other = await openTestShop()
  const address = await other.app.listen({ port: 0, host: '127.0.0.1' })
  const phone = request(`${address}${REALTIME_PATH}?EIO=4&transport=websocket`, {
    headers: {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    },
  })
  phone.end()
  // It takes what it is sent and never answers, a goodbye neither.
  const [, line] = (await once(phone, 'upgrade')) as [unknown, Duplex]
  line.resume()
  const since = performance.now()
  await other.close()
  expect(performance.now() - since).toBeLessThan(allow(5_000))
  line.destroy()
})
