import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createHubnet } from '../server/integrations/supplier/hubnet.ts'
import { createRemadata } from '../server/integrations/supplier/remadata.ts'
import { allow } from '../test/slowness.ts'
import { type DataSupplierSimulator, startDataSupplier } from './data-supplier.ts'
import type { SupplierSettings } from './supplier/deliveries.ts'
import { STYLES, type SupplierFaultInput } from './supplier/faults.ts'
import { hubnet } from './supplier/hubnet.ts'
import { remadata } from './supplier/remadata.ts'

const NOW = new Date('2026-11-21T12:00:00Z')
const KEY = 'a-key-of-this-test'
const HOUR_MS = 3_600_000

let folder: string
let supplier: DataSupplierSimulator
let shop: Awaited<ReturnType<typeof openShop>>
let references = 0

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dwadi-supplier-'))
  shop = await openShop()
  supplier = await start(hubnet, { callsPerMinute: null, deliversAfterMs: null })
})
afterEach(async () => {
  await supplier.close()
  await shop.close()
  await rm(folder, { recursive: true, force: true })
})

describe('an order at Hubnet', () => {
  test('is accepted and charged, and its status can be queried', async () => {
    const reference = newReference()
    const { status, body } = await buy({ reference })
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        event: 'charge.success',
        status: 'success',
        message: expect.any(String),
        data: { transaction_id: expect.any(String), payment_id: expect.any(String), reference, status: 'pending' },
      },
    })
    expect(supplier.deliveries()).toMatchObject([
      { reference, phone: '0271234567', network: 'at', volumeMb: 2000, state: 'accepted', costPesewas: 790, createdAt: NOW.toISOString() },
    ])
    expect(supplier.settings().balancePesewas).toBe(10_000_00 - 790)
    expect((await ask(reference)).body).toEqual({
      status: true,
      message: '0000',
      data: { status: 'Accepted', message: 'Order is Accepted', reference },
    })
  })

  test.each(['mtn', 'at', 'big-time'])('can be for %s', async (network) => {
    expect((await buy({}, network)).body).toMatchObject({ status: 'success' })
    expect(supplier.deliveries()[0]?.network).toBe(network)
  })

  test('may give its volume as a number and name who gets the confirmation', async () => {
    expect((await buy({ volume: 5000, referrer: '0201234567' })).body).toMatchObject({ status: 'success' })
    expect(supplier.deliveries()[0]?.volumeMb).toBe(5000)
  })

  test.each([
    ['no phone', { phone: undefined }, /phone/],
    ['a phone in the form 233…', { phone: '233271234567' }, /phone/],
    ['no volume', { volume: undefined }, /volume/],
    ['a volume with a unit', { volume: '2GB' }, /volume/],
    ['less than a gigabyte', { volume: '500' }, /volume/],
    ['a reference of five characters', { reference: 'abcde' }, /reference/],
    ['a reference of 26 characters', { reference: 'a'.repeat(26) }, /reference/],
    ['a webhook that is no address', { webhook: 'my shop' }, /webhook/],
  ])('is refused with a bare sentence for %s', async (_, change, sentence) => {
    const { status, body } = await buy(change)
    expect({ status, body }).toEqual({ status: 400, body: expect.stringMatching(sentence) })
    expect(supplier.tally()).toMatchObject({ deliveries: 0 })
    expect(supplier.settings().balancePesewas).toBe(10_000_00)
  })

  test('for Telecel is refused, although the documentation lists it', async () => {
    expect((await buy({}, 'telecel')).body).toEqual({
      event: 'charge.rejected',
      status: 'failed',
      code: '406',
      message: expect.any(String),
    })
  })

  test('is refused when the balance is too low, and accepted after a top-up', async () => {
    await supplier.change({ balancePesewas: 789 })
    const reference = newReference()
    expect((await buy({ reference })).body).toMatchObject({ event: 'charge.rejected', status: 'failed', code: '1003' })
    expect(supplier.tally().deliveries).toBe(0)
    await supplier.change({ balancePesewas: 790 })
    expect((await buy({ reference })).body).toMatchObject({ status: 'success' })
    expect(supplier.settings().balancePesewas).toBe(0)
  })

  test('under a used reference is refused and not delivered again', async () => {
    const reference = newReference()
    await buy({ reference })
    expect((await buy({ reference, phone: '0270000000' })).body).toMatchObject({ event: 'charge.rejected', code: '1004' })
    expect(supplier.tally()).toEqual({ references: 1, deliveries: 1, duplicates: 0, refusedDuplicates: 1, byState: { accepted: 1 } })
  })

  test('under a used reference is delivered again by a supplier that does not check, and counted', async () => {
    await supplier.change({ refusesDuplicates: false })
    const reference = newReference()
    await buy({ reference })
    await buy({ reference })
    await buy()
    expect(supplier.tally()).toMatchObject({ references: 2, deliveries: 3, duplicates: 1, refusedDuplicates: 0 })
    const found = await control('GET', `/deliveries/${reference}`)
    expect(found.body).toHaveLength(2)
  })

  test('is accepted once of twenty sent at once', async () => {
    const reference = newReference()
    const replies = await Promise.all(Array.from({ length: 20 }, () => buy({ reference })))
    expect(replies.filter(({ body }) => body.status === 'success')).toHaveLength(1)
    expect(supplier.tally()).toMatchObject({ deliveries: 1, refusedDuplicates: 19 })
  })

  test.each([undefined, 'Bearer wrong', KEY])('and any other call is refused with the key %j', async (token) => {
    const headers: Record<string, string> = token === undefined ? {} : { token }
    for (const path of ['/check_balance', '/check-transaction-status?reference=abcdef']) {
      expect((await fetch(supplier.baseUrl + path, { headers })).status).toBe(401)
    }
    const order = await fetch(`${supplier.baseUrl}/at-new-transaction`, { method: 'POST', headers: { authorization: `Bearer ${KEY}` } })
    expect(order.status).toBe(401)
    expect(supplier.deliveries()).toEqual([])
  })

  test('is refused when it is not a JSON object', async () => {
    for (const body of ['[', '[]', '"x"', 'null']) expect((await post('/at-new-transaction', body)).status).toBe(400)
    expect(supplier.deliveries()).toEqual([])
  })
})

