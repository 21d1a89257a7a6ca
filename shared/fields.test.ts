import { expect, test } from 'vitest'
import { createOrderRequest } from './orders.ts'
import { packageInput } from './products.ts'
import { rechargeRequest } from './recharges.ts'
import { changeBalanceRequest } from './wallet.ts'

const OWN = '00000000-0000-4000-8000-000000000000'
const order = { id: 1, offer: '1GB', receiver: '0551234567', network: 'MTN' }
const FIELDS: [string, (value: unknown) => { success: boolean; data?: unknown }][] = [
  ['totalAmount', (value) => createOrderRequest.safeParse({ newOrder: { ...order, totalAmount: value } })],
  ['amount of a balance', (value) => changeBalanceRequest.safeParse({ chosenId: OWN, amount: value })],
  ['amount of a recharge', (value) => rechargeRequest.safeParse({ amount: value })],
  ['price', (value) => packageInput.safeParse({ offer: '1GB', priceCustomer: value, priceAgent: value })],
]

test.each(FIELDS)('%s may be text that is wholly one amount, and no other text', (_name, parse) => {
  expect([parse('60').data, parse('61.25').data]).toEqual([parse(60).data, parse(61.25).data])
  for (const text of ['60', '60 ', ' 60', '60,00', '+60', 'GHS 60', '¢60.00', '60 cedis'])
    expect([text, parse(text).data]).toEqual([text, parse(60).data])
  for (const text of ['', ' ', '6e1', '0x3c', '60x', '60.', '6O', '60 50', '60,000', 'Infinity', 'NaN', '60.123', '6'.repeat(50)]) {
    expect([text, parse(text).success]).toEqual([text, false])
  }
  for (const other of [null, true, [60], { value: 60 }]) expect(parse(other).success).toBe(false)
})

test('an amount that may be two is refused with the question that settles it', () => {
  const { error } = rechargeRequest.safeParse({ amount: '1,500' })
  expect(error?.issues).toMatchObject([{ path: ['amount'], message: 'Is that ¢1,500.00 or ¢1.50?' }])
})

test.each([null, '', undefined])('%j is no reference', (reference) => {
  const parsed = createOrderRequest.safeParse({ newOrder: { ...order, totalAmount: 5, reference } })
  expect(parsed.success).toBe(true)
})
