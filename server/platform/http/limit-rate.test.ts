import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Unauthenticated } from '../errors.ts'
import { registerErrorReplies } from './error-replies.ts'
import { limitRequests } from './limit-rate.ts'

let now = new Date('2026-11-21T12:00:00Z')
const app = Fastify()
beforeAll(async () => {
  registerErrorReplies(app)
  limitRequests(app, () => now)
  app.get('/anything', async () => 'fine')
  app.get('/own', { config: { requests: { of: 'own', size: 3, everyMs: 10_000 } } }, async () => 'fine')
  app.decorateRequest('actor', null)
  app.addHook('preHandler', async (request) => {
    const [, who] = /^genuine (.*)$/.exec(request.headers.authorization ?? '') ?? []
    if (who) request.actor = { id: who } as never
    else if (request.headers.authorization) throw new Unauthenticated()
  })
  app.get('/api/me', async () => 'fine')
  app.post('/api/sign-in', async () => 'fine')
  app.get('/unlimited', { config: { requests: 'unlimited' } }, async () => 'fine')
  await app.ready()
})
afterAll(() => app.close())

async function request(url: string) {
  const { statusCode, headers, body } = await app.inject({ url, remoteAddress: '41.0.0.1' })
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) => headers[`x-ratelimit-${name}`])
  return { status: statusCode, limit, remaining, reset, retryAfter: headers['retry-after'], body }
}

test('a route’s own limit is refused with how long to wait, counts for nothing else, and recovers', async () => {
  for (const remaining of ['2', '1', '0']) expect(await request('/own')).toMatchObject({ status: 200, limit: '3', remaining })
  expect(await request('/own')).toEqual({
    ...{ status: 429, limit: '3', remaining: '0', reset: '30', retryAfter: '10' },
    body: JSON.stringify({ message: 'Too many attempts. Please wait 10 seconds and try again.', code: 'TOO_MANY_REQUESTS' }),
  })
  expect(await request('/anything')).toMatchObject({ status: 200, limit: '3000', remaining: '2999', reset: '1' })
  now = new Date(now.getTime() + 10_000)
  expect(await request('/own')).toMatchObject({ status: 200, remaining: '0', reset: '30' })
})

test('pages of an address share 3,000 requests a minute, unknown addresses included', async () => {
  now = new Date(now.getTime() + 60_000)
  for (let count = 0; count < 2_999; count++) await request('/anything')
  expect(await request('/unknown')).toMatchObject({ status: 404, remaining: '0', reset: '60' })
  expect(await request('/anything')).toMatchObject({ status: 429, retryAfter: '1' })
  expect(await request('/unlimited')).toMatchObject({ status: 200, limit: undefined })
})

describe('of people who share an address', () => {
  const ask = async (token?: string, { url = '/api/me', method = 'GET' as 'GET' | 'POST', ip = '41.0.0.9' } = {}) => {
    const headers = token === undefined ? {} : { authorization: token }
    return (await app.inject({ url, method, remoteAddress: ip, headers })).statusCode
  }
  const flood = async (count: number, ...[token, options]: Parameters<typeof ask>) => {
    for (let left = count; left > 0; left--) await ask(token, options)
  }

  test('strangers lock out nobody who is signed in, whatever they send, and leave the other ways open', async () => {
    expect(await ask('genuine ama')).toBe(200)
    await flood(1_600)
    expect([await ask(), await ask('genuine ama')]).toEqual([429, 200])
    // Who has not been seen here yet is let in as well, and so are pages and whoever signs in.
    expect([await ask('genuine kofi'), await ask(undefined, { url: '/anything' })]).toEqual([200, 200])
    expect(await ask(undefined, { url: '/api/sign-in', method: 'POST' })).toBe(200)
    for (let n = 0; n < 700; n++) await ask(`invented ${n}`)
    expect([await ask('invented again'), await ask('genuine ama'), await ask('genuine kofi')]).toEqual([429, 200, 200])
  })

  test('an account that asks on and on is refused alone, wherever it asks from', async () => {
    const noisy = 'genuine noisy'
    await flood(1_300, noisy, { ip: '41.0.0.10' })
    expect([await ask(noisy, { ip: '41.0.0.10' }), await ask(noisy, { ip: '41.0.0.11' })]).toEqual([429, 429])
    expect(await ask('genuine quiet', { ip: '41.0.0.10' })).toBe(200)
  })

  test('tokens that turn out genuine use up nothing of what unproven ones share', async () => {
    for (let n = 0; n < 650; n++) expect(await ask(`genuine ${n}`, { ip: '41.0.0.12' })).toBe(200)
  })
})
