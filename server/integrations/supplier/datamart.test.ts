import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type AnsweringServer, openAnsweringServer, type Said } from '../../../test/answering-server.ts'
import { allow } from '../../../test/slowness.ts'
import { createDatamart } from './datamart.ts'

let far: AnsweringServer
const order = { reference: 'Order12345abcdefGHIJ', network: 'MTN' as const, receiver: '0241234567', volumeMb: 5000 }
const supplier = () => createDatamart({ baseUrl: `${far.url}/api/developer`, key: 'secret-key', callsPerMinute: 60, timeoutMs: allow(300) })

beforeAll(async () => {
  far = await openAnsweringServer()
})
beforeEach(() => {
  far.heard.length = 0
})
afterAll(() => far.close())

test.each([
  ['MTN', 'YELLO'],
  ['Telecel', 'TELECEL'],
  ['AirtelTigo', 'AT_PREMIUM'],
] as const)('an order of %s is sent with DataMart’s words for network and volume', async (network, code) => {
  far.answer({ status: 201, body: { status: 'success', data: { orderReference: 'D1' } } })
  await supplier().send({ ...order, network })
  expect(far.heard).toMatchObject([
    {
      method: 'POST',
      url: '/api/developer/purchase',
      headers: { 'x-api-key': 'secret-key' },
      body: { phoneNumber: '0241234567', network: code, capacity: '5', gateway: 'wallet', ref: order.reference },
    },
  ])
})

test('half a gigabyte and airtime are not sold there, and nobody is asked', async () => {
  expect(await supplier().send({ ...order, volumeMb: 1500 })).toMatchObject({ outcome: 'rejected', cause: 'not-sold' })
  expect(await supplier().send({ ...order, network: 'Airtime' })).toMatchObject({ outcome: 'rejected', cause: 'not-sold' })
  expect(far.heard).toEqual([])
})

test.each<[string, Said, object]>([
  [
    'a purchase',
    {
      status: 201,
      body: {
        status: 'success',
        message: 'Bought',
        data: { purchaseId: 'P', orderReference: 'D1', orderStatus: 'pending', price: '23.05' },
      },
    },
    { outcome: 'accepted', supplierReference: 'D1', detail: 'Bought', costPesewas: 2305 },
  ],
  [
    'a purchase without a reference',
    { status: 201, body: { status: 'success', data: {} } },
    { outcome: 'accepted', supplierReference: null, costPesewas: null },
  ],
  ['no money', { status: 400, body: { status: 'error', message: 'Insufficient wallet balance' } }, { cause: 'no-money' }],
  ['no stock', { status: 400, body: { status: 'error', message: 'This package is out of stock' } }, { cause: 'not-sold' }],
  ['a wrong capacity', { status: 400, body: { status: 'error', message: 'Invalid capacity for network' } }, { cause: 'not-sold' }],
  ['a wrong number', { status: 400, body: { status: 'error', message: 'Invalid phone number' } }, { cause: 'refused' }],
  ['a repeat', { status: 409, body: { status: 'error', message: 'Order already submitted' } }, { cause: 'duplicate' }],
  ['401', { status: 401, body: { status: 'error', message: 'Invalid API key' } }, { cause: 'not-allowed' }],
  ['429', { status: 429, body: { status: 'error', message: 'Slow down' } }, { cause: 'too-often' }],
  ['a 200 that says error', { body: { status: 'error', message: 'Nope' } }, { outcome: 'rejected', cause: 'refused' }],
  ['a 200 that says nothing', { body: {} }, { outcome: 'unknown', neverSent: false }],
  ['500 with success', { status: 500, body: { status: 'success' } }, { outcome: 'unknown' }],
  ['HTML', { status: 502, body: '<html></html>' }, { outcome: 'unknown' }],
  ['no answer', { hang: true }, { outcome: 'unknown', neverSent: false }],
])('sending: %s', async (_name, said, expected) => {
  far.answer(said)
  expect(await supplier().send(order)).toMatchObject(expected)
})

test.each<[string, Said, object]>([
  ['completed', { body: { status: 'success', data: { orderStatus: 'completed' } } }, { outcome: 'delivered' }],
  ['waiting', { body: { status: 'success', data: { orderStatus: 'waiting' } } }, { outcome: 'pending' }],
  ['verification', { body: { data: { orderStatus: 'awaiting verification' } } }, { outcome: 'pending', verifying: true }],
  ['refunded', { body: { data: { orderStatus: 'refunded' } } }, { outcome: 'failed' }],
  ['404', { status: 404, body: { status: 'error' } }, { outcome: 'not-found' }],
  ['success without a state', { body: { status: 'success', data: {} } }, { outcome: 'unknown' }],
  ['a new word', { body: { data: { orderStatus: 'baking' } } }, { outcome: 'unknown' }],
  ['500', { status: 500, body: { data: { orderStatus: 'completed' } } }, { outcome: 'unknown' }],
])('querying: %s', async (_name, said, expected) => {
  far.answer(said)
  const found = await supplier().queryStatus({ reference: order.reference, supplierReference: 'D1' })
  expect(found).toMatchObject(expected)
  expect(far.heard[0]?.url).toBe('/api/developer/order-status/D1')
})

test('our own record alone cannot prove that the supplier does not have the order, and the balance is read in cedis', async () => {
  expect(supplier().canProveAbsence).toBe(false)
  far.answer({ body: { status: 'success', data: { balance: 20.99, currency: 'GHS' } } })
  expect(await supplier().balance()).toEqual({ outcome: 'known', pesewas: 2099 })
})
