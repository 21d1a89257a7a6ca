import { createHmac } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { allow } from '../test/slowness.ts'
import type { CardFaultInput } from './card/faults.ts'
import { CARD_STATUSES } from './card/payments.ts'
import { type CardProvider, startCardProvider } from './card-provider.ts'

type Heard = { body: string; signature: string | undefined; type: string | undefined; url: string | undefined }
type Body = {
  status: boolean
  message: string
  code?: string
  data: { id: number; reference: string; access_code: string; authorization_url: string; status: string; fees: number | null }
}

const NOW = new Date('2026-11-21T12:00:00Z')

let folder: string
let provider: CardProvider
let shop: Awaited<ReturnType<typeof openShop>>
let references = 0

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dwadi-card-'))
  shop = await openShop()
  provider = await start()
})
afterEach(async () => {
  await provider.close()
  await shop.close()
  await rm(folder, { recursive: true, force: true })
})

describe('initialize', () => {
  test('starts a transaction and returns how to resume it', async () => {
    const reference = newReference()
    const { status, body } = await initialize({ reference })
    expect(status).toBe(200)
    expect(body).toEqual({
      status: true,
      message: 'Authorization URL created',
      data: { authorization_url: expect.any(String), access_code: expect.stringMatching(/^[0-9a-z]{15}$/), reference },
    })
    expect(body.data.authorization_url).toBe(`${shop.url}/sandbox/card/popup?access_code=${body.data.access_code}`)
    expect(provider.payments()[0]).toMatchObject({ reference, requestedAmountPesewas: 2575, currency: 'GHS', status: 'abandoned' })
  })

  test('accepts the amount as a text of digits, and makes a reference when none is given', async () => {
    const { status, body } = await initialize({ amount: '2575', reference: undefined })
    expect(status).toBe(200)
    expect(body.data.reference).toMatch(/^T\d{15}$/)
    expect(provider.payments()[0]?.requestedAmountPesewas).toBe(2575)
  })

  test('refuses a used reference and does not change the first transaction', async () => {
    const reference = newReference()
    await initialize({ reference })
    const second = await initialize({ reference, amount: 100 })
    expect(second).toMatchObject({
      status: 400,
      body: { status: false, message: 'Duplicate Transaction Reference', type: 'validation_error', code: 'duplicate_reference' },
    })
    expect(provider.payments()).toHaveLength(1)
    expect(provider.payments()[0]?.requestedAmountPesewas).toBe(2575)
  })

  test('gives a reference to one of two concurrent calls', async () => {
    const reference = newReference()
    const both = await Promise.all([initialize({ reference }), initialize({ reference })])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400])
  })

  test.each([
    ['no email', { email: undefined }, 'Email is required', 'missing_params'],
    ['something else than an email', { email: 'ama' }, 'Invalid Email Address Passed', 'invalid_email_address'],
    ['no amount', { amount: undefined }, 'Invalid Amount Sent', 'invalid_amount'],
    ['part of a pesewa', { amount: 25.5 }, 'Invalid Amount Sent', 'invalid_amount'],
    ['an amount in words', { amount: 'five' }, 'Invalid Amount Sent', 'invalid_amount'],
    ['an amount with decimals in a text', { amount: '25.50' }, 'Invalid Amount Sent', 'invalid_amount'],
    ['a negative amount', { amount: -100 }, 'Invalid Amount Sent', 'invalid_amount'],
    ['less than ten pesewas', { amount: 9 }, 'Invalid Amount Sent', 'invalid_amount'],
    ['more than the provider takes', { amount: 10_000_001 }, 'Transaction amount exceeds limit', 'invalid_amount'],
    ['another currency', { currency: 'USD' }, 'Currency not supported by merchant', 'unsupported_currency'],
    ['an underscore in the reference', { reference: 'order_1' }, 'Invalid transaction reference', 'invalid_params'],
    ['a space in the reference', { reference: 'order 1' }, 'Invalid transaction reference', 'invalid_params'],
    ['an unknown channel', { channels: ['cowries'] }, 'Invalid channels sent', 'invalid_params'],
    ['metadata that is no JSON', { metadata: '{"a":' }, 'Invalid metadata', 'invalid_params'],
  ])('refuses %s', async (_, change, message, code) => {
    const { status, body } = await initialize(change)
    expect({ status, body }).toMatchObject({ status: 400, body: { status: false, message, code, type: 'validation_error' } })
    expect(provider.payments()).toEqual([])
  })

  test('accepts every character that a reference may have', async () => {
    expect((await initialize({ reference: 'Az09-.=' })).status).toBe(200)
  })

  test('refuses a body that is not a JSON object', async () => {
    for (const body of ['[', '[]', '"x"', 'null']) {
      const reply = await post('/transaction/initialize', body)
      expect(reply).toMatchObject({ status: 400, body: { status: false } })
    }
  })

  test.each([undefined, 'Bearer sk_test_wrong', 'Basic abc', ''])('refuses the key %j on every call', async (authorization) => {
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization }
    for (const [method, path] of [
      ['POST', '/transaction/initialize'],
      ['GET', '/transaction/verify/abc'],
    ] as const) {
      const response = await fetch(provider.baseUrl + path, { method, headers })
      expect(response.status).toBe(401)
      expect(await response.json()).toMatchObject({ status: false, message: 'Invalid key' })
    }
  })
})

