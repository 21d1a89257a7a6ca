import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type AnsweringServer, openAnsweringServer, type Said } from '../../../test/answering-server.ts'
import { allow } from '../../../test/slowness.ts'
import { createReloadly, type ReloadlySettings } from './reloadly.ts'

let far: AnsweringServer
let auth: AnsweringServer
const order = {
  reference: 'Order12345abcdefGHIJ',
  network: 'Airtime' as const,
  receiver: '0241234567',
  volumeMb: null,
  airtime: { operator: 'MTN' as const, amountPesewas: 1_050 },
}
const TOKEN: Said = { status: 200, body: { access_token: 'token-1', expires_in: 3_600, token_type: 'Bearer' } }
const supplier = (others: Partial<ReloadlySettings> = {}) =>
  createReloadly({
    baseUrl: far.url,
    authUrl: `${auth.url}/oauth/token`,
    clientId: 'client-id',
    key: 'client-secret',
    operatorIds: { MTN: 150 },
    cedisPerUnit: null,
    provesAbsence: false,
    callsPerMinute: 60,
    timeoutMs: allow(300),
    ...others,
  })

beforeAll(async () => {
  far = await openAnsweringServer()
  auth = await openAnsweringServer()
})
beforeEach(() => {
  far.heard.length = 0
  auth.heard.length = 0
  auth.answer(TOKEN)
})
afterAll(async () => {
  await far.close()
  await auth.close()
})

const taken = (rest: object = {}) => ({ transactionId: 4602843, status: 'PROCESSING', customIdentifier: order.reference, ...rest })
const error = (errorCode: string, message = 'No') => ({
  timeStamp: '2026-10-08 01:55:00',
  message,
  path: '/topups',
  errorCode,
  details: [],
})

describe('an order', () => {
  test('is sent in cedis to the operator’s id, under our reference, with one token for all calls', async () => {
    far.answer({ status: 200, body: taken() })
    const one = supplier()
    expect(await one.send(order)).toMatchObject({ outcome: 'accepted', supplierReference: '4602843' })
    await one.send(order)
    expect(auth.heard).toMatchObject([
      {
        method: 'POST',
        url: '/oauth/token',
        body: { client_id: 'client-id', client_secret: 'client-secret', grant_type: 'client_credentials', audience: far.url },
      },
    ])
    expect(far.heard).toHaveLength(2)
    expect(far.heard[0]).toMatchObject({
      method: 'POST',
      url: '/topups',
      headers: { authorization: 'Bearer token-1', accept: 'application/com.reloadly.topups-v1+json' },
      body: {
        operatorId: 150,
        amount: 10.5,
        useLocalAmount: true,
        customIdentifier: order.reference,
        recipientPhone: { countryCode: 'GH', number: '233241234567' },
      },
    })
  })

  test('of data, or for an operator without an id, is not sold there, and nobody is asked', async () => {
    const none = { outcome: 'rejected', cause: 'not-sold' }
    expect(await supplier().send({ ...order, network: 'MTN', volumeMb: 1_000, airtime: null })).toMatchObject(none)
    expect(await supplier().send({ ...order, airtime: { operator: 'Telecel', amountPesewas: 500 } })).toMatchObject(none)
    expect([...auth.heard, ...far.heard]).toEqual([])
  })

  test.each<[string, Said, object]>([
    ['that arrived already', { status: 200, body: taken({ status: 'SUCCESSFUL' }) }, { outcome: 'accepted', detail: 'SUCCESSFUL' }],
    [
      'with its cost in cedis',
      { status: 200, body: taken({ balanceInfo: { cost: 10.29, currencyCode: 'GHS' } }) },
      { outcome: 'accepted', costPesewas: 1_029 },
    ],
    [
      'with its cost in dollars',
      { status: 200, body: taken({ balanceInfo: { cost: 0.9, currencyCode: 'USD' } }) },
      { outcome: 'accepted', costPesewas: null },
    ],
    ['under another reference', { status: 200, body: taken({ customIdentifier: 'another' }) }, { outcome: 'unknown', neverSent: false }],
    ['without an id', { status: 200, body: { status: 'SUCCESSFUL' } }, { outcome: 'unknown' }],
    ['no money', { status: 400, body: error('INSUFFICIENT_BALANCE') }, { outcome: 'rejected', cause: 'no-money' }],
    ['a used reference', { status: 400, body: error('CUSTOM_IDENTIFIER_ALREADY_USED') }, { outcome: 'rejected', cause: 'duplicate' }],
    ['a number served just now', { status: 400, body: error('PHONE_RECENTLY_RECHARGED') }, { outcome: 'rejected', cause: 'too-soon' }],
    ['a wrong number', { status: 400, body: error('INVALID_RECIPIENT_PHONE') }, { outcome: 'rejected', cause: 'refused' }],
    ['an amount not sold', { status: 400, body: error('INVALID_LOCAL_AMOUNT_FOR_OPERATOR') }, { outcome: 'rejected', cause: 'not-sold' }],
    ['an inactive account', { status: 403, body: error('INACTIVE_ACCOUNT') }, { outcome: 'rejected', cause: 'not-allowed' }],
    ['too many calls', { status: 429, body: error('TOO_MANY') }, { outcome: 'rejected', cause: 'too-often' }],
    // Something was tried: only asking tells.
    ['a failed attempt', { status: 400, body: error('TOPUP_TRANSACTION_FAILED') }, { outcome: 'unknown', neverSent: false }],
    ['an unknown error', { status: 400, body: error('SOMETHING_NEW') }, { outcome: 'unknown', neverSent: false }],
    ['an operator away', { status: 503, body: error('OPERATOR_UNAVAILABLE_OR_CURRENTLY_INACTIVE') }, { outcome: 'unknown' }],
    ['a page', { status: 502, body: '<html></html>' }, { outcome: 'unknown' }],
  ])('%s', async (_what, said, expected) => {
    far.answer(said)
    expect(await supplier().send(order)).toMatchObject(expected)
  })

  test('without an answer is unknown', async () => {
    far.answer({ hang: true })
    expect(await supplier().send(order)).toMatchObject({ outcome: 'unknown', neverSent: false, detail: 'no answer in time' })
  })
})

