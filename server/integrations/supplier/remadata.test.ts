import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type AnsweringServer, openAnsweringServer, type Said } from '../../../test/answering-server.ts'
import { allow } from '../../../test/slowness.ts'
import { createRemadata } from './remadata.ts'

let far: AnsweringServer
const order = { reference: 'Order12345abcdefGHIJ', network: 'AirtelTigo' as const, receiver: '0271234567', volumeMb: 2000 }
const supplier = () => createRemadata({ baseUrl: `${far.url}/api`, key: 'secret-key', callsPerMinute: 60, timeoutMs: allow(300) })

beforeAll(async () => {
  far = await openAnsweringServer()
})
beforeEach(() => {
  far.heard.length = 0
})
afterAll(() => far.close())

test('an order is sent with RemaData’s words for network, number and volume', async () => {
  far.answer({ body: { status: 'success', data: { reference: 'R1' } } })
  await supplier().send(order)
  expect(far.heard[0]).toMatchObject({
    method: 'POST',
    url: '/api/buy-data',
    headers: { 'x-api-key': 'secret-key' },
    body: { ref: order.reference, phone: '233271234567', volumeInMB: 2000, networkType: 'airteltigo' },
  })
})

test.each<[string, Said, object]>([
  [
    'success',
    { body: { status: 'success', message: 'Placed', data: { reference: 'R1' } } },
    { outcome: 'accepted', supplierReference: 'R1' },
  ],
  ['a reference alone', { status: 201, body: { data: { reference: 'R1' } } }, { outcome: 'accepted', supplierReference: 'R1' }],
  ['402', { status: 402, body: { message: 'Wallet low' } }, { outcome: 'rejected', cause: 'no-money' }],
  ['401', { status: 401, body: { message: 'Bad key' } }, { outcome: 'rejected', cause: 'not-allowed' }],
  ['429', { status: 429, body: { message: 'Slow' } }, { outcome: 'rejected', cause: 'too-often' }],
  ['409', { status: 409, body: { message: 'Duplicate ref' } }, { outcome: 'rejected', cause: 'duplicate' }],
  ['422', { status: 422, body: { message: 'The phone field is invalid' } }, { outcome: 'rejected', cause: 'refused' }],
  ['a 200 that says error', { body: { status: 'error', message: 'Insufficient balance' } }, { outcome: 'rejected', cause: 'no-money' }],
  ['a 200 that says nothing', { body: {} }, { outcome: 'unknown' }],
  ['500 with success', { status: 500, body: { status: 'success' } }, { outcome: 'unknown' }],
  ['HTML', { status: 502, body: '<html></html>' }, { outcome: 'unknown' }],
  ['no answer', { hang: true }, { outcome: 'unknown', neverSent: false }],
])('sending: %s', async (_name, said, expected) => {
  far.answer(said)
  expect(await supplier().send(order)).toMatchObject(expected)
})

test.each<[string, Said, string]>([
  ['completed', { body: { status: 'success', data: { status: 'completed' } } }, 'delivered'],
  ['orderStatus', { body: { status: 'success', data: { orderStatus: 'processing' } } }, 'pending'],
  ['refunded', { body: { data: { status: 'refunded' } } }, 'failed'],
  ['404', { status: 404, body: { message: 'Order not found' } }, 'not-found'],
  ['a new word', { body: { data: { status: 'baking' } } }, 'unknown'],
  ['500', { status: 500, body: { data: { status: 'completed' } } }, 'unknown'],
])('querying: %s', async (_name, said, outcome) => {
  far.answer(said)
  expect(await supplier().queryStatus({ reference: order.reference, supplierReference: 'R1' })).toMatchObject({ outcome })
  expect(far.heard[0]?.url).toBe('/api/order-status/R1')
})

test('our own record alone cannot prove that the supplier does not have the order', () => {
  expect(supplier().canProveAbsence).toBe(false)
})

test('the balance is read as text or number', async () => {
  far.answer({ body: { status: 'success', data: { balance: '20.99' } } })
  expect(await supplier().balance()).toEqual({ outcome: 'known', pesewas: 2099 })
})
