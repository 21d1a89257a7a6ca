import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import Fastify from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { Unauthenticated } from '../errors.ts'
import { memoryBuckets, openRateLimiter } from '../rate-limiter.ts'
import { registerErrorReplies } from './error-replies.ts'
import { refuseUnsigned } from './refuse-unsigned.ts'

let close: () => Promise<unknown> = async () => undefined
afterEach(() => close())

function openShop({ isSetUp = true } = {}) {
  const clock = { now: new Date(0) }
  const app = Fastify({ trustProxy: true })
  close = () => app.close()
  registerErrorReplies(app)
  const limiter = openRateLimiter(memoryBuckets(), () => clock.now)
  refuseUnsigned(app, { header: 'x-signature', form: /^\d{4}$/, isSetUp: () => isSetUp, limiter })
  app.post('/webhook', async ({ headers }) => {
    if (headers['x-signature'] !== '1234') throw new Unauthenticated()
    return 'received'
  })
  const send = async (signature: string, from = '102.0.0.1') => {
    const headers = { 'content-type': 'text/plain', 'x-signature': signature, 'x-forwarded-for': from }
    return (await app.inject({ method: 'POST', url: '/webhook', headers, payload: 'event' })).statusCode
  }
  return { app, clock, send }
}

const times = <T>(most: number, work: () => Promise<T>) => Promise.all(Array.from({ length: most }, work))

test('sixty wrong signatures of one address, then one a second; elsewhere, and once a right one came, there is no limit', async () => {
  const { send, clock } = openShop()
  expect(await send('1234', '102.0.0.9')).toBe(200)
  expect(await times(60, () => send('9999'))).toEqual(Array(60).fill(401))
  expect([await send('9999'), await send('1234')]).toEqual([429, 429])
  expect(new Set(await times(100, () => send('1234', '102.0.0.9')))).toEqual(new Set([200]))
  clock.now = new Date(1_000)
  expect([await send('9999'), await send('9999')]).toEqual([401, 429])
})

test.each([
  ['without a signature', '', true, '401'],
  ['where nothing is set up', 'x-signature: 1234\r\n', false, '404'],
])('what comes %s is refused before its body', async (_name, header, isSetUp, status) => {
  const { app } = openShop({ isSetUp })
  const url = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  const socket = connect(Number(url.port), '127.0.0.1')
  socket.write(`POST /webhook HTTP/1.1\r\nhost: shop\r\n${header}content-type: text/plain\r\ncontent-length: 500000\r\n\r\n`)
  expect(await text(socket)).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
})
