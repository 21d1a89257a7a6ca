import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { CardPayments } from './card-payments.ts'
import { createPaystack } from './paystack.ts'
import { cardSwitchedOff } from './switched-off.ts'

const SECRET = 'sk_test_of_this_file'
const REFERENCE = 'AbCdEfGhIjKlMnOpQrSt'

type Reply = { status: number; body: unknown }
let reply: Reply
/** What the list of transactions answers, where that is another. */
let listReply: Reply
let seen: { request: IncomingMessage; body: string }[]
let card: CardPayments
const server = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk) => {
    body += chunk
  })
  request.on('end', () => {
    seen.push({ request, body })
    const { status, body: answer } = request.url?.startsWith('/transaction?') ? listReply : reply
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(typeof answer === 'string' ? answer : JSON.stringify(answer))
  })
})

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  card = createPaystack({
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    secretKey: SECRET,
    previousSecretKey: 'sk_test_before_that',
    publicKey: 'pk_test',
    callbackUrl: 'https://shop.example/user/history',
  })
})
beforeEach(() => {
  seen = []
})
afterAll(() => new Promise((resolve) => server.close(resolve)))

describe('initialize', () => {
  const payment = { reference: REFERENCE, amountPesewas: 567, email: 'ama@example.com', metadata: { purpose: 'order' } }

  test('sends pesewas and GHS, with the secret key', async () => {
    reply = { status: 200, body: { status: true, data: { access_code: 'code', reference: REFERENCE } } }
    expect(await card.initialize(payment)).toEqual({ outcome: 'accepted', accessCode: 'code' })
    const [{ request, body }] = seen as [(typeof seen)[0]]
    expect([request.method, request.url, request.headers.authorization]).toEqual(['POST', '/transaction/initialize', `Bearer ${SECRET}`])
    expect(JSON.parse(body)).toEqual({
      reference: REFERENCE,
      amount: 567,
      email: 'ama@example.com',
      currency: 'GHS',
      channels: ['card', 'mobile_money'],
      callback_url: 'https://shop.example/user/history',
      metadata: { purpose: 'order' },
    })
  })

  test.each<[string, number, unknown, string]>([
    ['a refusal', 400, { status: false, message: 'Duplicate Transaction Reference', code: 'duplicate_reference' }, 'rejected'],
    ['a wrong key', 401, { status: false, message: 'Invalid key' }, 'rejected'],
    ['a failure of theirs', 500, { status: false, message: 'Something went wrong' }, 'unknown'],
    ['another reference', 200, { status: true, data: { access_code: 'code', reference: 'other' } }, 'unknown'],
    ['no access code', 200, { status: true, data: { reference: REFERENCE } }, 'unknown'],
    ['an empty access code', 200, { status: true, data: { access_code: '', reference: REFERENCE } }, 'unknown'],
    ['another shape', 200, [], 'unknown'],
    ['no JSON', 200, '<html>', 'unknown'],
  ])('%s is %s', async (_name, status, body, outcome) => {
    reply = { status, body }
    expect((await card.initialize(payment)).outcome).toBe(outcome)
  })
})

describe('the list of what somebody paid', () => {
  const since = new Date('2026-11-21T11:00:00Z')
  const row = {
    status: 'success',
    reference: '1764000000001',
    amount: 5_098,
    requested_amount: 5_000,
    fees: 98,
    currency: 'GHS',
    domain: 'test',
    paid_at: '2026-11-21T11:00:00.000Z',
    customer: { email: 'ama@example.com' },
  }
  const list = () => card.listPaid({ email: 'ama+1@example.com', since })

  function answer(rows: unknown) {
    reply = { status: 200, body: { status: true, message: 'Customer retrieved', data: { id: 84_312 } } }
    listReply = { status: 200, body: { status: true, message: 'Transactions retrieved', data: rows } }
    return { customer: reply, list: listReply }
  }

  test('is asked for by the customer’s number, from an hour before on, and is read whole', async () => {
    answer([row, { ...row, reference: 'early', paid_at: '2026-11-21T10:59:59.999Z' }, { ...row, reference: 'gone', status: 'reversed' }])
    const paid = { outcome: 'paid', amountPesewas: 5_000, feePesewas: 0, currency: 'GHS', isTest: true, payerEmail: 'ama@example.com' }
    expect(await list()).toEqual({ outcome: 'listed', payments: [{ reference: row.reference, paidAt: since, paid }] })
    expect(seen.map(({ request }) => request.url)).toEqual([
      '/customer/ama%2B1%40example.com',
      '/transaction?customer=84312&status=success&from=2026-11-21T10%3A00%3A00.000Z&perPage=20',
    ])
  })

  test('is empty for somebody whom the provider does not know, without a second call', async () => {
    reply = { status: 404, body: { status: false, message: 'Customer not found', code: 'customer_not_found' } }
    expect([await list(), seen.length]).toEqual([{ outcome: 'listed', payments: [] }, 1])
  })

  test.each<[string, () => void]>([
    ['a row without a date', () => answer([row, { ...row, paid_at: null }])],
    ['an amount as text', () => answer([{ ...row, amount: '5000' }])],
    ['more rows than were asked for', () => answer(Array.from({ length: 21 }, () => row))],
    ['no list', () => answer({})],
    ['a failure of theirs', () => Object.assign(answer([row]).list, { status: 500, body: { status: false, message: 'x' } })],
    ['a customer without a number', () => Object.assign(answer([row]).customer, { body: { status: true, data: {} } })],
    ['a wrong key', () => Object.assign(answer([row]).customer, { status: 401, body: { status: false, message: 'Invalid key' } })],
  ])('is unknown for %s', async (_name, prepare) => {
    prepare()
    expect((await list()).outcome).toBe('unknown')
  })
})