describe('the rate limit', () => {
  test('is five a minute for each address unless it is changed', async () => {
    await supplier.close()
    supplier = await start(hubnet, { ...hubnet.usual, deliversAfterMs: null })
    const replies = await inTurn(6, () => buy())
    expect(replies.map(({ body }) => body.status)).toEqual(['success', 'success', 'success', 'success', 'success', 'failed'])
    expect(replies[5]?.body).toMatchObject({ event: 'charge.rejected', code: '1007' })
    expect((await buy({}, 'mtn')).body).toMatchObject({ status: 'success' })
    expect((await ask('abcdef')).body).toMatchObject({ message: 'Transaction not found' })
    expect(supplier.tally().deliveries).toBe(6)
    await supplier.change({ callsPerMinute: null })
    expect((await buy()).body).toMatchObject({ status: 'success' })
  })

  test('applies to status queries too, and a refused one says nothing about the order', async () => {
    await supplier.change({ callsPerMinute: 2 })
    const replies = await inTurn(3, () => ask('abcdef'))
    expect(replies[2]?.body).toMatchObject({ status: 'failed', code: '1007' })
  })

  test('does not count calls with a wrong key', async () => {
    await supplier.change({ callsPerMinute: 1 })
    await fetch(`${supplier.baseUrl}/check_balance`)
    expect((await get('/check_balance')).body).toMatchObject({ event: 'query.success' })
  })
})

describe('the replies of Hubnet', () => {
  const whereIsZero = (body: Body) => Object.keys(body).filter((field) => body[field as keyof Body] === '0000')

  test.each([
    ['gen-1', ['message'], false],
    ['gen-1-code', ['code'], false],
    ['gen-1-data', [], true],
  ] as const)('in the style %s have 0000 in %j', async (style, at, inData) => {
    await supplier.change({ style })
    const { body } = await buy()
    expect(body).toMatchObject({ status: true, transaction_id: expect.any(String), reference: expect.any(String) })
    expect(whereIsZero(body)).toEqual(at)
    expect(body.data.code === '0000').toBe(inData)
  })

  test('can be a sentence and nothing else', async () => {
    supplier.addFault({ call: 'order', kind: 'style', style: 'sentence' })
    const { body } = await buy()
    expect(body.status).toBe(true)
    expect(JSON.stringify(body)).not.toContain('"0000"')
    expect((await buy()).body.status).toBe('success')
  })

  test('give the balance in both styles', async () => {
    expect((await get('/check_balance')).body).toMatchObject({
      event: 'query.success',
      status: 'success',
      data: { wallet_balance: 10_000, "today's_sales": 0 },
    })
    supplier.addFault({ call: 'balance', kind: 'style', style: 'gen-1' })
    expect((await get('/check_balance')).body).toEqual({ status: true, balance: 10_000, currency: 'GHS' })
  })

  test('to a status query are also given to POST', async () => {
    const reference = newReference()
    await buy({ reference })
    expect((await post('/check-transaction-status', JSON.stringify({ reference }))).body).toMatchObject({ data: { status: 'Accepted' } })
  })

  test('to a status query without a reference say that nothing was found', async () => {
    expect((await ask('neverHeardOf')).body).toMatchObject({ status: false, message: 'Transaction not found' })
  })
})

