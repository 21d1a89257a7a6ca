import { type AddressInfo, connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import Fastify from 'fastify'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openTestShop, type TestShop } from '../../../test/app.ts'
import { limitSlowSockets, type SlowSocketLimits } from './slow-sockets.ts'

const LIMITS: SlowSocketLimits = { idleMs: 1_000, workMs: 30_000, bodyMs: 1_000, bytesPerSecond: 100, lookEveryMs: 50 }
const sockets: Socket[] = []

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})

/** What a connection received until it was closed, and when that was. */
function open(port: number, head: string) {
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  let text = ''
  socket.setEncoding('utf8').on('data', (more: string) => {
    text += more
  })
  socket.on('error', () => undefined)
  // Also after a reset, which comes where the shop closes while more is on its way to it.
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.write(head)
  return { socket, closed, text: () => text }
}

const post = (path: string, length: number) =>
  `POST ${path} HTTP/1.1\r\nhost: shop\r\ncontent-type: text/plain\r\ncontent-length: ${length}\r\nconnection: close\r\n\r\n`

/** Sends `text` in so many pieces, until the connection is closed. */
async function trickle({ socket }: ReturnType<typeof open>, text: string, pieces: number, everyMs: number) {
  const size = Math.ceil(text.length / pieces)
  for (let at = 0; at < text.length && !socket.destroyed && socket.writable; at += size) {
    socket.write(text.slice(at, at + size))
    await wait(everyMs)
  }
}

describe('with short limits', () => {
  const app = Fastify({ connectionTimeout: LIMITS.idleMs, requestTimeout: 60_000, http: { connectionsCheckingInterval: 100 } })
  let port: number

  beforeAll(async () => {
    limitSlowSockets(app, LIMITS)
    app.post('/length', async ({ body }) => String(body).length)
    app.get('/works', async () => {
      await wait(2_500)
      return 'done'
    })
    // It begins and then stands still, as towards somebody who is gone.
    app.get('/stalls', async (_request, reply) => reply.send(Readable.from(beginAndStall())))
    await app.listen({ port: 0, host: '127.0.0.1' })
    port = (app.server.address() as AddressInfo).port
  })
  afterAll(() => app.close())

  async function* beginAndStall() {
    yield 'begun'
    await wait(20_000, undefined, { ref: false })
  }

  test('a body that comes slowly and moves arrives, although it takes longer than a still one may', async () => {
    const upload = open(port, post('/length', 1_000))
    await trickle(upload, 'x'.repeat(1_000), 20, 150)
    await upload.closed
    expect(upload.text()).toMatch(/^HTTP\/1\.1 200 [\s\S]*\r\n1000$/)
  })

  test('a body that only trickles is ended with 408', async () => {
    const since = performance.now()
    const upload = open(port, post('/length', 1_000))
    await Promise.race([trickle(upload, 'x'.repeat(1_000), 1_000, 100), upload.closed])
    await upload.closed
    expect(upload.text()).toMatch(/^HTTP\/1\.1 408 /)
    expect(performance.now() - since).toBeGreaterThan(LIMITS.bodyMs)
  })

  test('a body that stands still is given up', async () => {
    const upload = open(port, post('/length', 1_000))
    upload.socket.write('x')
    await upload.closed
    expect(upload.text()).not.toMatch(/ 200 /)
  })

  test('what the shop works on for longer than a socket may stand still is answered', async () => {
    const asked = open(port, 'GET /works HTTP/1.1\r\nhost: shop\r\nconnection: close\r\n\r\n')
    await asked.closed
    expect(asked.text()).toMatch(/^HTTP\/1\.1 200 [\s\S]*done$/)
  })

  test('a reply that begins and then stands still is ended', async () => {
    const asked = open(port, 'GET /stalls HTTP/1.1\r\nhost: shop\r\nconnection: close\r\n\r\n')
    await asked.closed
    expect(asked.text()).toContain('begun')
  })
})

describe('the shop', { tags: 'long' }, () => {
  let shop: TestShop
  let port: number
  beforeAll(async () => {
    shop = await openTestShop()
    await shop.app.listen({ port: 0, host: '127.0.0.1' })
    port = (shop.app.server.address() as AddressInfo).port
  })
  afterAll(() => shop.close())

  test('takes an upload that moves for 26 seconds', async () => {
    const body = JSON.stringify({ userPhone: '0200000000', password: 'x'.repeat(60_000) })
    const head = post('/api/user/login', body.length).replace('text/plain', 'application/json')
    const upload = open(port, head)
    await trickle(upload, body, 26, 1_000)
    await upload.closed
    expect(upload.text()).toMatch(/^HTTP\/1\.1 400 /)
  })

  test('ends one that trickles', async () => {
    const upload = open(port, post('/api/user/login', 60_000).replace('text/plain', 'application/json'))
    await Promise.race([trickle(upload, 'x'.repeat(60_000), 6_000, 1_000), upload.closed])
    await upload.closed
    expect(upload.text()).toMatch(/^HTTP\/1\.1 408 /)
  })
})
