import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createArkesel } from '../server/integrations/sms/arkesel.ts'
import { createMnotify } from '../server/integrations/sms/mnotify.ts'
import { allow } from '../test/slowness.ts'
import type { SmsFaultInput } from './sms/faults.ts'
import { type SmsServices, startSmsServices } from './sms-services.ts'

const NOW = new Date('2026-11-21T12:00:00Z')
const KEYS = { arkeselKey: 'key-of-arkesel', mnotifyKey: 'key-of-mnotify' }

let sms: SmsServices
let shop: Awaited<ReturnType<typeof openShop>>

beforeEach(async () => {
  shop = await openShop()
  sms = await startSmsServices({ ...KEYS, now: () => NOW, wanted: { reportsAfterMs: null } })
})
afterEach(async () => {
  await sms.close()
  await shop.close()
})

describe('Arkesel', () => {
  test('accepts a message for each of its receivers', async () => {
    const { status, body } = await viaArkesel({ recipients: ['233241234567', '0201234567'] })
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        status: 'success',
        data: [
          { recipient: '233241234567', id: expect.any(String) },
          { recipient: '0201234567', id: expect.any(String) },
        ],
      },
    })
    expect(sms.messages()).toEqual([
      { channel: 'sms', to: '0201234567', body: 'Your order is complete.', at: NOW.toISOString() },
      { channel: 'sms', to: '0241234567', body: 'Your order is complete.', at: NOW.toISOString() },
    ])
    expect(sms.settings().credit).toBe(9_998)
  })

  test('names the numbers that it calls invalid, in a key with a space', async () => {
    const { status, body } = await viaArkesel({ recipients: ['233241234567', '24', '233991234567'] })
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        status: 'success',
        data: [{ recipient: '233241234567', id: expect.any(String) }, { 'invalid numbers': ['24', '233991234567'] }],
      },
    })
    expect(sms.messages()).toHaveLength(1)
  })

  test('reports success although no number is valid', async () => {
    expect(await viaArkesel({ recipients: ['24'] })).toEqual({
      status: 200,
      body: { status: 'success', data: [{ 'invalid numbers': ['24'] }] },
    })
    expect(sms.messages()).toEqual([])
    expect(sms.settings().credit).toBe(10_000)
  })

  test.each([undefined, 'wrong', KEYS.mnotifyKey])('refuses the key %j on every call', async (key) => {
    const headers: Record<string, string> = key === undefined ? {} : { 'api-key': key }
    for (const [method, path] of [
      ['POST', '/api/v2/sms/send'],
      ['GET', '/api/v2/clients/balance-details'],
      ['GET', '/api/v2/sms/abc'],
    ] as const) {
      const response = await fetch(sms.arkesel.baseUrl + path, { method, headers })
      expect([response.status, await response.json()]).toEqual([401, { status: 'error', message: 'Authentication failed' }])
    }
  })

  test.each([
    ['no sender', { sender: undefined }],
    ['a sender of twelve characters', { sender: 'DwadiDataGh1' }],
    ['no message', { message: '' }],
    ['no recipients', { recipients: [] }],
    ['one recipient that is no list', { recipients: '233241234567' }],
    ['a callback that is no address', { callback_url: 'shop' }],
    ['a date to send it at', { scheduled_date: '2026-12-01 09:00 AM' }],
  ])('refuses %s and names it', async (_, change) => {
    const { status, body } = await viaArkesel(change)
    expect({ status, body }).toEqual({
      status: 422,
      body: { status: 'error', message: expect.stringContaining(Object.keys(change)[0] as string) },
    })
    expect(sms.messages()).toEqual([])
  })

  test('refuses a sender that is not approved, if a list is set', async () => {
    sms.change({ approvedSenders: ['Dwadi'] })
    expect(await viaArkesel({ sender: 'Dwadi' })).toMatchObject({ status: 200 })
    expect(await viaArkesel({ sender: 'Other' })).toEqual({ status: 403, body: { status: 'error', message: 'Sender ID is not approved' } })
  })

  test.each([
    ['a', 160, 1],
    ['a', 161, 2],
    ['€', 80, 1],
    ['€', 81, 2],
    ['₵', 70, 1],
    ['₵', 71, 2],
    ['₵', 135, 3],
  ])('charges %s times %i as %i parts', async (character, count, parts) => {
    await viaArkesel({ message: character.repeat(count) })
    expect(sms.settings().credit).toBe(10_000 - parts)
  })

  test('refuses what the balance does not cover, and says what is left', async () => {
    sms.change({ credit: 1 })
    expect(await viaArkesel({ message: 'a'.repeat(161) })).toEqual({
      status: 402,
      body: { status: 'error', message: 'Insufficient balance' },
    })
    const response = await fetch(`${sms.arkesel.baseUrl}/api/v2/clients/balance-details`, { headers: { 'api-key': KEYS.arkeselKey } })
    expect(await response.json()).toEqual({ status: 'success', data: { sms_balance: '1', main_balance: 'GHS 0.03' } })
  })

  test('neither charges nor sends a test message', async () => {
    expect(await viaArkesel({ sandbox: true })).toMatchObject({ status: 200, body: { status: 'success' } })
    expect([sms.messages(), sms.settings().credit]).toEqual([[], 10_000])
  })

  test('returns the status of a message', async () => {
    const { body } = await viaArkesel()
    const { id } = (body.data as { id: string }[])[0] as { id: string }
    const ask = async (which: string) => {
      const response = await fetch(`${sms.arkesel.baseUrl}/api/v2/sms/${which}`, { headers: { 'api-key': KEYS.arkeselKey } })
      return { status: response.status, body: await response.json() }
    }
    expect((await ask(id)).body).toMatchObject({
      status: 'success',
      data: { ID: id, status: 'SUBMITTED', sender: 'Dwadi', message_count: 1 },
    })
    sms.report(id, 'UNDELIVERED')
    expect((await ask(id)).body).toMatchObject({ data: { status: 'UNDELIVERED' } })
    expect((await ask('unknown')).status).toBe(404)
  })
})