describe('a fault', () => {
  test.each<[string, SupplierFaultInput, { status: number; body: unknown }]>([
    ['a bare sentence', { call: 'order', kind: 'refuse', cause: 'invalid' }, { status: 400, body: expect.stringContaining('phone') }],
    [
      'an empty balance',
      { call: 'order', kind: 'refuse', cause: 'no-money', message: 'insufficient balance' },
      { status: 200, body: { event: 'charge.rejected', status: 'failed', code: '1003', message: 'insufficient balance' } },
    ],
    [
      'an account that is not approved',
      { call: 'order', kind: 'refuse', cause: 'not-approved', status: 406 },
      { status: 406, body: expect.objectContaining({ code: '406' }) },
    ],
    ['the limit', { call: 'order', kind: 'refuse', cause: 'too-often' }, { status: 200, body: expect.objectContaining({ code: '1007' }) }],
    [
      'a used reference',
      { call: 'order', kind: 'refuse', cause: 'duplicate' },
      { status: 200, body: expect.objectContaining({ code: '1004' }) },
    ],
    [
      'a code of its own',
      { call: 'order', kind: 'refuse', cause: 'refused', code: '1005' },
      { status: 200, body: expect.objectContaining({ code: '1005' }) },
    ],
    ['any reply at all', { call: 'order', kind: 'reply', status: 418, body: { odd: true } }, { status: 418, body: { odd: true } }],
  ])('refuses once with %s', async (_, fault, expected) => {
    supplier.addFault(fault)
    const reference = newReference()
    expect(await buy({ reference })).toEqual(expected)
    expect(supplier.deliveries()).toEqual([])
    expect((await buy({ reference })).body).toMatchObject({ status: 'success' })
  })

  test.each([true, false])('cuts the connection, with the order accepted: %s', async (acts) => {
    supplier.addFault({ call: 'order', kind: 'drop', acts })
    const reference = newReference()
    await expect(buy({ reference })).rejects.toThrow()
    expect(supplier.tally().deliveries).toBe(acts ? 1 : 0)
    expect((await ask(reference)).body.status).toBe(acts)
  })

  test.each([true, false])('leaves the shop without a reply, with the order accepted: %s', async (acts) => {
    supplier.addFault({ call: 'order', kind: 'hang', acts })
    await expect(buy({}, 'at', AbortSignal.timeout(300))).rejects.toThrow()
    expect(supplier.tally().deliveries).toBe(acts ? 1 : 0)
  })

  test('replies with an HTML page', async () => {
    supplier.addFault({ call: 'order', kind: 'html' })
    const response = await send('/at-new-transaction', JSON.stringify(order()))
    expect([response.status, response.headers.get('content-type')]).toEqual([502, 'text/html'])
    expect(supplier.deliveries()).toEqual([])
  })

  test('replies late, truncated, or with far too much', async () => {
    supplier.addFault({ call: 'order', kind: 'slow', delayMs: 150 })
    const began = performance.now()
    expect((await buy()).body).toMatchObject({ status: 'success' })
    expect(performance.now() - began).toBeGreaterThan(140)
    supplier.addFault({ call: 'order', kind: 'malformed' })
    const cut = await send('/at-new-transaction', JSON.stringify(order()))
    await expect(cut.json()).rejects.toThrow(SyntaxError)
    supplier.addFault({ call: 'order', kind: 'huge' })
    expect((await (await send('/at-new-transaction', JSON.stringify(order()))).text()).length).toBeGreaterThan(10_000_000)
    expect(supplier.tally().deliveries).toBe(3)
  })

  test.each(STYLES)('puts another reference into a reply in the style %s', async (style) => {
    await supplier.change({ style })
    supplier.addFault({ call: 'order', kind: 'wrong-reference', instead: 'someoneElses' })
    const reference = newReference()
    const text = JSON.stringify((await buy({ reference })).body)
    expect(text).toContain('someoneElses')
    expect(text).not.toContain(reference)
    expect(supplier.deliveries()[0]?.reference).toBe(reference)
  })

  test('makes a status query fail, find nothing, or return another word', async () => {
    const reference = newReference()
    await buy({ reference })
    supplier.addFault({ call: 'status', kind: 'refuse', cause: 'not-found' })
    supplier.addFault({ call: 'status', kind: 'refuse', cause: 'not-found', status: 404 })
    supplier.addFault({ call: 'status', kind: 'data', data: { status: 'SUCCESSFUL' } })
    supplier.addFault({ call: 'status', kind: 'html', status: 503 })
    expect((await ask(reference)).body).toMatchObject({ status: false, message: 'Transaction not found' })
    expect((await ask(reference)).status).toBe(404)
    expect((await ask(reference)).body).toMatchObject({ status: true, data: { status: 'SUCCESSFUL', reference } })
    await expect(ask(reference)).rejects.toThrow(SyntaxError)
    expect((await ask(reference)).body).toMatchObject({ data: { status: 'Accepted' } })
  })

  test('waits for its order, by reference or receiver, and happens as often as requested', async () => {
    const reference = newReference()
    supplier.addFault({ call: 'order', kind: 'refuse', cause: 'refused', reference })
    supplier.addFault({ call: 'order', kind: 'refuse', cause: 'no-money', phone: '0269999999', times: 2 })
    expect((await buy()).body.status).toBe('success')
    expect((await buy({ phone: '0269999999' })).body.code).toBe('1003')
    expect((await buy({ phone: '0269999999' })).body.code).toBe('1003')
    expect((await buy({ phone: '0269999999' })).body.status).toBe('success')
    expect((await buy({ reference })).body.code).toBe('1005')
    expect((await buy({ reference })).body.status).toBe('success')
  })

  test('can be cleared', async () => {
    supplier.addFault({ call: 'order', kind: 'html', times: 5 })
    supplier.clearFaults()
    expect((await buy()).status).toBe(200)
  })
})