describe('verify', () => {
  test('describes a paid transaction', async () => {
    const reference = newReference()
    await initialize({ reference, metadata: { user: '42' } })
    await provider.pay(reference)
    const { status, body } = await verify(reference)
    expect(status).toBe(200)
    expect(body).toMatchObject({ status: true, message: 'Verification successful' })
    expect(body.data).toMatchObject({
      domain: 'test',
      status: 'success',
      reference,
      amount: 2575,
      requested_amount: 2575,
      currency: 'GHS',
      fees: 50,
      fees_split: null,
      gateway_response: 'Successful',
      channel: 'card',
      paid_at: NOW.toISOString(),
      created_at: NOW.toISOString(),
      metadata: { user: '42' },
      customer: { email: 'ama@example.com', customer_code: expect.stringMatching(/^CUS_/), phone: null },
      authorization: { authorization_code: expect.stringMatching(/^AUTH_/), last4: '4081', channel: 'card', reusable: true },
      log: { attempts: 1, errors: 0, success: true },
    })
    expect(body.data.id).toBeGreaterThan(2 ** 32)
  })

  test('reports an unpaid transaction as abandoned, without fee or date', async () => {
    const reference = newReference()
    await initialize({ reference })
    expect((await verify(reference)).body.data).toMatchObject({
      status: 'abandoned',
      paid_at: null,
      fees: null,
      log: null,
      authorization: {},
      metadata: '',
    })
  })

  test.each(CARD_STATUSES)('reports the status %s with a 200', async (status) => {
    const reference = newReference()
    await initialize({ reference })
    await provider.setStatus(reference, status)
    const reply = await verify(reference)
    expect(reply.status).toBe(200)
    expect(reply.body).toMatchObject({ status: true, data: { status, reference } })
  })

  test('does not know an unused reference', async () => {
    expect(await verify('neverheardof')).toMatchObject({ status: 400, body: { status: false, code: 'transaction_not_found' } })
  })

  test('charges 1.95 per cent', async () => {
    for (const [amount, fees] of [
      [10, 0],
      [100, 2],
      [2575, 50],
      [5150, 100],
      [1_000_000, 19_500],
    ] as const) {
      const reference = newReference()
      await initialize({ reference, amount })
      await provider.pay(reference)
      expect((await verify(reference)).body.data.fees).toBe(fees)
    }
  })

  test('distinguishes the charged from the requested amount', async () => {
    const reference = newReference()
    await initialize({ reference })
    await provider.pay(reference, { amountPesewas: 2626 })
    expect((await verify(reference)).body.data).toMatchObject({ amount: 2626, requested_amount: 2575 })
  })

  test('describes mobile money', async () => {
    const reference = newReference()
    await initialize({ reference })
    await provider.payByPhone(reference, '0551234987')
    expect((await verify(reference)).body.data).toMatchObject({
      status: 'success',
      channel: 'mobile_money',
      message: 'madePayment',
      gateway_response: 'Approved',
      authorization: { bin: '055XXX', last4: 'X987', bank: 'MTN Mobile Money', reusable: false, exp_year: '9999' },
    })
  })
})