describe('mNotify', () => {
  test('accepts a message and returns a summary', async () => {
    const { status, body } = await viaMnotify({ recipient: ['233241234567', '233201234567'] })
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        status: 'success',
        code: '2000',
        message: expect.any(String),
        summary: {
          _id: expect.any(String),
          message_id: expect.any(String),
          type: 'API QUICK SMS',
          total_sent: 2,
          contacts: 2,
          total_rejected: 0,
          numbers_sent: ['233241234567', '233201234567'],
          credit_used: 2,
          credit_left: 9_998,
        },
      },
    })
    expect(sms.messages().map(({ to }) => to)).toEqual(['0201234567', '0241234567'])
  })

  test('reports success although it rejects the numbers', async () => {
    const { status, body } = await viaMnotify({ recipient: ['24'] })
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { status: 'success', code: '2000', summary: { total_sent: 0, total_rejected: 1 } },
    })
    expect(sms.messages()).toEqual([])
  })

  test('refuses a wrong key in its own format', async () => {
    for (const key of ['wrong', KEYS.arkeselKey, '']) {
      expect(await viaMnotify({}, key)).toEqual({ status: 401, body: { error: 'Invalid API key' } })
    }
  })

  test('names what is wrong, a sender that was not approved too', async () => {
    expect(await viaMnotify({ sender: undefined })).toMatchObject({
      status: 422,
      body: { status: 'error', errors: { sender: [expect.any(String)] } },
    })
    sms.change({ approvedSenders: [] })
    expect(await viaMnotify()).toMatchObject({ status: 422, body: { status: 'error', errors: { sender: [expect.any(String)] } } })
  })

  test('returns the status of a campaign', async () => {
    const { body } = await viaMnotify({ recipient: ['233241234567', '233201234567'] })
    const { _id } = body.summary as { _id: string }
    sms.report(sms.sent()[0]?.id ?? '', 'DELIVERED')
    const response = await fetch(`${sms.mnotify.baseUrl}/api/campaign/${_id}/delivered?key=${KEYS.mnotifyKey}`)
    expect(await response.json()).toEqual({
      status: 'success',
      report: [{ _id: expect.any(String), recipient: '233201234567', status: 'DELIVERED', retries: 0 }],
    })
  })
})