describe('a delivery', () => {
  test("arrives by itself, and the shop is notified at the order's webhook address", async () => {
    await supplier.change({ deliversAfterMs: 20 })
    const reference = newReference()
    await buy({ reference, webhook: `${shop.url}/hook?secret=s` })
    await expect.poll(() => supplier.deliveries()[0]?.webhookEvents[0]?.state).toBe('delivered')
    expect(shop.heard).toEqual([
      {
        url: '/hook?secret=s',
        body: {
          event: 'transfer.delivered',
          status: true,
          message: 'Your order is delivered',
          code: '0000',
          data: { reference, msisdn: '0271234567', volume: '2000', network: 'at', status: 'delivered' },
        },
      },
    ])
    expect((await ask(reference)).body).toMatchObject({ data: { status: 'delivered' } })
  })

  test('can fail, which returns the money and gives a reason', async () => {
    supplier.addFault({ call: 'delivery', kind: 'end', state: 'failed', reason: 'The number is not active', afterMs: 10 })
    const reference = newReference()
    await buy({ reference, webhook: `${shop.url}/hook` })
    await expect.poll(() => shop.heard).toHaveLength(1)
    expect(shop.heard[0]?.body).toMatchObject({
      event: 'transfer.failed',
      status: false,
      message: 'The number is not active',
      data: { reference, status: 'failed' },
    })
    expect(supplier.settings().balancePesewas).toBe(10_000_00)
    expect((await ask(reference)).body).toMatchObject({ status: true, data: { status: 'failed', message: 'The number is not active' } })
  })

  test('can stay away while others arrive', async () => {
    await supplier.change({ deliversAfterMs: 0 })
    const reference = newReference()
    supplier.addFault({ call: 'delivery', kind: 'never', reference })
    await buy({ reference })
    await buy()
    await expect.poll(() => supplier.tally().byState).toEqual({ accepted: 1, delivered: 1 })
    expect(supplier.deliveries().find((one) => one.reference === reference)?.end).toBeNull()
  })

  test('can have another status word from the start', async () => {
    supplier.addFault({ call: 'delivery', kind: 'end', word: 'Completed', afterMs: 0 })
    const reference = newReference()
    await buy({ reference })
    await expect.poll(async () => (await ask(reference)).body.data.status).toBe('Completed')
  })

  test('can be set to any state, money included, and is announced only where the supplier would', async () => {
    const reference = newReference()
    await buy({ reference, webhook: `${shop.url}/hook` })
    await supplier.setState(reference, { state: 'processing' })
    expect((await ask(reference)).body).toMatchObject({ data: { status: 'In Progress' } })
    await supplier.setState(reference, { state: 'refunded' })
    expect(supplier.settings().balancePesewas).toBe(10_000_00)
    await supplier.setState(reference, { state: 'delivered', word: 'success', webhook: false })
    expect(supplier.settings().balancePesewas).toBe(10_000_00 - 790)
    expect((await ask(reference)).body).toMatchObject({ data: { status: 'success' } })
    expect(supplier.deliveries()[0]?.webhookEvents).toEqual([])
    await supplier.notifyAgain(reference)
    await expect.poll(() => shop.heard).toHaveLength(1)
  })

  test('decided by hand is not decided again by itself', async () => {
    await supplier.change({ deliversAfterMs: 50 })
    const [early, late] = [newReference(), newReference()]
    await buy({ reference: early })
    await supplier.setState(early, { state: 'failed' })
    await buy({ reference: late })
    await expect.poll(() => supplier.tally().byState).toEqual({ failed: 1, delivered: 1 })
    expect(supplier.deliveries().find(({ reference }) => reference === early)?.state).toBe('failed')
  })
})

