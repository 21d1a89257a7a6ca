import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { until } from '../../../test/until.ts'
import { registerErrorReplies } from './error-replies.ts'
import { limitBodies } from './limit-bodies.ts'

let close: () => Promise<unknown> = async () => undefined
afterEach(() => close())

const OWNERS: Record<string, string> = { ama: 'account-of-ama', kofi: 'account-of-kofi' }

async function openServer({ inAll }: { inAll?: number } = {}) {
  const app = Fastify({ bodyLimit: 4_000_000 })
  close = () => app.close()
  registerErrorReplies(app)
  const { bytes } = limitBodies(app, { ownerOf: ({ headers }) => OWNERS[headers.authorization ?? ''] }, inAll)
  app.post('/list', async ({ body }) => ({ length: JSON.stringify(body).length }))
  await app.listen({ port: 0 })
  const { port } = app.server.address() as AddressInfo
  /** Sends the head and one byte of a body; `finish` sends the rest. */
  const begin = (who: string, length: number, chunked = false) => {
    const headers = {
      'content-type': 'application/json',
      ...(who && { authorization: who }),
      ...(!chunked && { 'content-length': length }),
    }
    const sent = request({ port, method: 'POST', path: '/list', headers, agent: false })
    const status = new Promise<number>((resolve) => {
      sent.once('response', (reply) => {
        reply.resume()
        reply.once('end', () => resolve(reply.statusCode ?? 0))
      })
      sent.once('error', () => resolve(0))
    })
    sent.write('"')
    return { status, finish: () => sent.end(`${'x'.repeat(length - 2)}"`), drop: () => sent.destroy() }
  }
  return { begin, bytes }
}

test('an account has two long bodies at once, also when it does not finish them; others have theirs', async () => {
  const { begin, bytes } = await openServer()
  const held = [begin('ama', 3_000_000), begin('ama', 3_000_000)]
  await until(() => bytes() === 6_000_000)
  expect(await begin('ama', 1_000).status).toBe(429)
  const other = begin('kofi', 3_000_000)
  other.finish()
  expect(await other.status).toBe(200)
  held[0]?.finish()
  expect(await held[0]?.status).toBe(200)
  held[1]?.drop()
  await until(() => bytes() === 0)
  const again = begin('ama', 3_000_000)
  again.finish()
  expect(await again.status).toBe(200)
})

test('who is not signed in shares those of the address, and a body without a length counts as the longest', async () => {
  const { begin, bytes } = await openServer()
  const held = [begin('', 10, true), begin('made up', 10, true)]
  await until(() => bytes() === 8_000_000)
  expect(await begin('', 10).status).toBe(429)
  for (const one of held) one.finish()
  expect(await Promise.all(held.map(({ status }) => status))).toEqual([200, 200])
})

test('all together have a bound too, beyond which the shop asks to try again', async () => {
  const { begin, bytes } = await openServer({ inAll: 5_000_000 })
  const one = begin('ama', 3_000_000)
  await until(() => bytes() === 3_000_000)
  expect(await begin('kofi', 3_000_000).status).toBe(503)
  one.drop()
})