describe('a fault', () => {
  test.each([true, false])('cuts the connection, with the message accepted: %s', async (acts) => {
    sms.addFault({ call: 'send', kind: 'drop', acts })
    await expect(viaArkesel()).rejects.toThrow()
    expect(sms.messages()).toHaveLength(acts ? 1 : 0)
  })

  test('waits for its receiver and service, and happens as often as requested', async () => {
    sms.addFault({ call: 'send', kind: 'refuse', cause: 'too-often', to: '0249999999', times: 2 })
    sms.addFault({ call: 'send', kind: 'refuse', cause: 'error', service: 'mnotify' })
    expect((await viaArkesel()).body.status).toBe('success')
    expect((await viaArkesel({ recipients: ['233249999999'] })).status).toBe(429)
    expect((await viaArkesel({ recipients: ['0249999999'] })).status).toBe(429)
    expect((await viaArkesel({ recipients: ['233249999999'] })).status).toBe(200)
    expect(await viaMnotify()).toEqual({ status: 200, body: { status: 'error', message: 'The message could not be sent' } })
    expect((await viaMnotify()).body.status).toBe('success')
  })

  test('reports one valid number of several as invalid', async () => {
    sms.addFault({ call: 'send', kind: 'invalid-number', to: '0241234567' })
    const { body } = await viaArkesel({ recipients: ['233241234567', '233201234567'] })
    expect(body.data).toEqual([{ recipient: '233201234567', id: expect.any(String) }, { 'invalid numbers': ['233241234567'] }])
    expect(sms.messages().map(({ to }) => to)).toEqual(['0201234567'])
  })

  test('can be cleared', async () => {
    sms.addFault({ call: 'send', kind: 'html', times: 9 })
    sms.clearFaults()
    expect((await viaArkesel()).status).toBe(200)
  })
})

describe('a delivery report', () => {
  test("goes to the message's address, and keeps its query string", async () => {
    sms.change({ reportsAfterMs: 10 })
    await viaArkesel({ callback_url: `${shop.url}/report?secret=s` })
    const { id } = sms.sent()[0] ?? {}
    await expect.poll(() => shop.heard).toEqual([`GET /report?secret=s&sms_id=${id}&status=DELIVERED`])
    await expect.poll(() => sms.sent()[0]).toMatchObject({ status: 'DELIVERED', reportResult: 'HTTP 200' })
    expect(JSON.stringify(sms.sent())).not.toContain('secret')
  })

  test('can be late, report another status, or never come', async () => {
    sms.change({ reportsAfterMs: 0 })
    sms.addFault({ call: 'report', kind: 'say', status: 'EXPIRED', afterMs: 40, to: '0201234567' })
    sms.addFault({ call: 'report', kind: 'never', to: '0501234567' })
    const callback_url = `${shop.url}/report`
    await viaArkesel({ recipients: ['0201234567', '0501234567', '0241234567'], callback_url })
    await expect.poll(() => shop.heard.map((line) => line.replace(/.*status=/, ''))).toEqual(['DELIVERED', 'EXPIRED'])
    expect(sms.sent().find(({ to }) => to === '0501234567')?.status).toBe('SUBMITTED')
  })

  test('of a message without an address must be queried', async () => {
    sms.change({ reportsAfterMs: 0 })
    await viaArkesel()
    await expect.poll(() => sms.sent()[0]?.status).toBe('DELIVERED')
    expect(shop.heard).toEqual([])
  })
})

