import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type AnsweringServer, openAnsweringServer, type Said } from '../../../test/answering-server.ts'
import { allow } from '../../../test/slowness.ts'
import { createHubnet } from './hubnet.ts'

let far: AnsweringServer
let webhook: string | null = null
const reference = 'Order12345abcdefGHIJ'
const order = { reference, network: 'AirtelTigo' as const, receiver: '0271234567', volumeMb: 2000 }
const supplier = () =>
  createHubnet({ baseUrl: `${far.url}/base`, key: 'secret-key', callsPerMinute: 5, timeoutMs: allow(300), webhookUrl: async () => webhook })

beforeAll(async () => {
  far = await openAnsweringServer()
})
beforeEach(() => {
  far.heard.length = 0
  webhook = null
})
afterAll(() => far.close())

describe('sending an order', () => {
  test('sends network, number, megabytes as text and reference, with the header named token', async () => {
    far.answer({ body: { status: true, message: '0000' } })
    webhook = 'https://shop.example/api/supplier/webhook/x'
    await supplier().send(order)
    await supplier().send({ ...order, network: 'MTN' })
    expect(far.heard[0]).toMatchObject({
      method: 'POST',
      url: '/base/at-new-transaction',
      body: { phone: '0271234567', volume: '2000', reference, webhook },
    })
    expect(far.heard[0]?.headers.token).toBe('Bearer secret-key')
    expect(far.heard[0]?.headers.authorization).toBeUndefined()
    expect(far.heard[1]?.url).toBe('/base/mtn-new-transaction')
  })

  test('sends no webhook address when there is none, and calls nobody for a network that it does not carry', async () => {
    far.answer({ body: { status: true } })
    await supplier().send(order)
    expect(far.heard[0]?.body).toEqual({ phone: '0271234567', volume: '2000', reference })
    expect(await supplier().send({ ...order, network: 'Telecel' })).toMatchObject({ outcome: 'rejected', cause: 'not-sold' })
    expect(far.heard).toHaveLength(1)
  })

  test.each<[string, Said, object]>([
    [
      'gen 1, 0000 as the message',
      { body: { status: true, message: '0000', code: 'ok', transaction_id: 'T1' } },
      { supplierReference: 'T1' },
    ],
    ['gen 1, 0000 as the code', { body: { status: true, code: '0000', message: 'Sent', reference } }, { detail: 'Sent' }],
    ['gen 1, 0000 within data', { body: { status: true, message: 'ok', data: { status: true, code: '0000' } } }, {}],
    [
      'gen 2',
      { body: { event: 'charge.success', status: 'success', data: { transaction_id: 'T2', reference } } },
      { supplierReference: 'T2' },
    ],
    ['gen 2 by its event alone', { body: { event: 'transfer.success', message: 'Queued' } }, { detail: 'Queued' }],
    ['a sentence', { body: { status: true, message: 'Your order has been received.' } }, { detail: 'Your order has been received.' }],
    ['the old iShare', { body: { data: { response_code: '200', response_msg: 'Done' } } }, { detail: 'Done' }],
    ['201', { status: 201, body: { status: 'SUCCESS' } }, {}],
  ])('%s is accepted', async (_name, said, expected) => {
    far.answer(said)
    expect(await supplier().send(order)).toMatchObject({ outcome: 'accepted', ...expected })
  })

  test.each<[string, Said, string]>([
    ['a bare sentence about the number', { body: '"The phone number must be 10 digits"' }, 'refused'],
    ['the same with 422', { status: 422, body: '"The phone number must be 10 digits"' }, 'refused'],
    [
      'charge.rejected',
      { body: { event: 'charge.rejected', status: 'failed', code: '1005', message: 'The receiver cannot be served' } },
      'refused',
    ],
    ['a 200 that says failed', { body: { status: 'failed', message: 'No' } }, 'refused'],
    ['a true with the code of an error', { body: { status: true, code: '1003', message: 'x' } }, 'no-money'],
    ['1003', { body: { status: false, code: '1003', message: 'Low' } }, 'no-money'],
    [
      'a word of insufficient balance under any code',
      { body: { status: false, code: '1005', message: 'Insufficient balance' } },
      'no-money',
    ],
    ['a code where the message should be', { body: { status: false, message: '1007' } }, 'too-often'],
    ['1007', { body: { event: 'charge.rejected', status: 'failed', code: '1007', message: 'Limit' } }, 'too-often'],
    ['429', { status: 429, body: { message: 'Slow down' } }, 'too-often'],
    ['406', { body: { status: false, code: 406, message: 'Not approved' } }, 'not-allowed'],
    ['401', { status: 401, body: { status: false, message: 'Invalid token' } }, 'not-allowed'],
    ['a duplicate under 1004', { body: { status: false, code: '1004', message: 'Duplicate reference' } }, 'duplicate'],
    ['a duplicate under 1005', { body: { status: false, code: '1005', reason: 'reference already used' } }, 'duplicate'],
    ['409', { status: 409, body: { message: 'Conflict' } }, 'duplicate'],
  ])('%s is rejected', async (_name, said, cause) => {
    far.answer(said)
    expect(await supplier().send(order)).toMatchObject({ outcome: 'rejected', cause })
  })

  test.each<[string, Said]>([
    ['a page in HTML', { status: 502, body: '<html>502</html>' }],
    ['a 500 that says ok', { status: 500, body: { status: true, message: '0000' } }],
    ['a 503 that says failed', { status: 503, body: { status: false } }],
    ['an empty answer', { body: '' }],
    ['an empty object', { body: {} }],
    ['a list', { body: [] }],
    ['half of a JSON text', { body: '{"status":tr' }],
    ['a word that nobody knows', { body: { status: 'maybe' } }],
    ['an answer about another reference', { body: { status: true, message: '0000', reference: 'anotherOrder0001' } }],
    ['a redirect', { status: 302, location: 'http://127.0.0.1:1/', body: '' }],
    ['more than 64 kilobytes', { body: { status: true, padding: 'x'.repeat(70_000) } }],
    ['a cut connection', { cut: true }],
    ['no answer in time', { hang: true }],
  ])('%s is unknown, and it may have been sent', async (_name, said) => {
    far.answer(said)
    expect(await supplier().send(order)).toMatchObject({ outcome: 'unknown', neverSent: false })
  })

  test('is certainly not sent when the supplier is unreachable', async () => {
    const closed = await openAnsweringServer()
    await closed.close()
    const gone = createHubnet({ baseUrl: closed.url, key: 'k', callsPerMinute: 5, timeoutMs: allow(300), webhookUrl: async () => null })
    expect(await gone.send(order)).toMatchObject({ outcome: 'unknown', neverSent: true })
  })
})

