import { once } from 'node:events'
import { connect } from 'node:net'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import type { Ctx } from '../context.ts'
import { registerContext } from './context.ts'

test('a request tells its work once whoever asked has left', async () => {
  const app = Fastify()
  registerContext(app, { now: () => new Date() } as Parameters<typeof registerContext>[1])
  const began = Promise.withResolvers<AbortSignal>()
  app.get('/', async (request) => {
    const signal = (request as unknown as { ctx: Ctx }).ctx.gone?.() as AbortSignal
    began.resolve(signal)
    await once(signal, 'abort')
  })
  const client = connect(Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port), '127.0.0.1')
  client.write('GET / HTTP/1.1\r\nhost: house.example\r\n\r\n')
  const signal = await began.promise
  expect(signal.aborted).toBe(false)
  const left = once(signal, 'abort')
  client.destroy()
  await left
  await app.close()
})