describe('a webhook event', () => {
  const hook = () => `${shop.url}/hook`

  test("goes to the account's address when the order names none, or nowhere", async () => {
    const reference = newReference()
    await buy({ reference })
    await supplier.setState(reference, { state: 'delivered' })
    await expect.poll(() => supplier.deliveries()[0]?.webhookEvents).toEqual([])
    await supplier.change({ webhookUrl: `${shop.url}/account` })
    await supplier.notifyAgain(reference)
    await expect.poll(() => shop.heard.map(({ url }) => url)).toEqual(['/account'])
  })

  test('goes to the address given at the start when there is no other', async () => {
    await supplier.close()
    supplier = await start(hubnet, { callsPerMinute: null, deliversAfterMs: 0 }, async () => `${shop.url}/of-the-shop`)
    await buy()
    await expect.poll(() => shop.heard.map(({ url }) => url)).toEqual(['/of-the-shop'])
  })

  test.each<[string, SupplierFaultInput, unknown[]]>([
    [
      'comes five times',
      { call: 'webhook', kind: 'repeat', count: 5 },
      Array(5).fill(expect.objectContaining({ event: 'transfer.delivered' })),
    ],
    ['comes late', { call: 'webhook', kind: 'delay', delayMs: 60 }, [expect.objectContaining({ event: 'transfer.delivered' })]],
    [
      'comes in the older shape',
      { call: 'webhook', kind: 'flat' },
      [
        {
          reference: expect.any(String),
          status: 'delivered',
          code: '0000',
          reason: expect.any(String),
          message: expect.any(String),
          transaction_id: expect.any(String),
        },
      ],
    ],
    ['holds nonsense', { call: 'webhook', kind: 'body', body: ['?'] }, [['?']]],
    [
      'is about another order',
      { call: 'webhook', kind: 'data', data: { reference: 'someoneElses' } },
      [expect.objectContaining({ data: expect.objectContaining({ reference: 'someoneElses', status: 'delivered' }) })],
    ],
  ])('%s', async (_, fault, expected) => {
    supplier.addFault(fault)
    const reference = newReference()
    await buy({ reference, webhook: hook() })
    await supplier.setState(reference, { state: 'delivered' })
    await expect.poll(() => shop.heard.map(({ body }) => body)).toEqual(expected)
  })

  test('can be lost', async () => {
    supplier.addFault({ call: 'webhook', kind: 'lose' })
    const reference = newReference()
    await buy({ reference, webhook: hook() })
    await supplier.setState(reference, { state: 'delivered' })
    expect(supplier.deliveries()[0]?.webhookEvents).toMatchObject([{ state: 'lost' }])
    await supplier.notifyAgain(reference)
    await expect.poll(() => shop.heard).toHaveLength(1)
  })

  test('is not repeated when it is not accepted', async () => {
    shop.answerWith(500)
    const reference = newReference()
    await buy({ reference, webhook: hook() })
    await supplier.setState(reference, { state: 'delivered' })
    await expect.poll(() => supplier.deliveries()[0]?.webhookEvents).toMatchObject([{ state: 'given-up', lastResult: 'HTTP 500' }])
    expect(shop.heard).toHaveLength(1)
  })
})

describe('after a restart', () => {
  test('the supplier knows its orders, balance and settings, and continues', async () => {
    const [delivered, open, late] = [newReference(), newReference(), newReference()]
    await supplier.change({ style: 'gen-1' })
    await buy({ reference: delivered })
    await supplier.setState(delivered, { state: 'delivered', word: 'successful' })
    supplier.addFault({ call: 'delivery', kind: 'end', afterMs: 400, reference: open })
    await buy({ reference: open, webhook: `${shop.url}/hook` })
    supplier.addFault({ call: 'webhook', kind: 'delay', delayMs: 400, reference: late })
    await buy({ reference: late, webhook: `${shop.url}/late` })
    await supplier.setState(late, { state: 'failed' })
    const before = supplier.settings()
    await supplier.close()

    supplier = await start(hubnet, {})
    expect(supplier.settings()).toEqual(before)
    expect((await buy({ reference: delivered })).body).toMatchObject({ status: false, code: '1004' })
    expect((await ask(delivered)).body).toMatchObject({ data: { status: 'successful' } })
    await expect.poll(() => shop.heard.map(({ url }) => url).toSorted()).toEqual(['/hook', '/late'])
    expect((await ask(open)).body).toMatchObject({ data: { status: 'delivered' } })
    expect(supplier.tally()).toMatchObject({ references: 3, deliveries: 3, duplicates: 0 })
  })

  test('an accepted order is known even if the supplier was killed', async () => {
    const reference = newReference()
    supplier.addFault({ call: 'order', kind: 'drop' })
    await expect(buy({ reference })).rejects.toThrow()
    const kept = JSON.parse(await readFile(join(folder, 'hubnet-deliveries.json'), 'utf8'))
    expect(kept.deliveries).toMatchObject([{ reference, state: 'accepted' }])
  })
})