describe('control over HTTP', () => {
  const control = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${sms.arkesel.baseUrl}/_control${path}`, {
      method,
      ...(body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}),
    })
    return { status: response.status, body: (await response.json()) as { message?: string } & { id?: string }[] }
  }

  test('does the same as the functions', async () => {
    expect((await control('PATCH', '/settings', { credit: 5, approvedSenders: ['Dwadi'] })).body).toMatchObject({ credit: 5 })
    expect((await control('POST', '/faults', { call: 'send', kind: 'html' })).status).toBe(201)
    expect((await control('GET', '/faults')).body).toEqual([{ call: 'send', kind: 'html', status: 502, acts: false, times: 1 }])
    expect((await control('DELETE', '/faults')).body).toEqual([])
    await viaMnotify()
    const { body } = await control('GET', '/messages')
    expect(body).toMatchObject([{ service: 'mnotify', to: '0241234567', status: 'SUBMITTED', segments: 1 }])
    expect((await control('POST', `/messages/${body[0]?.id}/report`, { status: 'DELIVERED' })).body).toMatchObject({ status: 'DELIVERED' })
    expect((await control('GET', '/calls')).body).toMatchObject([{ method: 'POST', url: '/api/sms/quick?key=…', status: 200 }])
  })

  test('refuses invalid input, and says why', async () => {
    expect(await control('POST', '/messages/unknown/report', { status: 'DELIVERED' })).toMatchObject({ status: 404 })
    expect((await control('PATCH', '/settings', { credit: -1 })).body.message).toContain('credit')
    expect((await control('POST', '/faults', { call: 'send', kind: 'melt' })).status).toBe(400)
  })
})

describe("the shop's own adapters", () => {
  const arkesel = (apiKey = KEYS.arkeselKey) =>
    createArkesel({ baseUrl: sms.arkesel.baseUrl, apiKey, sender: 'Dwadi', timeoutMs: allow(400) })
  const mnotify = (apiKey = KEYS.mnotifyKey) =>
    createMnotify({ baseUrl: sms.mnotify.baseUrl, apiKey, sender: 'Dwadi', timeoutMs: allow(400) })
  const wish = { to: '0241234567', text: 'Your order is complete. GHS 5.00' }

  test('send', async () => {
    expect(await arkesel().send(wish)).toEqual({ outcome: 'accepted', providerId: sms.sent()[0]?.id })
    expect(await mnotify().send(wish)).toEqual({ outcome: 'accepted', providerId: sms.sent()[0]?.batch })
    expect(sms.messages().map(({ to, body }) => `${to} ${body}`)).toEqual(Array(2).fill(`${wish.to} ${wish.text}`))
  })

  test.each<[SmsFaultInput, string]>([
    [{ call: 'send', kind: 'invalid-number' }, 'rejected'],
    [{ call: 'send', kind: 'refuse', cause: 'invalid' }, 'rejected'],
    [{ call: 'send', kind: 'refuse', cause: 'no-money' }, 'not-taken'],
    [{ call: 'send', kind: 'refuse', cause: 'bad-key' }, 'not-taken'],
    [{ call: 'send', kind: 'refuse', cause: 'too-often' }, 'not-taken'],
    [{ call: 'send', kind: 'refuse', cause: 'error' }, 'not-taken'],
    [{ call: 'send', kind: 'hang' }, 'unknown'],
    [{ call: 'send', kind: 'drop' }, 'unknown'],
    [{ call: 'send', kind: 'malformed' }, 'unknown'],
  ])('read %j as %s', async (fault, outcome) => {
    for (const adapter of [arkesel(), mnotify()]) {
      sms.addFault(fault)
      expect({ by: adapter.provider, ...(await adapter.send(wish)) }).toMatchObject({ by: adapter.provider, outcome })
    }
  })

  test('tell a wrong key from a wrong message', async () => {
    expect(await arkesel('wrong').send(wish)).toMatchObject({ outcome: 'not-taken' })
    expect(await mnotify('wrong').send(wish)).toMatchObject({ outcome: 'not-taken' })
  })
})

type Reply = { status: number; body: { status?: string; data?: unknown; summary?: unknown } }

async function viaArkesel(change: object = {}): Promise<Reply> {
  return post(
    '/api/v2/sms/send',
    { sender: 'Dwadi', message: 'Your order is complete.', recipients: ['233241234567'], ...change },
    { 'api-key': KEYS.arkeselKey },
  )
}

async function viaMnotify(change: object = {}, key = KEYS.mnotifyKey): Promise<Reply> {
  const message = {
    recipient: ['233241234567'],
    sender: 'Dwadi',
    message: 'Your order is complete.',
    is_schedule: false,
    schedule_date: '',
  }
  return post(`/api/sms/quick?key=${key}`, { ...message, ...change })
}

async function post(path: string, body: object, headers: Record<string, string> = {}): Promise<Reply> {
  const response = await fetch(sms.arkesel.baseUrl + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as Reply['body'] }
}

/** The shop as the services see it: a receiver of delivery reports. */
async function openShop() {
  const heard: string[] = []
  const server = createServer((request, response) => {
    heard.push(`${request.method} ${request.url}`)
    response.end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    heard,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