describe('querying an order', () => {
  test.each<[string, Said, string]>([
    ...['delivered', 'Success', 'successful', 'completed'].map((status): [string, Said, string] => [
      status,
      { body: { status: true, message: '0000', data: { status, message: 'x', reference } } },
      'delivered',
    ]),
    ...['failed', 'Cancelled', 'refunded'].map((status): [string, Said, string] => [
      status,
      { body: { status: true, data: { status } } },
      'failed',
    ]),
    ...['pending', 'processing', 'In Progress', 'Accepted'].map((status): [string, Said, string] => [
      status,
      { body: { status: true, data: { status } } },
      'pending',
    ]),
    ['false and "not found"', { body: { status: false, message: 'Transaction not found' } }, 'not-found'],
    ['404', { status: 404, body: { status: false, message: 'none' } }, 'not-found'],
    ['a bare sentence that says so', { body: '"No transaction found: the reference does not exist"' }, 'not-found'],
    ['a false, which is about the question', { body: { status: false, code: '1007', message: 'Limit exceeded' } }, 'unknown'],
    ['a false with a status in data', { body: { status: false, data: { status: 'delivered' } } }, 'unknown'],
    ['a word that nobody knows', { body: { status: true, data: { status: 'on its way' } } }, 'unknown'],
    ['another reference', { body: { status: true, data: { status: 'delivered', reference: 'anotherOrder0001' } } }, 'unknown'],
    ['a 404 in HTML', { status: 404, body: '<html></html>' }, 'unknown'],
    ['a 500', { status: 500, body: { status: true, data: { status: 'delivered' } } }, 'unknown'],
    ['no answer in time', { hang: true }, 'unknown'],
  ])('%s', async (_name, said, outcome) => {
    far.answer(said)
    expect(await supplier().queryStatus({ reference, supplierReference: 'T1' })).toMatchObject({ outcome })
    expect(far.heard[0]).toMatchObject({ method: 'GET', url: `/base/check-transaction-status?reference=${reference}` })
  })
})

test.each<[string, Said, object]>([
  ['live', { body: { event: 'query.success', status: 'success', data: { wallet_balance: 12.35, "today's_sales": 1 } } }, { pesewas: 1235 }],
  ['older', { body: { status: true, balance: '100.10', currency: 'GHS' } }, { pesewas: 10_010 }],
  ['refused', { body: { status: false, message: 'Limit' } }, { outcome: 'unknown' }],
])('the balance, %s', async (_name, said, expected) => {
  far.answer(said)
  expect(await supplier().balance()).toMatchObject(expected)
})

test.each([
  [{ event: 'transfer.delivered', data: { reference } }, reference],
  [{ reference, status: 'delivered' }, reference],
  [{ data: {}, reference }, reference],
  ['text', null],
  [null, null],
  [{ data: { reference: { $ne: 1 } } }, null],
])('a webhook event names its order: %j', (body, expected) => {
  expect(supplier().readWebhook(body)).toBe(expected)
})
