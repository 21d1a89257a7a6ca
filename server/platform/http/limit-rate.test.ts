import Fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { registerErrorReplies } from './error-replies.ts'
import { limitRequests } from './limit-rate.ts'

let now = new Date('2026-11-21T12:00:00Z')
const app = Fastify()
beforeAll(async () => {
  registerErrorReplies(app)
  limitRequests(app, () => now)
  app.get('/anything', async () => 'fine')
  app.get('/own', { config: { requests: { of: 'own', size: 3, everyMs: 10_000 } } }, async () => 'fine')
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

test('all other routes share 3,000 requests a minute, unknown addresses included', async () => {
  now = new Date(now.getTime() + 60_000)
  for (let count = 0; count < 2_999; count++) await request('/anything')
  expect(await request('/unknown')).toMatchObject({ status: 404, remaining: '0', reset: '60' })
  expect(await request('/anything')).toMatchObject({ status: 429, retryAfter: '1' })
  expect(await request('/unlimited')).toMatchObject({ status: 200, limit: undefined })
})