describe('verify', () => {
  const data = { status: 'success', reference: REFERENCE, amount: 567, requested_amount: 567, currency: 'GHS', domain: 'live' }

  async function verify(change: Record<string, unknown>, { status = 200, envelope = {} } = {}) {
    reply = { status, body: { status: true, message: 'Verification successful', data: { ...data, ...change }, ...envelope } }
    return card.verify(REFERENCE)
  }

  test('a success is paid, with amount, currency and whether it was a test', async () => {
    expect(await verify({})).toEqual({
      outcome: 'paid',
      amountPesewas: 567,
      feePesewas: null,
      currency: 'GHS',
      isTest: false,
      payerEmail: null,
    })
    expect(await verify({ customer: { email: 'ama@example.com' } })).toMatchObject({ payerEmail: 'ama@example.com' })
    for (const customer of [{ email: null }, {}, null, 'x', 0]) expect(await verify({ customer })).toMatchObject({ payerEmail: null })
    expect(seen[0]!.request.url).toBe(`/transaction/verify/${REFERENCE}`)
    expect(await verify({ domain: 'test', currency: 'NGN' })).toEqual({
      outcome: 'paid',
      amountPesewas: 567,
      feePesewas: null,
      currency: 'NGN',
      isTest: true,
      payerEmail: null,
    })
  })

  test.each([
    ['of ours', { fees: 11 }, 11],
    ['that the payer bore', { amount: 578, fees: 11 }, 0],
    ['that the payer bore in part', { amount: 570, fees: 11 }, 8],
    ['of a payment in part', { amount: 400, fees: 8 }, 8],
    ['more than came', { fees: 900 }, 567],
    ['that is no number', { fees: '11' }, null],
    ['that it does not say', { fees: null }, null],
  ])("the provider's fee %s", async (_what, data, feePesewas) => {
    expect(await verify(data)).toMatchObject({ outcome: 'paid', feePesewas })
  })

  test('the requested amount counts when the payer was charged more', async () => {
    expect(await verify({ amount: 580 })).toMatchObject({ amountPesewas: 567 })
    expect(await verify({ amount: 560 })).toMatchObject({ amountPesewas: 560 })
    expect(await verify({ requested_amount: undefined })).toMatchObject({ amountPesewas: 567 })
    expect(await verify({ requested_amount: null })).toMatchObject({ amountPesewas: 567 })
  })

  test.each([
    ['abandoned', 'unfinished'],
    ['failed', 'declined'],
    ...['ongoing', 'pending', 'processing', 'queued', 'Success', 'SUCCESS', 'successful', ''].map((status) => [status, 'under-way']),
  ])('status %j is not paid yet', async (status, progress) => {
    expect(await verify({ status, gateway_response: 'said so' })).toEqual({
      outcome: 'not-paid',
      final: false,
      reason: 'said so',
      progress,
    })
  })

  test('a reversed payment is reversed', async () => {
    expect(await verify({ status: 'reversed' })).toMatchObject({ outcome: 'reversed' })
  })

  test.each<[string, Record<string, unknown>]>([
    ['another reference', { reference: 'AAAAAAAAAAAAAAAAAAAA' }],
    ['an amount that is text', { amount: '567' }],
    ['an amount with a fraction', { amount: 567.5 }],
    ['an amount below zero', { amount: -567 }],
    ['no amount', { amount: undefined }],
    ['no currency', { currency: undefined }],
    ['no status', { status: undefined }],
    ['a status that is a boolean', { status: true }],
  ])('%s is unknown, never paid', async (_name, change) => {
    expect((await verify(change)).outcome).toBe('unknown')
  })

  test('an envelope that contradicts its data is unknown', async () => {
    expect((await verify({}, { envelope: { status: false } })).outcome).toBe('unknown')
    expect((await verify({}, { envelope: { status: 'true' } })).outcome).toBe('unknown')
  })

  test('an unknown reference is not paid; any other refusal is unknown', async () => {
    reply = { status: 404, body: { status: false, message: 'Transaction reference not found.', code: 'transaction_not_found' } }
    expect(await card.verify(REFERENCE)).toMatchObject({ outcome: 'not-paid', final: false })
    for (const [status, message] of [
      [401, 'Invalid key'],
      [429, 'Too many requests'],
      [500, 'not found'],
      [503, 'Down'],
    ] as const) {
      reply = { status, body: { status: false, message } }
      expect(await card.verify(REFERENCE)).toMatchObject({ outcome: 'unknown' })
    }
  })

  test('a reference stays one segment of the path, whatever it contains', async () => {
    await card.verify('../../balance?x=1#')
    expect(seen[0]!.request.url).toBe('/transaction/verify/..%2F..%2Fbalance%3Fx%3D1%23')
  })
})