describe('a token', () => {
  test('that has ended is fetched anew, and the call made once more', async () => {
    const one = supplier()
    far.answer({ status: 200, body: { balance: 5, currencyCode: 'GHS' } })
    await one.balance()
    far.answer(({ headers }) =>
      headers.authorization === 'Bearer token-2' ? { status: 200, body: taken() } : { status: 401, body: error('TOKEN_EXPIRED') },
    )
    auth.answer({ status: 200, body: { access_token: 'token-2', expires_in: 3_600 } })
    expect(await one.send(order)).toMatchObject({ outcome: 'accepted' })
    expect(far.heard.filter(({ url }) => url === '/topups')).toHaveLength(2)
  })

  test('that is refused twice is a refusal', async () => {
    far.answer({ status: 401, body: error('INVALID_TOKEN') })
    expect(await supplier().send(order)).toMatchObject({ outcome: 'rejected', cause: 'not-allowed' })
    expect(far.heard).toHaveLength(2)
  })

  test.each<[string, Said, object]>([
    ['wrong keys', { status: 401, body: { errorCode: 'INVALID_CREDENTIALS' } }, { outcome: 'rejected', cause: 'not-allowed' }],
    ['a page', { status: 502, body: '<html></html>' }, { outcome: 'unknown', neverSent: true }],
    ['an answer without one', { status: 200, body: {} }, { outcome: 'unknown', neverSent: true }],
    ['no answer', { hang: true }, { outcome: 'unknown', neverSent: true }],
  ])('%s instead: the order was never sent', async (_what, said, expected) => {
    auth.answer(said)
    expect(await supplier().send(order)).toMatchObject(expected)
    expect(far.heard).toEqual([])
  })

  test('lasts no longer than it says', async () => {
    auth.answer({ status: 200, body: { access_token: 'token-1', expires_in: 30 } })
    far.answer({ status: 200, body: { balance: 5, currencyCode: 'GHS' } })
    const one = supplier()
    await one.balance()
    await one.balance()
    expect(auth.heard).toHaveLength(2)
  })
})

