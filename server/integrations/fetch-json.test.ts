import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { allow } from '../../test/slowness.ts'
import { fetchJson } from './fetch-json.ts'

type Answering = (request: IncomingMessage, response: ServerResponse) => void

let answer: Answering
let seen: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[]
let url: string
const server = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk) => {
    body += chunk
  })
  request.on('end', () => {
    seen.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body })
    answer(request, response)
  })
})

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
beforeEach(() => {
  seen = []
  answer = (_request, response) => response.end('{"ok":true}')
})
afterAll(() => {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(resolve))
})

const timeoutMs = 30_000

test('sends the body as JSON with the given headers, and returns the reply', async () => {
  const sent = await fetchJson(`${url}/x?y=1`, { method: 'POST', headers: { authorization: 'Bearer key' }, body: { a: 1 }, timeoutMs })
  expect(sent).toEqual({ outcome: 'answered', status: 200, body: { ok: true } })
  expect(seen).toMatchObject([
    {
      method: 'POST',
      url: '/x?y=1',
      body: '{"a":1}',
      headers: { authorization: 'Bearer key', 'content-type': 'application/json', accept: 'application/json' },
    },
  ])
})

test('sends no body and no content type without one', async () => {
  await fetchJson(url, { timeoutMs })
  expect(seen[0]).toMatchObject({ method: 'GET', body: '' })
  expect(seen[0]!.headers['content-type']).toBeUndefined()
})

test.each([200, 201, 400, 401, 404, 429, 500, 503])('a reply with status %i is returned', async (status) => {
  answer = (_request, response) => response.writeHead(status).end('{"message":"so"}')
  expect(await fetchJson(url, { timeoutMs })).toEqual({ outcome: 'answered', status, body: { message: 'so' } })
})

test.each([301, 302, 303, 307, 308])('a redirect (%i) is never followed', async (status) => {
  answer = (_request, response) => response.writeHead(status, { location: `${url}/elsewhere` }).end()
  expect(await fetchJson(url, { headers: { authorization: 'Bearer key' }, timeoutMs })).toMatchObject({
    outcome: 'unknown',
    reason: `a redirect (${status})`,
  })
  expect(seen.map((request) => request.url)).toEqual(['/'])
})

test.each<[string, Answering, string]>([
  ['HTML', (_request, response) => response.end('<html>Bad gateway</html>'), 'an answer that is not JSON'],
  ['nothing', (_request, response) => response.end(), 'an answer that is not JSON'],
  ['half a JSON', (_request, response) => response.end('{"status":true,"data":{"amo'), 'an answer that is not JSON'],
])('%s is unknown', async (_name, how, reason) => {
  answer = how
  expect(await fetchJson(url, { timeoutMs })).toMatchObject({ outcome: 'unknown', reason })
})

test('a body cut off in the middle is unknown', async () => {
  answer = (_request, response) => {
    response.writeHead(200, { 'content-length': '100' })
    response.write('{"status":true')
    setTimeout(() => response.destroy(), 20)
  }
  expect((await fetchJson(url, { timeoutMs })).outcome).toBe('unknown')
})

test('a reply of 64 KB is read; a longer one is not, and its connection is closed', async () => {
  answer = (_request, response) => response.end(JSON.stringify('x'.repeat(65_534)))
  expect(await fetchJson(url, { timeoutMs })).toMatchObject({ outcome: 'answered' })
  answer = (_request, response) => response.end(JSON.stringify('x'.repeat(65_535)))
  expect(await fetchJson(url, { timeoutMs })).toMatchObject({ outcome: 'unknown', reason: 'an answer of more than 65536 bytes' })
  let written = 0
  const ended = new Promise<void>((resolve) => {
    answer = (_request, response) => {
      response.on('close', resolve)
      const flood = () => {
        while (!response.destroyed && written < 200_000_000) {
          written += 65_536
          if (!response.write('x'.repeat(65_536))) return response.once('drain', flood)
        }
        response.end()
      }
      flood()
    }
  })
  expect((await fetchJson(url, { timeoutMs: 10_000 })).outcome).toBe('unknown')
  await ended
  expect(written).toBeLessThan(50_000_000)
})

test.each<[string, Answering]>([
  ['never answers', () => undefined],
  ['answers drop by drop', (_request, response) => void setInterval(() => response.write(' '), 50).unref()],
])('a server that %s is abandoned after the time-out', async (_name, how) => {
  answer = how
  const start = performance.now()
  expect(await fetchJson(url, { timeoutMs: 300 })).toMatchObject({ outcome: 'unknown', reason: 'no answer in time' })
  expect(performance.now() - start).toBeLessThan(allow(2_000))
})

test('a server that is unreachable, disconnects or has no DNS name gives unknown, and nothing throws', async () => {
  answer = (request) => request.socket.destroy()
  for (const address of [url, 'http://127.0.0.1:1', 'http://no-such-host.invalid', 'not an address']) {
    const { outcome, ...rest } = await fetchJson(address, { timeoutMs })
    expect([outcome, 'reason' in rest && rest.reason.length > 0]).toEqual(['unknown', true])
  }
})
