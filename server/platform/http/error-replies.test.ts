import Fastify from 'fastify'
import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { registerErrorReplies } from './error-replies.ts'

test('a request that waits too long for a database connection is told when to try again', async () => {
  const pool = new pg.Pool({ connectionString: inject('databaseServerUrl'), max: 1 })
  const busy = await pool.connect()
  // Only from here on: the connection above may take longer on a busy machine.
  pool.options.connectionTimeoutMillis = 50
  const app = Fastify()
  registerErrorReplies(app)
  app.post('/buy', () => pool.query('select 1'))
  const { statusCode, headers, body } = await app.inject({ method: 'POST', url: '/buy' })
  expect([statusCode, headers['retry-after'], JSON.parse(body)]).toEqual([
    503,
    '2',
    { message: 'The shop is catching its breath. Please try again in a moment.', code: 'UNAVAILABLE' },
  ])
  busy.release()
  await app.close()
  await pool.end()
})
