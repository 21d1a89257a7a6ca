import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { Server } from 'socket.io'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { SignedInUser } from '../../shared/users.ts'
import { openTestShop, type TestShop } from '../../test/app.ts'
import { call, makeUser } from '../../test/builders.ts'
import { openRealtimeProbe, type RealtimeProbe } from '../../test/realtime-probe.ts'
import { until } from '../../test/until.ts'
import { createLog } from './log.ts'
import { openMetrics } from './metrics.ts'
import { memoryBuckets, openRateLimiter } from './rate-limiter.ts'
import { openRealtime, type SocketUser } from './realtime.ts'
import { guardSockets, messagesBucket } from './socket-limits.ts'

const LIMITS = { SOCKETS_PER_USER: '4', SOCKETS_PER_ADDRESS: '10', SOCKET_MESSAGES_PER_SECOND: '20' }

let shop: TestShop
let url: string
const probes: RealtimeProbe[] = []

beforeAll(async () => {
  shop = await openTestShop({ rateLimits: true, trustedProxies: 1, outsideWorld: LIMITS })
  url = await shop.app.listen({ port: 0, host: '127.0.0.1' })
})
afterEach(async () => {
  for (const probe of probes.splice(0)) probe.close()
  await until(() => shop.app.realtime.connected() === 0)
})
afterAll(() => shop.close())

async function hear({ token }: SignedInUser, from: string): Promise<RealtimeProbe> {
  const probe = await openRealtimeProbe(url, token, { 'x-forwarded-for': from })
  probes.push(probe)
  return probe
}

const send = (probe: RealtimeProbe, count: number) => {
  for (let index = 0; index < count; index++) (probe.socket as unknown as { emit(name: string): void }).emit('anything')
}

test('handshakes count with all other requests of their address', async () => {
  const shake = async (from: string) => {
    const reply = await fetch(`${url}/socket.io/?EIO=4&transport=polling&sid=made-up`, { headers: { 'x-forwarded-for': from } })
    await reply.arrayBuffer()
    return reply.status
  }
  const left = async (from: string) =>
    Number((await shop.app.inject({ url: '/api/notice', headers: { 'x-forwarded-for': from } })).headers['x-ratelimit-remaining'])
  const before = await left('102.9.0.1')
  for (let n = 0; n < 20; n++) expect(await shake('102.9.0.1')).toBe(400)
  // The clock of the shop stands still here, so nothing comes back meanwhile.
  expect(before - (await left('102.9.0.1'))).toBe(21)
  while ((await left('102.9.0.1')) > 0) await Promise.all(Array.from({ length: 50 }, () => left('102.9.0.1')))
  expect([await shake('102.9.0.1'), await shake('102.9.0.2')]).toEqual([429, 400])
})