describe('payers', () => {
  test('may try again after a declined card', async () => {
    const reference = newReference()
    await initialize({ reference })
    await provider.decline(reference, 'Insufficient funds')
    expect((await verify(reference)).body.data).toMatchObject({ status: 'failed', gateway_response: 'Insufficient funds' })
    expect(shop.heard).toEqual([])
    await provider.pay(reference)
    expect((await verify(reference)).body.data).toMatchObject({ status: 'success', log: { attempts: 2, errors: 1 } })
  })

  test('pay once, however often they press the button', async () => {
    const reference = newReference()
    await initialize({ reference })
    await Promise.all([provider.pay(reference), provider.pay(reference), provider.pay(reference)])
    await expect.poll(() => webhookEventsOf(reference)).toMatchObject([{ state: 'delivered', attempts: 1 }])
    expect(shop.heard).toHaveLength(1)
  })

  test('can pay by mobile money with the test number alone', async () => {
    const reference = newReference()
    await initialize({ reference })
    await expect(provider.payByPhone(reference, '055')).rejects.toThrow('10 digits')
    expect(await provider.payByPhone(reference, '0244000000')).toMatchObject({ status: 'failed', channel: 'mobile_money' })
    expect(await provider.payByPhone(reference, '0551234987')).toMatchObject({ status: 'success' })
  })

  test('can pay after their window has closed', async () => {
    const reference = newReference()
    await initialize({ reference })
    await provider.pay(reference, { afterMs: allow(200) })
    expect((await verify(reference)).body.data).toMatchObject({ status: 'pending', fees: null })
    await expect.poll(async () => (await verify(reference)).body.data.status).toBe('success')
    await expect.poll(() => shop.heard).toHaveLength(1)
  })

  test('cannot pay a reversed transaction, nor lose a paid one', async () => {
    const reference = newReference()
    await initialize({ reference })
    await provider.pay(reference)
    await expect(provider.decline(reference)).rejects.toMatchObject({ statusCode: 409 })
    await provider.setStatus(reference, 'reversed')
    await expect(provider.pay(reference)).rejects.toMatchObject({ statusCode: 409 })
    await expect(provider.notifyAgain(reference)).rejects.toMatchObject({ statusCode: 409 })
    await expect(provider.pay('neverheardof')).rejects.toMatchObject({ statusCode: 404 })
  })
})