describe('a webhook event', () => {
  const body = Buffer.from(`{ "event":"charge.success", "data":{"reference":"${REFERENCE}","amount":5150.0,"note":"\\u00e9\\/"} }\n`)
  const sign = (raw: Buffer, key = SECRET, algorithm = 'sha512') => createHmac(algorithm, key).update(raw).digest('hex')

  test('signed over its raw bytes is read', () => {
    expect(card.readWebhook(body, sign(body))).toEqual({ event: 'charge.success', reference: REFERENCE })
  })

  test('signed with the previous key is read while that key is configured', () => {
    expect(card.readWebhook(body, sign(body, 'sk_test_before_that'))).not.toBeNull()
  })

  test.each<[string, string | undefined]>([
    ['no signature', undefined],
    ['an empty one', ''],
    ['one in capitals', sign(body).toUpperCase()],
    ['one cut short', sign(body).slice(0, -1)],
    ['one too long', `${sign(body)}0`],
    ['one by SHA-256', sign(body, SECRET, 'sha256')],
    ['one with the public key', sign(body, 'pk_test')],
    ['one with an empty key', sign(body, '')],
    ['one of the parsed body', sign(Buffer.from(JSON.stringify(JSON.parse(body.toString()))))],
    ['two in one', `${sign(body)}, ${sign(body)}`],
    ['one that is no hex', 'z'.repeat(128)],
  ])('with %s is refused', (_name, signature) => {
    expect(card.readWebhook(body, signature)).toBeNull()
  })

  test('with any byte altered is refused', () => {
    const signature = sign(body)
    for (let at = 0; at < body.length; at++) {
      const altered = Buffer.from(body)
      altered[at] = altered[at]! ^ 1
      expect(card.readWebhook(altered, signature)).toBeNull()
    }
  })

  test.each<[string, string]>([
    ['no JSON', 'hello'],
    ['nothing', ''],
    ['a list', '[]'],
    ['no event', '{"data":{}}'],
    ['data that is text', '{"event":"charge.success","data":"x"}'],
  ])('that is signed and %s is unreadable, without an error', (_name, text) => {
    const raw = Buffer.from(text)
    expect(card.readWebhook(raw, sign(raw))).toEqual({ event: 'unreadable', reference: null })
  })
})

test('with cards switched off nothing can be paid, and no webhook event is accepted', async () => {
  expect(await cardSwitchedOff.initialize({ reference: REFERENCE, amountPesewas: 1, email: 'a@b.c', metadata: {} })).toMatchObject({
    outcome: 'rejected',
  })
  expect(await cardSwitchedOff.verify(REFERENCE)).toMatchObject({ outcome: 'unknown' })
  expect(await cardSwitchedOff.listPaid({ email: 'ama@example.com', since: new Date() })).toMatchObject({ outcome: 'unknown' })
  const body = Buffer.from('{}')
  expect(cardSwitchedOff.readWebhook(body, createHmac('sha512', '').update(body).digest('hex'))).toBeNull()
})
