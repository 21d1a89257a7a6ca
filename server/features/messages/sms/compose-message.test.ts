import { describe, expect, test } from 'vitest'
import { NETWORKS } from '../../../../shared/networks.ts'
import { DELIVERY_STATUSES, DELIVERY_WORDS } from '../../../../shared/suppliers.ts'
import { countSeptets, plainWord } from '../../../integrations/sms/gsm-text.ts'
import { composeDigests, composeForBuyer, composeForOperator, composeRefund } from './compose-message.ts'

const facts = {
  seq: 10_023,
  network: 'MTN',
  offer: '1.5GB',
  receiver: '0551234567',
  pricePesewas: 550,
  username: 'ama',
  delivery: null,
} as const

test('a refund tells its reason, as far as it fits', () => {
  const reason = 'MTN says that 055 123 4567 is barred, so we could not load 1.5GB.'
  expect(composeRefund({ ...facts, refundReason: reason }, 'Dwadi')).toBe(
    'Dwadi: we refunded order 10023, MTN 1.5GB for 0551234567. MTN says that 055 123 4567 is barred so we could not load 1.5GB.',
  )
  expect(composeRefund({ ...facts, refundReason: null }, 'Dwadi')).toContain('so we refunded it')
})

test('a message asks to process an order by hand, or gives its status at the supplier', () => {
  expect(composeForOperator(facts)).toBe('New order 10023: MTN 1.5GB to 0551234567, GHS 5.50, from ama. Please process it by hand.')
  expect(composeForOperator({ ...facts, network: 'AirtelTigo', delivery: 'accepted' })).toBe(
    'New order 10023: AirtelTigo 1.5GB to 0551234567, GHS 5.50, from ama. Supplier: Sent to network.',
  )
  expect(composeForOperator({ ...facts, delivery: 'rejected' })).toMatch(/Supplier refused it\. Please process it by hand\.$/)
})

describe('messages fit one segment, whatever was typed', () => {
  const NASTY = [
    'x'.repeat(10_000),
    'https://evil.example/pay?x=1',
    'line\nbreak\r\tTab',
    '₵5 “quoted” 😀 {[]}|~^€',
    '..--..',
    'акцент',
    '😀'.repeat(500),
  ]

  test.each(NASTY)('%.40s', (text) => {
    for (const network of NETWORKS) {
      for (const delivery of [null, ...DELIVERY_STATUSES]) {
        const most = { ...facts, seq: 99_999_999, network, offer: text, username: text, pricePesewas: 100_000_000, delivery }
        for (const message of [
          composeForOperator(most),
          composeForBuyer(most, text),
          composeRefund({ ...most, refundReason: text }, text),
        ]) {
          expect(countSeptets(message)).toBeLessThanOrEqual(160)
          expect(message).not.toMatch(/https?:|[\n\r/¢₵]|evil\.example/)
        }
      }
    }
  })

  test.each(NASTY)('in digests of every network: %.40s', (text) => {
    const orders = NETWORKS.flatMap((network) =>
      [null, ...DELIVERY_STATUSES].map((delivery) => ({ network, offer: text, receiver: '0551234567', delivery })),
    )
    const digests = composeDigests(orders, text)
    for (const { body } of digests) {
      expect(countSeptets(body)).toBeLessThanOrEqual(160)
      expect(body).not.toMatch(/https?:|[\n\r/¢₵]|evil\.example/)
    }
    expect(digests.flatMap((digest) => digest.orders)).toEqual(orders)
  })
})

test('a digest lists receiver, offer, network and supplier status of each order; a second digest takes the rest', () => {
  const order = (index: number, change = {}) => ({ network: 'MTN', offer: '1GB', receiver: `055123456${index}`, delivery: null, ...change })
  const digests = composeDigests(
    [order(0, { network: 'AirtelTigo', delivery: 'accepted' as const }), ...[1, 2, 3, 4, 5, 6].map((index) => order(index))],
    'Dwadi',
  )
  expect(digests.map(({ body, orders }) => [body, orders.length])).toEqual([
    [
      'Dwadi: 0551234560 1GB AirtelTigo (Sent to network), 0551234561 1GB MTN, 0551234562 1GB MTN, 0551234563 1GB MTN, 0551234564 1GB MTN, 0551234565 1GB MTN',
      6,
    ],
    ['Dwadi: 0551234566 1GB MTN', 1],
  ])
})

test.each(DELIVERY_STATUSES)('a digest gives the status of an order that is %s at its supplier', (delivery) => {
  const order = { network: 'MTN' as const, offer: '1GB', receiver: '0551234567', delivery }
  const [digest] = composeDigests([order], 'Dwadi')
  const standing = delivery === 'rejected' || delivery === 'failed' ? 'supplier refused it' : DELIVERY_WORDS[delivery]
  expect(digest?.body).toBe(`Dwadi: 0551234567 1GB MTN (${standing})`)
})

test('characters of the GSM extension count twice, others are replaced', () => {
  expect([countSeptets('abc'), countSeptets('€[]'), countSeptets('5¢'), countSeptets('₵'), countSeptets('“')]).toEqual([
    3,
    6,
    null,
    null,
    null,
  ])
  expect([plainWord('1.5GB', 10), plainWord('a.b', 10), plainWord('MTN-GB', 10), plainWord('-x-', 10)]).toEqual([
    '1.5GB',
    'a b',
    'MTN-GB',
    'x',
  ])
})