describe('webhook events', () => {
  test('carry the payment, signed over the exact bytes sent', async () => {
    const reference = await payOne({ metadata: { user: '42' } })
    const [heard] = await hear(1)
    expect(heard).toMatchObject({ url: '/api/payment/webhook', type: 'application/json' })
    expect(heard!.signature).toBe(createHmac('sha512', provider.secretKey).update(heard!.body).digest('hex'))
    expect(JSON.parse(heard!.body)).toMatchObject({
      event: 'charge.success',
      data: {
        reference,
        status: 'success',
        amount: 2575,
        requested_amount: 2575,
        currency: 'GHS',
        domain: 'test',
        metadata: { user: '42' },
      },
    })
  })

  test('do not delay the payer', async () => {
    shop.answer = () => {}
    const reference = newReference()
    await initialize({ reference })
    await provider.pay(reference)
    await hear(1)
    expect(webhookEventsOf(reference)).toMatchObject([{ state: 'waiting', attempts: 0 }])
  })

  test('are repeated until accepted, and not after that', async () => {
    const answers = [500, 302, 404, 201]
    shop.answer = (response) => response.writeHead(answers.shift() ?? 599, { location: shop.url }).end()
    const reference = await payOne()
    await expect.poll(() => webhookEventsOf(reference)).toMatchObject([{ state: 'delivered', attempts: 4, lastResult: 'HTTP 201' }])
    expect(new Set(shop.heard.map(({ body }) => body)).size).toBe(1)
    expect(shop.heard).toHaveLength(4)
  })

  test('are repeated when the shop does not reply or disconnects', async () => {
    const answers = [() => {}, (response: ServerResponse) => response.destroy(), (response: ServerResponse) => response.end()]
    shop.answer = (response) => answers.shift()?.(response)
    const reference = await payOne()
    await expect.poll(() => webhookEventsOf(reference)).toMatchObject([{ state: 'delivered', attempts: 3 }])
  })

  test('are given up after the last retry', async () => {
    shop.answer = (response) => response.writeHead(500).end()
    const reference = await payOne()
    await expect.poll(() => webhookEventsOf(reference)).toMatchObject([{ state: 'given-up', attempts: 5, lastResult: 'HTTP 500' }])
    expect(shop.heard).toHaveLength(5)
  })

  test('can be sent once more', async () => {
    const reference = await payOne()
    await hear(1)
    await provider.notifyAgain(reference)
    const [first, second] = await hear(2)
    expect(second).toEqual(first)
  })

  test('can be lost', async () => {
    provider.addFault({ call: 'webhook', kind: 'lose' })
    const lost = await payOne()
    const kept = await payOne()
    const [heard] = await hear(1)
    expect(JSON.parse(heard!.body).data.reference).toBe(kept)
    expect(webhookEventsOf(lost)).toMatchObject([{ state: 'lost', attempts: 0 }])
  })

  test('can be late', async () => {
    const late = newReference()
    provider.addFault({ call: 'webhook', kind: 'delay', delayMs: 1_500, reference: late })
    await payOne({ reference: late })
    const early = await payOne()
    const heard = await hear(2)
    expect(heard.map(({ body }) => JSON.parse(body).data.reference)).toEqual([early, late])
  })

  test('can be repeated', async () => {
    provider.addFault({ call: 'webhook', kind: 'repeat', count: 7 })
    await payOne()
    const heard = await hear(7)
    expect(new Set(heard.map(({ body, signature }) => `${body} ${signature}`)).size).toBe(1)
  })

  test('can be forged: sent once with a wrong signature', async () => {
    shop.answer = (response) => response.writeHead(401).end()
    provider.addFault({ call: 'webhook', kind: 'bad-signature' })
    const reference = await payOne()
    await expect.poll(() => webhookEventsOf(reference)).toMatchObject([{ state: 'given-up', attempts: 1, lastResult: 'HTTP 401' }])
    const [heard] = shop.heard
    expect(heard!.signature).toMatch(/^[0-9a-f]{128}$/)
    expect(heard!.signature).not.toBe(createHmac('sha512', provider.secretKey).update(heard!.body).digest('hex'))
  })

  test.each([[], {}, null, 7, 'no JSON at all', { event: 'charge.success' }, { event: 'charge.success', data: null }])(
    'can contain %j, correctly signed',
    async (odd) => {
      provider.addFault({ call: 'webhook', kind: 'body', body: odd })
      await payOne()
      const [heard] = await hear(1)
      expect(heard!.body).toBe(typeof odd === 'string' ? odd : JSON.stringify(odd))
      expect(heard!.signature).toBe(createHmac('sha512', provider.secretKey).update(heard!.body).digest('hex'))
    },
  )

  test.each(['', 0, { custom_fields: [] }, '{"user":"42"}'])('can return metadata as %j', async (metadata) => {
    provider.addFault({ call: 'webhook', kind: 'data', data: { metadata } })
    const reference = await payOne()
    const [heard] = await hear(1)
    expect(JSON.parse(heard!.body).data).toMatchObject({ metadata, reference })
  })
})