test('five hundred orders, each repeated over bad connections, become five hundred deliveries without a duplicate', async () => {
  supplier.addFault({ call: 'order', kind: 'drop', times: 60 })
  supplier.addFault({ call: 'order', kind: 'drop', acts: false, times: 60 })
  supplier.addFault({ call: 'order', kind: 'html', times: 60 })
  await supplier.change({ deliversAfterMs: 0 })
  const wanted = Array.from({ length: 500 }, newReference)
  const waiting = [...wanted]
  const sendAll = async () => {
    for (let reference = waiting.pop(); reference !== undefined; reference = waiting.pop()) {
      const answer = await buy({ reference }).catch(() => null)
      if (answer === null || answer.status !== 200) waiting.push(reference)
    }
  }
  await Promise.all(Array.from({ length: 8 }, sendAll))
  await expect.poll(() => supplier.tally().byState).toEqual({ delivered: 500 })
  expect(supplier.tally()).toMatchObject({ references: 500, deliveries: 500, duplicates: 0, refusedDuplicates: 60 })
  expect(
    supplier
      .deliveries()
      .map(({ reference }) => reference)
      .toSorted(),
  ).toEqual(wanted.toSorted())
})

describe('control over HTTP', () => {
  test('does the same as the functions', async () => {
    const reference = newReference()
    expect((await control('PATCH', '/settings', { balancePesewas: 5_000, callsPerMinute: 100 })).body).toMatchObject({
      balancePesewas: 5_000,
    })
    expect((await control('POST', '/faults', { call: 'order', kind: 'html' })).status).toBe(201)
    expect((await control('GET', '/faults')).body).toEqual([{ call: 'order', kind: 'html', status: 502, acts: false, times: 1 }])
    expect((await control('DELETE', '/faults')).body).toEqual([])
    await buy({ reference })
    expect((await control('GET', '/deliveries')).body).toMatchObject([{ reference, state: 'accepted' }])
    expect((await control('POST', `/deliveries/${reference}/state`, { state: 'delivered' })).body).toMatchObject({ state: 'delivered' })
    expect((await control('POST', `/deliveries/${reference}/webhook`)).status).toBe(200)
    expect((await control('GET', '/tally')).body).toMatchObject({ references: 1, deliveries: 1, duplicates: 0 })
    expect((await control('GET', '/settings')).body).toMatchObject({ balancePesewas: 5_000 - 790, callsPerMinute: 100 })
    const calls = await control('GET', '/calls')
    expect(calls.body).toMatchObject([{ method: 'POST', status: 200, url: expect.stringMatching(/\/at-new-transaction$/) }])
  })

  test('refuses invalid input, and says why', async () => {
    for (const [method, path, body, status, words] of [
      ['GET', '/deliveries/unknown', undefined, 404, 'no order'],
      ['POST', '/deliveries/unknown/state', { state: 'delivered' }, 404, 'no order'],
      ['POST', '/deliveries/unknown/state', { state: 'rich' }, 400, 'state'],
      ['PATCH', '/settings', { callsPerMinute: 0 }, 400, 'callsPerMinute'],
      ['PATCH', '/settings', { balance: 5 }, 400, 'balance'],
      ['POST', '/faults', { call: 'order', kind: 'melt' }, 400, ''],
    ] as const) {
      const reply = await control(method, path, body)
      expect({ path, status: reply.status, message: reply.body.message }).toEqual({ path, status, message: expect.stringContaining(words) })
    }
  })
})

