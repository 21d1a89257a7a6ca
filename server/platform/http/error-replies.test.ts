import Fastify from 'fastify'
import pg from 'pg'
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { ServiceUnavailable } from '../errors.ts'
import { createLog } from '../log.ts'
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

test('what a limit refuses is a short line a second in the log, whose next tells how many there were', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const lines: string[] = []
  const app = Fastify({ loggerInstance: createLog('warn', { write: (line) => void lines.push(line) }) })
  registerErrorReplies(app)
  app.get('/full', () => Promise.reject(new ServiceUnavailable()))
  app.get('/away', () => Promise.reject(Object.assign(new Error('the database is away'), { code: 'ECONNREFUSED' })))
  const ask = async (url: string) => expect((await app.inject({ url })).statusCode).toBe(503)
  for (let n = 0; n < 30; n++) await ask('/full')
  await ask('/away')
  expect(lines.map((line) => /"code":"(\w+)"/.exec(line)?.[1])).toEqual(['UNAVAILABLE', 'ECONNREFUSED'])
  expect(lines[0]).not.toContain('stack')
  vi.advanceTimersByTime(1_000)
  await ask('/full')
  expect(lines[2]).toContain('"othersSinceTheLast":29')
  await app.close()
})