describe('faults', () => {
  test('wait for their payment, in order, and happen as often as requested', async () => {
    const one = await begin()
    const other = await begin()
    provider.addFault({ call: 'verify', kind: 'data', data: { status: 'ongoing' }, reference: one, times: 2 })
    provider.addFault({ call: 'verify', kind: 'data', data: { status: 'pending' } })
    const statuses: string[] = []
    for (const reference of [other, one, one, one, other]) statuses.push((await verify(reference)).body.data.status)
    expect(statuses).toEqual(['pending', 'ongoing', 'ongoing', 'abandoned', 'abandoned'])
  })

  test('do not happen once cleared', async () => {
    const reference = await begin()
    provider.addFault({ call: 'verify', kind: 'error', times: 10 })
    provider.clearFaults()
    expect((await verify(reference)).status).toBe(200)
  })

  test('that end in an error do not start a payment; others do, unless told otherwise', async () => {
    for (const [fault, begun] of [
      [{ kind: 'error' }, false],
      [{ kind: 'error', acts: true }, true],
      [{ kind: 'malformed' }, true],
      [{ kind: 'drop' }, true],
      [{ kind: 'drop', acts: false }, false],
      [{ kind: 'reply', status: 200, body: {} }, false],
      [{ kind: 'redirect' }, false],
    ] as const) {
      const reference = newReference()
      provider.addFault({ call: 'initialize', ...fault } as CardFaultInput)
      await initialize({ reference }).catch(() => {})
      expect({ fault, begun: provider.payments().some((one) => one.reference === reference) }).toEqual({ fault, begun })
    }
  })

  test.each(['initialize', 'verify'] as const)('of %s: a server error', async (call) => {
    provider.addFault({ call, kind: 'error' })
    expect(await send(call)).toMatchObject({ status: 500, body: { status: false, type: 'api_error', code: 'unknown' } })
    expect((await send(call)).status).toBe(200)
  })

  test.each(['initialize', 'verify'] as const)('of %s: no reply, although the call was accepted', async (call) => {
    provider.addFault({ call, kind: 'hang' })
    const before = provider.calls().length
    await expect(send(call, AbortSignal.timeout(200))).rejects.toMatchObject({ name: 'TimeoutError' })
    expect(provider.calls().length).toBeGreaterThan(before)
    expect(provider.calls()[0]?.status).toBeNull()
  })

  test.each(['initialize', 'verify'] as const)('of %s: a connection that is cut', async (call) => {
    provider.addFault({ call, kind: 'drop' })
    await expect(send(call)).rejects.toThrow('fetch failed')
  })

  test.each(['initialize', 'verify'] as const)('of %s: a slow reply', async (call) => {
    provider.addFault({ call, kind: 'slow', delayMs: 150 })
    const begun = performance.now()
    expect((await send(call)).status).toBe(200)
    expect(performance.now() - begun).toBeGreaterThanOrEqual(145)
  })

  test.each(['initialize', 'verify'] as const)('of %s: JSON that ends half-way', async (call) => {
    provider.addFault({ call, kind: 'malformed' })
    const response = await sendRaw(call)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toContain('application/json')
    const text = await response.text()
    expect(text).toMatch(/^\{"status":true/)
    expect(() => JSON.parse(text)).toThrow()
  })

  test('of verify: ten megabytes, otherwise correct', async () => {
    const reference = await begin()
    await provider.pay(reference)
    provider.addFault({ call: 'verify', kind: 'huge' })
    const response = await sendRaw('verify', reference)
    const text = await response.text()
    expect(text.length).toBeGreaterThan(10_000_000)
    expect(JSON.parse(text).data.status).toBe('success')
  })

  test('of verify: a redirect to an address that reports everything as paid', async () => {
    const reference = await begin()
    provider.addFault({ call: 'verify', kind: 'redirect' })
    const response = await sendRaw('verify', reference, { redirect: 'manual' })
    expect(response.status).toBe(302)
    expect(response.headers.get('location')).toBe(`/_elsewhere/${reference}`)
    expect(provider.calls().some(({ url }) => url.startsWith('/_elsewhere'))).toBe(false)
    const followed = await fetch(provider.baseUrl + response.headers.get('location'))
    expect(await followed.json()).toMatchObject({ data: { status: 'success', reference } })
    expect(provider.calls()[0]?.url).toBe(`/_elsewhere/${reference}`)
  })

  test.each([
    [{ amount: 1, requested_amount: 1 }],
    [{ amount: 9_999_999 }],
    [{ currency: 'NGN' }],
    [{ domain: 'live' }],
    [{ reference: 'someoneelses' }],
    [{ status: 'reversed' }],
    [{ amount: '2575' }],
  ])('of verify: a reply with %j', async (data) => {
    const reference = await begin()
    await provider.pay(reference)
    provider.addFault({ call: 'verify', kind: 'data', data })
    expect((await verify(reference)).body.data).toMatchObject({ status: 'success', ...data })
    expect((await verify(reference)).body.data).toMatchObject({
      status: 'success',
      reference,
      amount: 2575,
      currency: 'GHS',
      domain: 'test',
    })
  })

  test('of any call: any reply', async () => {
    provider.addFault({ call: 'verify', kind: 'reply', status: 404, body: { status: false, code: 'not_found', message: 'Gone' } })
    expect(await verify('abc')).toEqual({ status: 404, body: { status: false, code: 'not_found', message: 'Gone' } })
    provider.addFault({ call: 'verify', kind: 'reply', status: 502, body: '<html>Bad gateway</html>' })
    const response = await sendRaw('verify', 'abc')
    expect([response.status, await response.text()]).toEqual([502, '<html>Bad gateway</html>'])
  })

  test('that are invalid are refused with a message', () => {
    expect(() => provider.addFault({ call: 'webhook', kind: 'repeat', count: 1 })).toThrow()
    expect(() => provider.addFault({ call: 'verify', kind: 'lose' } as never)).toThrow()
  })
})

describe('a restart', () => {
  test('keeps the keys, the payments and their states', async () => {
    const { secretKey, publicKey } = provider
    const reference = await payOne()
    await hear(1)
    const before = provider.payments()
    await provider.close()
    provider = await start()
    expect(provider).toMatchObject({ secretKey, publicKey })
    expect(provider.payments()).toEqual(before)
    expect((await verify(reference)).body.data.status).toBe('success')
    expect((await initialize({ reference })).body.code).toBe('duplicate_reference')
  })

  test('keeps a payment made just before the process was killed', async () => {
    const reference = await begin()
    await provider.pay(reference)
    const kept = JSON.parse(await readFile(join(folder, 'card-payments.json'), 'utf8'))
    expect(kept.payments).toMatchObject([{ reference, status: 'success' }])
  })

  test('continues with webhook events that were not accepted', async () => {
    shop.answer = () => {}
    const reference = await payOne()
    await hear(1)
    await provider.close()
    expect(webhookEventsOf(reference)).toMatchObject([{ state: 'waiting', attempts: 0 }])
    shop.answer = (response) => response.end()
    provider = await start()
    await expect.poll(() => webhookEventsOf(reference)).toMatchObject([{ state: 'delivered', attempts: 1 }])
  })

  test('continues with payers who pay later', async () => {
    const reference = await begin()
    await provider.pay(reference, { afterMs: 100 })
    await provider.close()
    provider = await start()
    await expect.poll(async () => (await verify(reference)).body.data.status).toBe('success')
    await hear(1)
  })

  test('never reuses an id', async () => {
    await begin()
    await provider.close()
    provider = await start()
    await begin()
    expect(new Set(provider.payments().map(({ id }) => id)).size).toBe(2)
  })

  test('does not share its keys with another installation', async () => {
    const elsewhere = await mkdtemp(join(tmpdir(), 'dwadi-card-'))
    const other = await start(elsewhere)
    expect(other.secretKey).toMatch(/^sk_test_[0-9a-f]{40}$/)
    expect(other.publicKey).toMatch(/^pk_test_[0-9a-f]{40}$/)
    expect(other.secretKey).not.toBe(provider.secretKey)
    await other.close()
    await rm(elsewhere, { recursive: true, force: true })
  })

  test('closes while callers and a slow shop are waiting', async () => {
    shop.answer = () => {}
    const reference = await payOne()
    await hear(1)
    provider.addFault({ call: 'verify', kind: 'hang' })
    provider.addFault({ call: 'verify', kind: 'slow', delayMs: 600_000 })
    const waiting = [verify(reference), verify(reference)].map((call) => call.catch(() => 'cut'))
    await expect.poll(() => provider.control.faults.list()).toEqual([])
    await provider.close()
    await Promise.all(waiting)
    provider = await start()
  })
})

describe('control over HTTP', () => {
  test('does the same as the functions', async () => {
    const reference = await begin()
    expect(await control('GET', '/payments')).toMatchObject({ status: 200, body: [{ reference, status: 'abandoned' }] })
    expect(await control('POST', `/payments/${reference}/decline`, { reason: 'No' })).toMatchObject({
      body: { status: 'failed', gatewayResponse: 'No' },
    })
    expect(await control('POST', `/payments/${reference}/status`, { status: 'ongoing' })).toMatchObject({ body: { status: 'ongoing' } })
    expect(await control('POST', `/payments/${reference}/pay`, { amountPesewas: 100 })).toMatchObject({
      body: { status: 'success', amountPesewas: 100, requestedAmountPesewas: 2575 },
    })
    expect(await control('POST', `/payments/${reference}/webhook`)).toMatchObject({ body: { webhookEvents: [{}, {}] } })
    expect(await control('GET', `/payments/${reference}`)).toMatchObject({ body: { reference } })
    expect(await control('POST', '/faults', { call: 'verify', kind: 'error' })).toMatchObject({ status: 201, body: [{ times: 1 }] })
    expect((await verify(reference)).status).toBe(500)
    expect(await control('GET', '/calls')).toMatchObject({
      body: [
        { method: 'GET', status: 500 },
        { method: 'POST', status: 200 },
      ],
    })
    await control('POST', '/faults', { call: 'verify', kind: 'error' })
    expect(await control('DELETE', '/faults')).toMatchObject({ body: [] })
  })

  test('refuses invalid input', async () => {
    const reference = await begin()
    expect(await control('POST', '/faults', { call: 'verify', kind: 'vanish' })).toMatchObject({ status: 400 })
    expect(await control('POST', `/payments/${reference}/status`, { status: 'rich' })).toMatchObject({ status: 400 })
    expect(await control('POST', '/payments/neverheardof/pay')).toMatchObject({ status: 404 })
    expect(await control('GET', '/payments/neverheardof')).toMatchObject({ status: 404 })
    expect(await control('GET', '/neverheardof')).toMatchObject({ status: 404, body: { status: false } })
  })
})

function start(inFolder = folder) {
  return startCardProvider({
    folder: inFolder,
    shopUrl: () => shop.url,
    log: { warn() {} },
    now: () => NOW,
    webhookRetryDelaysMs: [5, 5, 5, 5],
    webhookTimeoutMs: allow(300),
  })
}

async function openShop() {
  const heard: Heard[] = []
  const opened = {
    url: '',
    heard,
    answer: (response: ServerResponse): unknown => response.end(),
    close: () => {
      server.closeAllConnections()
      return new Promise<void>((resolve) => void server.close(() => resolve()))
    },
  }
  const server = createServer((request: IncomingMessage, response) => {
    void buffer(request).then((body) => {
      heard.push({
        body: body.toString(),
        signature: request.headers['x-paystack-signature'] as string | undefined,
        type: request.headers['content-type'],
        url: request.url,
      })
      opened.answer(response)
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  opened.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return opened
}

function newReference() {
  references += 1
  return `ref${String(references).padStart(15, '0')}`
}

async function begin(change: object = {}) {
  const reference = newReference()
  const { body } = await initialize({ reference, ...change })
  return body.data.reference
}

async function payOne(change: object = {}) {
  const reference = await begin(change)
  await provider.pay(reference)
  return reference
}

async function hear(count: number) {
  await expect.poll(() => shop.heard.length).toBe(count)
  return shop.heard
}

function webhookEventsOf(reference: string) {
  return provider.payments().find((one) => one.reference === reference)?.webhookEvents
}

function initialize(change: object = {}) {
  return post(
    '/transaction/initialize',
    JSON.stringify({ email: 'ama@example.com', amount: 2575, reference: newReference(), currency: 'GHS', ...change }),
  )
}

async function post(path: string, body: string) {
  const response = await fetch(provider.baseUrl + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${provider.secretKey}`, 'content-type': 'application/json' },
    body,
  })
  return { status: response.status, body: (await response.json()) as Body }
}

async function verify(reference: string) {
  const response = await sendRaw('verify', reference)
  return { status: response.status, body: (await response.json()) as Body }
}

async function send(call: 'initialize' | 'verify', signal?: AbortSignal) {
  const reference = call === 'verify' ? await begin() : newReference()
  const response = await sendRaw(call, reference, signal ? { signal } : {})
  return { status: response.status, body: (await response.json()) as Body }
}

async function sendRaw(call: 'initialize' | 'verify', reference?: string, options: RequestInit = {}) {
  const authorization = `Bearer ${provider.secretKey}`
  if (call === 'verify') {
    const asked = reference ?? (await begin())
    return fetch(`${provider.baseUrl}/transaction/verify/${asked}`, { headers: { authorization }, ...options })
  }
  return fetch(`${provider.baseUrl}/transaction/initialize`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ama@example.com', amount: 2575, reference: reference ?? newReference() }),
    ...options,
  })
}

async function control(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) {
  const response = await fetch(`${provider.baseUrl}/_control${path}`, {
    method,
    ...(body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}),
  })
  return { status: response.status, body: await response.json() }
}