describe("the shop's own adapter", () => {
  const adapter = (timeoutMs = allow(2_000)) =>
    createHubnet({ baseUrl: supplier.baseUrl, key: KEY, callsPerMinute: 5, timeoutMs, webhookUrl: async () => `${shop.url}/hook` })
  const wish = (reference: string) => ({ reference, network: 'AirtelTigo' as const, receiver: '0271234567', volumeMb: 2_000 })

  test.each(STYLES)('reads an accepted order in the style %s', async (style) => {
    await supplier.change({ style })
    expect(await adapter().send(wish(newReference()))).toMatchObject({
      outcome: 'accepted',
      supplierReference: supplier.deliveries()[0]?.id,
    })
  })

  test.each<[SupplierFaultInput, object]>([
    [
      { call: 'order', kind: 'refuse', cause: 'invalid' },
      { outcome: 'rejected', cause: 'refused' },
    ],
    [
      { call: 'order', kind: 'refuse', cause: 'no-money' },
      { outcome: 'rejected', cause: 'no-money' },
    ],
    [
      { call: 'order', kind: 'refuse', cause: 'not-approved' },
      { outcome: 'rejected', cause: 'not-allowed' },
    ],
    [
      { call: 'order', kind: 'refuse', cause: 'too-often' },
      { outcome: 'rejected', cause: 'too-often' },
    ],
    [
      { call: 'order', kind: 'refuse', cause: 'duplicate' },
      { outcome: 'rejected', cause: 'duplicate' },
    ],
    [{ call: 'order', kind: 'html' }, { outcome: 'unknown' }],
    [{ call: 'order', kind: 'drop' }, { outcome: 'unknown' }],
    [{ call: 'order', kind: 'hang' }, { outcome: 'unknown' }],
    [{ call: 'order', kind: 'malformed' }, { outcome: 'unknown' }],
    [{ call: 'order', kind: 'huge' }, { outcome: 'unknown' }],
    [{ call: 'order', kind: 'wrong-reference' }, { outcome: 'unknown' }],
  ])('reads %j', async (fault, outcome) => {
    supplier.addFault(fault)
    expect(await adapter(400).send(wish(newReference()))).toMatchObject(outcome)
  })

  test("queries an order's status", async () => {
    const reference = newReference()
    const order = { reference, supplierReference: null }
    expect(await adapter().queryStatus(order)).toMatchObject({ outcome: 'not-found' })
    await adapter().send(wish(reference))
    expect(await adapter().queryStatus(order)).toMatchObject({ outcome: 'pending' })
    await supplier.setState(reference, { state: 'failed' })
    expect(await adapter().queryStatus(order)).toMatchObject({ outcome: 'failed' })
    await supplier.setState(reference, { state: 'delivered', word: 'Successful' })
    expect(await adapter().queryStatus(order)).toMatchObject({ outcome: 'delivered' })
    supplier.addFault({ call: 'status', kind: 'refuse', cause: 'too-often' })
    expect(await adapter().queryStatus(order)).toMatchObject({ outcome: 'unknown' })
    await expect.poll(() => shop.heard.map(({ body }) => adapter().readWebhook(body))).toEqual([reference, reference])
    expect(await adapter().balance()).toEqual({ outcome: 'known', pesewas: 10_000_00 - 790 })
  })
})