describe('a question', () => {
  const known = { reference: order.reference, supplierReference: '4602843' }
  const lost = { reference: order.reference, supplierReference: null }
  const page = (...content: object[]): Said => ({ status: 200, body: { content, last: true } })

  test('asks by its id where that is known, else by our reference', async () => {
    far.answer({ status: 200, body: { status: 'PROCESSING', transaction: null } })
    await supplier().queryStatus(known)
    far.answer(page())
    await supplier().queryStatus(lost)
    expect(far.heard.map(({ url }) => url)).toEqual([
      '/topups/4602843/status',
      `/topups/reports/transactions?customIdentifier=${order.reference}&size=10&page=1`,
    ])
  })

  test.each<[string, Said, string]>([
    ['SUCCESSFUL', { status: 200, body: { status: 'SUCCESSFUL', transaction: taken() } }, 'delivered'],
    ['PROCESSING', { status: 200, body: { status: 'PROCESSING', transaction: null } }, 'pending'],
    ['FAILED', { status: 200, body: { status: 'FAILED', transaction: taken() } }, 'failed'],
    ['REFUNDED', { status: 200, body: { status: 'REFUNDED', transaction: taken() } }, 'failed'],
    ['a new word', { status: 200, body: { status: 'SETTLING' } }, 'unknown'],
    ['another order’s', { status: 200, body: { status: 'FAILED', transaction: taken({ customIdentifier: 'another' }) } }, 'unknown'],
    ['an unknown id', { status: 404, body: error('TRANSACTION_NOT_FOUND') }, 'not-found'],
    ['an error', { status: 500, body: error('INTERNAL') }, 'unknown'],
  ])('by its id: %s', async (_what, said, outcome) => {
    far.answer(said)
    expect((await supplier().queryStatus(known)).outcome).toBe(outcome)
  })

  test.each<[string, Said, string]>([
    ['one that arrived', page(taken({ status: 'SUCCESSFUL' })), 'delivered'],
    ['nothing', page(), 'not-found'],
    ['another order', page(taken({ customIdentifier: 'another', status: 'SUCCESSFUL' })), 'not-found'],
    ['one failed, one on its way', page(taken({ status: 'FAILED' }), taken()), 'pending'],
    ['one failed, one arrived', page(taken({ status: 'FAILED' }), taken({ status: 'SUCCESSFUL' })), 'delivered'],
    ['no list', { status: 200, body: { last: true } }, 'unknown'],
    ['a bare list', { status: 200, body: [taken({ status: 'FAILED' })] }, 'failed'],
  ])('by our reference: %s', async (_what, said, outcome) => {
    far.answer(said)
    expect((await supplier().queryStatus(lost)).outcome).toBe(outcome)
  })
})

test.each<[string, object, number | null, object]>([
  ['cedis', { balance: 120.55, currencyCode: 'GHS' }, null, { outcome: 'known', pesewas: 12_055 }],
  ['dollars', { balance: 10, currencyCode: 'USD' }, null, { outcome: 'unknown', detail: 'the account is kept in USD' }],
  ['dollars at a rate', { balance: 10, currencyCode: 'USD' }, 11.5, { outcome: 'known', pesewas: 11_500 }],
  ['nothing', {}, null, { outcome: 'unknown' }],
])('a balance in %s', async (_what, body, cedisPerUnit, expected) => {
  far.answer({ status: 200, body })
  expect(await supplier({ cedisPerUnit }).balance()).toMatchObject(expected)
})

test('an event names our reference', () => {
  expect(supplier().readWebhook({ type: 'airtime_transaction.status', data: { customIdentifier: 'Order1' } })).toBe('Order1')
  expect(supplier().readWebhook({ data: {} })).toBeNull()
  expect(supplier().readWebhook('text')).toBeNull()
})
