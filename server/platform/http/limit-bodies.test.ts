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

const ENOUGH = { long: 20_000_000, short: 2_000_000 }

/** `begin` at `from` is by a client at that address. */
async function openServer({ known = ENOUGH, open = ENOUGH } = {}) {
  const app = Fastify({ bodyLimit: 4_000_000, trustProxy: true })
  close = () => {
    app.server.closeAllConnections()
    return app.close()
  }
  registerErrorReplies(app)
  const { bytes } = limitBodies(
    app,
    { ownerOf: ({ headers }) => OWNERS[headers.authorization ?? ''] },
    {
      bodies: known,
      'open bodies': open,
    },
  )
  app.post('/list', async ({ body }) => ({ length: JSON.stringify(body).length }))
  await app.listen({ port: 0 })
  const { port } = app.server.address() as AddressInfo
  /** Sends the head and `now` bytes of a body; `finish` sends the rest. */
  const begin = (who: string, length: number, { chunked = false, now = 1, from = '102.0.0.1' } = {}) => {
    const headers = {
      'content-type': 'application/json',
      'x-forwarded-for': from,
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
    sent.write(`"${'x'.repeat(now - 1)}`)
    return { status, finish: () => sent.end(`${'x'.repeat(length - now - 1)}"`), drop: () => sent.destroy() }
  }
  return { begin, bytes }
}

test('an account has two long bodies at once, also when it does not finish them; its short ones and others go on', async () => {
  const { begin, bytes } = await openServer()
  const held = [begin('ama', 3_000_000, { now: 1_000 }), begin('ama', 3_000_000, { now: 1_000 })]
  await until(() => bytes() === 2_000)
  expect(await begin('ama', 70_000).status).toBe(429)
  for (const other of [begin('ama', 1_000), begin('kofi', 3_000_000)]) {
    other.finish()
    expect(await other.status).toBe(200)
  }
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
  const held = [begin('', 10, { chunked: true }), begin('made up', 10, { chunked: true })]
  await until(() => bytes() === 2)
  expect(await begin('', 70_000).status).toBe(429)
  for (const one of held) one.finish()
  expect(await Promise.all(held.map(({ status }) => status))).toEqual([200, 200])
})

test('what strangers announce and do not send takes room from nobody', async () => {
  const { begin, bytes } = await openServer({ open: { long: 100_000, short: 10_000 } })
  for (let n = 0; n < 30; n++) {
    begin('', 4_000_000, { from: `102.1.0.${n}` })
    begin('', 60_000, { from: `102.2.0.${n}` })
  }
  await until(() => bytes() === 60)
  for (const other of [begin('', 9_000, { from: '102.3.0.1' }), begin('', 90_000, { from: '102.3.0.1' }), begin('ama', 3_000_000)]) {
    other.finish()
    expect(await other.status).toBe(200)
  }
  expect(bytes()).toBe(60)
})

test('a full total ends the oldest body of whoever has most that still arrives, and refuses nobody who comes', async () => {
  const { begin, bytes } = await openServer({ open: { long: 1, short: 100_000 } })
  const [oldest, next] = [begin('', 60_000, { now: 40_000 }), begin('', 60_000, { now: 39_000 })]
  await until(() => bytes() === 79_000)
  const other = begin('', 60_000, { from: '102.3.0.1', now: 20_000 })
  await until(() => bytes() === 99_000)
  const late = begin('', 9_000, { from: '102.3.0.2', now: 8_000 })
  expect(await oldest.status).toBe(408)
  await until(() => bytes() === 67_000)
  for (const one of [late, other, next]) {
    one.finish()
    expect(await one.status).toBe(200)
  }
})