test('pings are answered, and whoever sends many is cut, whether they read the answers or not', async () => {
  const { port } = new URL(url)
  const socket = connect(Number(port), '127.0.0.1')
  const heard: Buffer[] = []
  socket.on('data', (data) => heard.push(data))
  const isClosed = new Promise<void>((resolve) => socket.on('close', () => resolve()))
  socket.on('error', () => undefined)
  socket.write(
    'GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 102.8.0.1\r\nUpgrade: websocket\r\n' +
      'Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  )
  await until(() => Buffer.concat(heard).includes('"sid"'))
  // A ping of RFC 6455 with the payload "ab" and a mask of zeros, and its answer.
  const ping = Buffer.from([0x89, 0x82, 0, 0, 0, 0, 0x61, 0x62])
  const pong = Buffer.from([0x8a, 2, 0x61, 0x62])
  socket.write(ping)
  await until(() => Buffer.concat(heard).includes(pong))
  socket.pause()
  for (let times = 0; times < 100; times++) socket.write(Buffer.concat(Array<Buffer>(100).fill(ping)))
  socket.resume()
  await isClosed
})

describe('sockets of one user', () => {
  test('are limited, from any address; closing one allows another, and other users are not affected', async () => {
    const [user, other] = [await makeUser(shop), await makeUser(shop)]
    const open = await Promise.all(['1', '2', '3', '4'].map((end) => hear(user, `102.0.0.${end}`)))
    await expect(hear(user, '102.0.0.5')).rejects.toThrow('TOO_MANY')
    await hear(other, '102.0.0.1')
    open[0]?.close()
    await until(() => shop.app.realtime.connected() === 4)
    await hear(user, '102.0.0.5')
    expect(open.slice(1).map((probe) => probe.closed())).toEqual([null, null, null])
  })

  test('are limited when opened all at once', async () => {
    const user = await makeUser(shop)
    const all = await Promise.allSettled(Array.from({ length: 9 }, (_, index) => hear(user, `102.1.0.${index}`)))
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(4)
  })

  test('with an unknown token do not count for them', async () => {
    const user = await makeUser(shop)
    await Promise.all([1, 2, 3, 4].map(() => hear(user, '102.2.0.1')))
    await expect(hear({ ...user, token: 'x'.repeat(43) }, '102.2.0.1')).rejects.toThrow('UNAUTHENTICATED')
  })
})

describe('sockets from one address', () => {
  test('are limited, whoever’s they are; other addresses are not affected', async () => {
    const users = await Promise.all([1, 2, 3, 4].map(() => makeUser(shop)))
    for (let index = 0; index < 10; index++) await hear(users[index % 4] as SignedInUser, '154.160.1.2')
    const late = await makeUser(shop)
    await expect(hear(late, '154.160.1.2')).rejects.toThrow()
    // What the asker says by themselves stands further away than what the proxy says.
    await expect(hear(late, '9.9.9.9, 154.160.1.2')).rejects.toThrow()
    await hear(late, '154.160.1.3')
    probes.shift()?.close()
    await until(() => shop.app.realtime.connected() === 10)
    await hear(late, '154.160.1.2')
  })

  test('are counted per /64 for IPv6', async () => {
    const users = await Promise.all([1, 2, 3, 4].map(() => makeUser(shop)))
    for (let index = 0; index < 10; index++) await hear(users[index % 4] as SignedInUser, `2001:db8:1:2::${index + 1}`)
    await expect(hear(users[0] as SignedInUser, '2001:db8:1:2:ffff::1')).rejects.toThrow()
  })
})

describe('sockets that nobody has signed in on', () => {
  test('make room beyond a total, the oldest of the address with most first; a large handshake is refused', async () => {
    const server = createServer()
    const realtime = openRealtime({
      server,
      authenticate: async (token) => ({ id: token, roles: [], sessionHash: Buffer.from(token) }),
      log: createLog('silent'),
      limits: { perUser: 10, perAddress: 100, messagesPerSecond: 20, trustedProxies: 1, notSignedIn: 5 },
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const ask = async (from: string, { sid = '', padding = '' } = {}) => {
      const reply = await fetch(`${at}/socket.io/?EIO=4&transport=polling${sid && `&sid=${sid}`}`, {
        headers: { 'x-forwarded-for': from, 'x-padding': padding },
        ...(sid && { method: 'POST', body: '3' }),
      })
      return { status: reply.status, sid: /"sid":"([^"]+)"/.exec(await reply.text())?.[1] ?? '' }
    }
    const signedIn = await openRealtimeProbe(at, 'a'.repeat(43), { 'x-forwarded-for': '102.5.0.1' })
    const neighbour = await ask('102.5.0.1')
    const flood: string[] = []
    for (let n = 0; n < 20; n++) flood.push((await ask('102.5.0.2')).sid)
    const statusOf = async (sid = '') => (await ask('102.5.0.9', { sid })).status
    expect([await statusOf(flood[0]), await statusOf(flood[15]), await statusOf(flood[16])]).toEqual([400, 400, 200])
    expect([await statusOf(neighbour.sid), signedIn.closed(), realtime.connected()]).toEqual([200, null, 6])
    expect((await ask('102.5.0.3', { padding: 'x'.repeat(9_000) })).status).toBe(431)
    signedIn.close()
    server.closeAllConnections()
    await realtime.close()
  })
})

describe('requests from one address', () => {
  const ask = (from: string) => shop.app.inject({ url: '/api/product', headers: { 'x-forwarded-for': from } })
  const left = async (from: string) => Number((await ask(from)).headers['x-ratelimit-remaining'])

  test('are counted per /64 for IPv6', async () => {
    const [first, second, elsewhere] = [await left('2001:db8:5:5::1'), await left('2001:db8:5:5:ffff::2'), await left('2001:db8:5:6::1')]
    expect([second, elsewhere]).toEqual([first - 1, first])
  })

  test('are counted per /64 for IPv6 at a route with its own limit', async () => {
    const forget = async (from: string) => {
      const options = { method: 'POST' as const, url: '/api/user/forget-password', headers: { 'x-forwarded-for': from } }
      return (await shop.app.inject({ ...options, payload: { email: 'nobody@example.com' } })).statusCode
    }
    let answered = 0
    while (answered < 200 && (await forget(`2001:db8:6:6::${(answered + 1).toString(16)}`)) === 200) answered += 1
    expect([answered > 0, answered < 200]).toEqual([true, true])
    expect([await forget('2001:db8:6:6:ffff::1'), await forget('2001:db8:6:7::1')]).toEqual([429, 200])
  })
})

describe('a socket that sends', () => {
  test('too much in a second is disconnected, and nobody else', async () => {
    const [user, other] = [await makeUser(shop), await makeUser(shop)]
    const [flooding, quiet] = [await hear(user, '41.0.0.1'), await hear(other, '41.0.0.1')]
    send(flooding, 100)
    await until(() => flooding.closed() !== null)
    await call(shop, 'GET', '/user', { as: other })
    expect(quiet.closed()).toBeNull()
  })

  test('at the limit every second stays; one more message is too much', async () => {
    let now = 0
    const limiter = openRateLimiter(memoryBuckets(), () => new Date(now))
    const send = () => limiter.take([messagesBucket(20)])
    for (let message = 0; message < 200; message++) {
      await send()
      if (message % 20 === 19) now += 1_000
    }
    for (let message = 0; message < 20; message++) await send()
    await expect(send()).rejects.toThrow('Too many attempts')
  })
})

describe('who asks to be let in', () => {
  const limits = { perUser: 10, perAddress: 100, messagesPerSecond: 20, trustedProxies: 1 }
  const TOKEN = 'x'.repeat(43)
  const asking = (namespace = '', token = TOKEN) => `40${namespace}${JSON.stringify({ token })}`
  /** As many as one request may hold. */
  const ALTERNATELY = Array.from({ length: 250 }, (_, index) => asking(index % 2 ? '/api,' : ''))

  async function listen() {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return { server, port: (server.address() as AddressInfo).port }
  }

  /** A channel of its own, which counts whom it looked up. */
  async function openChannel(authenticate: (token: string) => Promise<SocketUser | null>) {
    const lines: string[] = []
    const { server, port } = await listen()
    let looks = 0
    const look = (token: string) => {
      looks += 1
      return authenticate(token)
    }
    const log = createLog('warn', { write: (line) => void lines.push(line) })
    const realtime = openRealtime({ server, authenticate: look, log, limits })
    onTestFinished(async () => {
      server.closeAllConnections()
      await realtime.close()
    })
    return { port, lines, realtime, looks: () => looks }
  }

  /** A connection by long polling. Each packet of `say` arrives in the same request. */
  async function poll(port: number, from = '102.6.0.1') {
    const ask = async (sid: string, body?: string) => {
      const options = { headers: { 'x-forwarded-for': from }, ...(body !== undefined && { method: 'POST', body }) }
      const reply = await fetch(`http://127.0.0.1:${port}/socket.io/?EIO=4&transport=polling${sid}`, options)
      return { status: reply.status, text: await reply.text() }
    }
    const sid = `&sid=${/"sid":"([^"]+)"/.exec((await ask('')).text)?.[1]}`
    return { say: (...packets: string[]) => ask(sid, packets.join('\x1e')), hear: async () => (await ask(sid)).text }
  }

  /** A connection by websocket. Each packet of `say` is a frame of the same piece. */
  async function wire(port: number, from = '102.6.0.1') {
    const socket = connect(port, '127.0.0.1')
    let heard = ''
    let isClosed = false
    socket.on('data', (data) => {
      heard += data.toString('latin1')
      // The frame of RFC 6455 that says goodbye.
      if (heard.includes('\x88')) socket.end()
    })
    socket.on('close', () => {
      isClosed = true
    })
    socket.on('error', () => undefined)
    onTestFinished(() => void socket.destroy())
    socket.write(
      `GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${from}\r\nUpgrade: websocket\r\n` +
        'Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    )
    await until(() => heard.includes('"sid"'))
    // Text frames of RFC 6455 of up to 125 bytes, with a mask of zeros.
    const say = (...packets: string[]) =>
      socket.write(Buffer.concat(packets.map((text) => Buffer.from([0x81, 0x80 + text.length, 0, 0, 0, 0, ...Buffer.from(text)]))))
    return { say, heard: () => heard, isClosed: () => isClosed }
  }

  test.each([
    ['one request', async (port: number) => void (await (await poll(port)).say(...ALTERNATELY))],
    ['one piece of a websocket', async (port: number) => void (await wire(port)).say(...ALTERNATELY)],
  ])('with hundreds of packets in %s is heard no further than a second’s worth', async (_name, flood) => {
    const { server, port } = await listen()
    const io = new Server(server)
    guardSockets(io, limits, createLog('silent'))
    let asked = 0
    for (const namespace of [io.of('/'), io.of('/api')]) {
      namespace.use((_socket, next) => {
        asked += 1
        next(new Error('no'))
      })
    }
    await flood(port)
    await until(() => io.engine.clientsCount === 0)
    expect(asked).toBeLessThanOrEqual(20)
    server.closeAllConnections()
    await io.close()
  })

  test.each([
    ['one request', async (port: number) => void (await (await poll(port)).say(...ALTERNATELY))],
    ['one piece of a websocket', async (port: number) => void (await wire(port)).say(...ALTERNATELY.slice(0, 15))],
  ])('again and again in %s is looked up once in each namespace, and cut', async (_name, flood) => {
    const channel = await openChannel(() => new Promise(() => undefined))
    await flood(channel.port)
    await until(() => channel.realtime.connected() === 0)
    expect(channel.looks()).toBeLessThanOrEqual(2)
  })

  test('and is refused hears why, and its connection is ended', async () => {
    const channel = await openChannel(async () => null)
    const [socket, polling] = [await wire(channel.port), await poll(channel.port)]
    socket.say(asking())
    await until(() => socket.isClosed())
    expect(socket.heard()).toContain('44{"message":"UNAUTHENTICATED"}')
    await polling.say(asking())
    await until(() => channel.looks() === 2)
    expect(await polling.hear()).toContain('44{"message":"UNAUTHENTICATED"}')
    for (let n = 0; n < 10; n++) await polling.say(asking('/api,'))
    await polling.hear()
    await until(() => channel.realtime.connected() === 0)
    expect(channel.looks()).toBe(2)
  })

  test.each(['', 'x'.repeat(42), 'x'.repeat(44), `${'x'.repeat(42)}'`, `${'x'.repeat(43)}\n`])(
    'with %j for a token is not looked up',
    async (token) => {
      const channel = await openChannel(async () => null)
      const socket = await wire(channel.port)
      socket.say(asking('', token))
      await until(() => socket.isClosed())
      expect([socket.heard().includes('UNAUTHENTICATED'), channel.looks()]).toEqual([true, 0])
    },
  )

  test('waits for its turn: many of one network are looked up a few at a time, and others come in between', async () => {
    const waiting: { token: string; answer: () => void }[] = []
    const channel = await openChannel((token) => new Promise((resolve) => waiting.push({ token, answer: () => resolve(null) })))
    const flood = await Promise.all(Array.from({ length: 30 }, () => wire(channel.port, '102.6.0.2')))
    for (const socket of flood) socket.say(asking())
    await until(() => waiting.length > 0)
    const neighbour = await wire(channel.port, '102.6.0.3')
    neighbour.say(asking('', 'n'.repeat(43)))
    // Once this is answered, everything before it was read.
    neighbour.say('40/elsewhere,')
    await until(() => neighbour.heard().includes('Invalid namespace'))
    const begun = waiting.length
    expect(begun).toBeLessThan(10)
    for (let n = 0; n < 2; n++) waiting[n]?.answer()
    await until(() => waiting.some(({ token }) => token === 'n'.repeat(43)))
    expect(waiting.length).toBeLessThanOrEqual(begun + 2)
    for (let n = 0; n < waiting.length || n < 31; n++) {
      await until(() => waiting.length > n)
      waiting[n]?.answer()
    }
  })

  test('while the database fails is counted, and the log has one line a minute', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const about = { log: createLog('silent'), db: shop.database.db, sockets: () => 0, requestsWaiting: () => 0, read: async () => [] }
    const metrics = await openMetrics({ host: '127.0.0.1', port: 0, ...about })
    onTestFinished(() => metrics.close())
    const counted = async () => {
      const text = await (await fetch(`http://127.0.0.1:${metrics.port}/metrics`)).text()
      return Number(/^dwadi_sockets_refused_total\{why="UNAVAILABLE"\} (\d+)$/m.exec(text)?.[1] ?? 0)
    }
    const channel = await openChannel(async () => Promise.reject(new Error('the database is away')))
    const ask = async () => {
      const socket = await wire(channel.port)
      socket.say(asking())
      await until(() => socket.isClosed())
      expect(socket.heard()).toContain('UNAVAILABLE')
    }
    const before = await counted()
    for (let n = 0; n < 30; n++) await ask()
    expect([(await counted()) - before, channel.lines.length]).toEqual([30, 1])
    expect(channel.lines[0]).toContain('a socket could not be authenticated')
    vi.advanceTimersByTime(60_000)
    await ask()
    expect(channel.lines[1]).toContain('"othersSinceTheLast":29')
  })
})