describe('RemaData', () => {
  let second: DataSupplierSimulator
  const adapter = (timeoutMs = allow(2_000)) => createRemadata({ baseUrl: second.baseUrl, key: KEY, callsPerMinute: 60, timeoutMs })
  const wish = (reference: string) => ({ reference, network: 'Telecel' as const, receiver: '0501234567', volumeMb: 5_000 })
  const rawBuy = async (body: object, key = KEY) => {
    const headers = { 'content-type': 'application/json', 'x-api-key': key }
    const response = await fetch(`${second.baseUrl}/buy-data`, { method: 'POST', headers, body: JSON.stringify(body) })
    return { status: response.status, body: (await response.json()) as { status: string; message: string; data: Record<string, unknown> } }
  }

  beforeEach(async () => {
    second = await start(remadata, { deliversAfterMs: null })
  })
  afterEach(() => second.close())

  test('accepts an order, and answers queries only by its own reference', async () => {
    const ref = newReference()
    const { status, body } = await rawBuy({ ref, phone: '233501234567', volumeInMB: 5000, networkType: 'telecel' })
    expect({ status, body }).toMatchObject({ status: 200, body: { status: 'success', data: { ref, status: 'pending', amount: '19.50' } } })
    expect(second.deliveries()).toMatchObject([{ reference: ref, phone: '0501234567', network: 'telecel', id: body.data.reference }])
    expect(await adapter().queryStatus({ reference: ref, supplierReference: null })).toMatchObject({ outcome: 'not-found' })
    const order = { reference: ref, supplierReference: String(body.data.reference) }
    expect(await adapter().queryStatus(order)).toMatchObject({ outcome: 'pending' })
    await second.setState(ref, { state: 'delivered' })
    expect(await adapter().queryStatus(order)).toMatchObject({ outcome: 'delivered', detail: 'completed' })
    expect(second.deliveries()[0]?.webhookEvents).toEqual([])
  })

  test('delivers a repeated order twice and counts it, or refuses it if configured to', async () => {
    const reference = newReference()
    await adapter().send(wish(reference))
    expect(await adapter().send(wish(reference))).toMatchObject({ outcome: 'accepted' })
    expect(second.tally()).toMatchObject({ references: 1, deliveries: 2, duplicates: 1 })
    await second.change({ refusesDuplicates: true })
    expect(await adapter().send(wish(reference))).toMatchObject({ outcome: 'rejected', cause: 'duplicate' })
  })

  test.each([
    ['a phone in the form 0…', { phone: '0501234567' }],
    ['a volume in words', { volumeInMB: '5000' }],
    ['an unknown network', { networkType: 'glo' }],
    ['no reference', { ref: undefined }],
  ])('refuses %s', async (_, change) => {
    const reply = await rawBuy({ ref: newReference(), phone: '233501234567', volumeInMB: 5000, networkType: 'telecel', ...change })
    expect(reply).toMatchObject({
      status: 422,
      body: { status: 'error', message: expect.stringContaining(Object.keys(change)[0] as string) },
    })
    expect(second.deliveries()).toEqual([])
  })

  test('gives the reason in its status', async () => {
    expect((await rawBuy({}, 'wrong')).status).toBe(401)
    await second.change({ balancePesewas: 0 })
    expect(await adapter().send(wish(newReference()))).toMatchObject({ outcome: 'rejected', cause: 'no-money' })
    expect(await adapter().balance()).toEqual({ outcome: 'known', pesewas: 0 })
    second.addFault({ call: 'order', kind: 'refuse', cause: 'too-often' })
    expect(await adapter().send(wish(newReference()))).toMatchObject({ outcome: 'rejected', cause: 'too-often' })
    second.addFault({ call: 'order', kind: 'html' })
    expect(await adapter().send(wish(newReference()))).toMatchObject({ outcome: 'unknown' })
    second.addFault({ call: 'order', kind: 'hang', phone: '0501234567' })
    expect(await adapter(300).send(wish(newReference()))).toMatchObject({ outcome: 'unknown' })
  })

  test('lists its prices', async () => {
    const response = await fetch(`${second.baseUrl}/bundles?network=mtn`, { headers: { 'x-api-key': KEY } })
    const { data } = (await response.json()) as { data: object[] }
    expect(data[0]).toEqual({ networkType: 'mtn', volumeInMB: 1000, price: '4.05' })
    expect((await fetch(`${second.baseUrl}/bundles`)).status).toBe(401)
  })
})

type Body = {
  status: unknown
  event?: string
  message?: string
  code?: string
  reference?: string
  data: { status?: string; code?: string }
}

function start(
  protocol: typeof hubnet,
  wanted: Partial<SupplierSettings>,
  webhookUrl?: () => Promise<string>,
): Promise<DataSupplierSimulator> {
  return startDataSupplier({ protocol, folder, key: KEY, log: { warn() {} }, now: () => NOW, wanted, webhookUrl })
}

function order(change: object = {}) {
  return { phone: '0271234567', volume: '2000', reference: newReference(), ...change }
}

function buy(change: object = {}, network = 'at', signal = AbortSignal.timeout(HOUR_MS)) {
  return post(`/${network}-new-transaction`, JSON.stringify(order(change)), signal)
}

function ask(reference: string) {
  return get(`/check-transaction-status?reference=${reference}`)
}

function send(path: string, body: string, signal = AbortSignal.timeout(HOUR_MS)) {
  const headers = { token: `Bearer ${KEY}`, 'content-type': 'application/json' }
  return fetch(supplier.baseUrl + path, { method: 'POST', headers, body, signal })
}

async function post(path: string, body: string, signal?: AbortSignal) {
  const response = await send(path, body, signal)
  return { status: response.status, body: (await response.json()) as Body }
}

async function get(path: string) {
  const response = await fetch(supplier.baseUrl + path, { headers: { token: `Bearer ${KEY}` } })
  return { status: response.status, body: (await response.json()) as Body }
}

async function control(method: string, path: string, body?: object) {
  const response = await fetch(`${new URL(supplier.baseUrl).origin}/_control${path}`, {
    method,
    ...(body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}),
  })
  return { status: response.status, body: (await response.json()) as { message: string } }
}

async function inTurn<T>(times: number, act: () => Promise<T>): Promise<T[]> {
  const done: T[] = []
  for (let count = 0; count < times; count += 1) done.push(await act())
  return done
}

function newReference() {
  references += 1
  return `ref${String(references).padStart(13, '0')}`
}

/** The shop as the supplier sees it: a receiver of webhook events. */
async function openShop() {
  const heard: { url: string | undefined; body: unknown }[] = []
  let status = 200
  const server = createServer(async (request, response) => {
    heard.push({ url: request.url, body: JSON.parse(await text(request)) })
    response.writeHead(status).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    heard,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answerWith(next: number) {
      status = next
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
