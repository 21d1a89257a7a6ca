import { type AddressInfo, connect, type Socket } from 'node:net'
import Fastify from 'fastify'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { until } from '../../../test/until.ts'
import { answerInTurn } from './answer-in-turn.ts'

/** More than a system keeps of what nobody reads. */
const LARGE = 'x'.repeat(16 * 1024 * 1024)
const app = Fastify()
const begun: string[] = []
const sockets: Socket[] = []
let port: number
const clock = { now: new Date('2026-03-01T10:00:00Z') }
/** Requests that Node has made of what it read. */
let made = 0

beforeAll(async () => {
  answerInTurn(app, { now: () => clock.now })
  app.server.on('request', () => {
    made += 1
  })
  app.addHook('preHandler', async ({ url }) => {
    begun.push(url)
  })
  app.get('/large/:n', async () => LARGE)
  app.post('/body', async ({ body }) => `took ${JSON.stringify(body).length}.`)
  app.get('/small/:n', async (request) => `answer ${(request.params as { n: string }).n}.`)
  await app.listen({ port: 0, host: '127.0.0.1' })
  port = (app.server.address() as AddressInfo).port
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
  begun.length = 0
  made = 0
  clock.now = new Date(clock.now.getTime() + 3_600_000)
})
afterAll(() => app.close())

/** Sends requests for all paths at once on one connection, which reads nothing yet. */
function ask(paths: string[]) {
  return send(paths.map((path) => `GET ${path} HTTP/1.1\r\nhost: shop\r\n\r\n`).join(''))
}

function send(text: string) {
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  let isClosed = false
  socket
    .on('error', () => undefined)
    .once('close', () => {
      isClosed = true
    })
  socket.write(text)
  return { socket, isClosed: () => isClosed }
}

test('what a connection asks for ahead is begun once the answer before it was taken, and answered in order', async () => {
  const paths = ['/large/1', ...Array.from({ length: 16 }, (_, n) => `/small/${n + 2}`)]
  const { socket } = ask(paths)
  await until(() => begun.length === 1)
  // Another connection is not kept, and by its answer the rest of the first has long been read.
  const other = ask(['/small/99'])
  let answered = ''
  other.socket.on('data', (part) => {
    answered += part
  })
  await until(() => answered.includes('answer 99.'))
  expect(begun).toEqual(['/large/1', '/small/99'])
  let text = ''
  socket.on('data', (part) => {
    text += String(part).replace(/x{2,}/g, '')
  })
  await until(() => text.includes('answer 17.'))
  expect(begun).toEqual(['/large/1', '/small/99', ...paths.slice(1)])
  expect([...text.matchAll(/answer (\d+)\./g)].map(([, n]) => Number(n))).toEqual(Array.from({ length: 16 }, (_, n) => n + 2))
})

test('a connection that asks for more than sixteen ahead is closed, and nothing of it is begun any more', async () => {
  const { isClosed, socket } = ask(['/large/1', ...Array.from({ length: 17 }, (_, n) => `/small/${n + 2}`)])
  socket.resume()
  await until(isClosed)
  expect(begun).toEqual(['/large/1'])
})

test('one request after another on a connection, as browsers send them, is never kept', async () => {
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  let text = ''
  socket.on('data', (part) => {
    text += part
  })
  for (let n = 1; n <= 40; n++) {
    socket.write(`GET /small/${n} HTTP/1.1\r\nhost: shop\r\n\r\n`)
    await until(() => text.includes(`answer ${n}.`))
  }
  expect(begun).toHaveLength(40)
})

test.each([
  ['requests', 'GET /a HTTP/1.1\r\nhost: shop\r\n\r\n'],
  ['requests that Node itself refuses', 'GET /a HTTP/1.1\r\nhost: shop\r\nexpect: more\r\n\r\n'],
])('of 64 KB of %s that come at once, next to none are made', async (_what, one) => {
  const { isClosed, socket } = send(one.repeat(Math.floor(64_000 / one.length)))
  socket.resume()
  await until(isClosed)
  // What comes at once may be read in two pieces.
  expect(made).toBeLessThanOrEqual(34)
})

test('at an address that floods, others are answered, and whoever sends ahead is closed sooner', async () => {
  for (let n = 0; n < 10; n++) {
    const { isClosed, socket } = ask(Array.from({ length: 40 }, () => '/small/1'))
    socket.resume()
    await until(isClosed)
  }
  const neighbour = ask(['/small/7'])
  let text = ''
  neighbour.socket.on('data', (part) => {
    text += part
  })
  await until(() => text.includes('answer 7.'))
  neighbour.socket.write('GET /small/8 HTTP/1.1\r\nhost: shop\r\n\r\n')
  await until(() => text.includes('answer 8.'))
  made = 0
  const flood = ask(['/large/1', '/small/1', '/small/1', '/small/1'])
  flood.socket.resume()
  await until(flood.isClosed)
  expect(made).toBeLessThanOrEqual(4)
  clock.now = new Date(clock.now.getTime() + 6_000)
  const later = ask(['/small/9', '/small/10', '/small/11', '/small/12'])
  later.socket.on('data', (part) => {
    text += part
  })
  await until(() => text.includes('answer 12.'))
})

const CHUNKED = 'POST /body HTTP/1.1\r\nhost: shop\r\ncontent-type: text/plain\r\ntransfer-encoding: chunked\r\n\r\n'

test('a body in thousands of crumbs ends its connection, and one in pieces of some size does not', async () => {
  const crumbs = send(CHUNKED + '1\r\na\r\n'.repeat(20_000))
  crumbs.socket.resume()
  await until(crumbs.isClosed)
  const pieces = send(`${CHUNKED}${`40\r\n${'a'.repeat(64)}\r\n`.repeat(2_000)}0\r\n\r\n`)
  let text = ''
  pieces.socket.on('data', (part) => {
    text += part
  })
  await until(() => text.includes('took 128002.'))
})
