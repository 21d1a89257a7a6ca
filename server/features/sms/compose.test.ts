import { describe, expect, test } from 'vitest'
import { NETWORKS } from '../../../shared/networks.ts'
import { DELIVERY_STATUSES } from '../../../shared/suppliers.ts'
import { countSeptets, plainWord } from '../../integrations/sms/gsm-text.ts'
import { composeDigest, composeForBuyer, composeForOperator } from './compose.ts'

const facts = {
  seq: 10_023,
  network: 'MTN',
  offer: '1.5GB',
  receiver: '0551234567',
  pricePesewas: 550,
  username: 'ama',
  delivery: null,
} as const

test('an order that is processed by hand asks for that; one at the supplier says how it stands', () => {
  expect(composeForOperator(facts)).toBe('New order 10023: MTN 1.5GB to 0551234567, GHS 5.50, from ama. Please process it by hand.')
  expect(composeForOperator({ ...facts, network: 'AirtelTigo', delivery: 'accepted' })).toBe(
    'New order 10023: AirtelTigo 1.5GB to 0551234567, GHS 5.50, from ama. Supplier: Sent to network.',
  )
  expect(composeForOperator({ ...facts, delivery: 'rejected' })).toMatch(/Supplier refused it\. Please process it by hand\.$/)
})

describe('one segment, whatever anybody typed', () => {
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
        for (const message of [composeForOperator(most), composeForBuyer(most, text)]) {
          expect(countSeptets(message)).toBeLessThanOrEqual(160)
          expect(message).not.toMatch(/https?:|[\n\r/¢₵]|evil\.example/)
        }
      }
    }
  })

  test('a digest of every network and of too many orders', () => {
    const counts = NETWORKS.map((network) => ({ network, orders: 99_999 }))
    for (const name of ['Dwadi', 'x'.repeat(300)]) expect(countSeptets(composeDigest(counts, 10_000_000_00, name))).toBeLessThanOrEqual(160)
    expect(
      composeDigest(
        [
          { network: 'MTN', orders: 30 },
          { network: 'AFA', orders: 7 },
        ],
        41_250,
        'Dwadi',
      ),
    ).toBe('Dwadi: 37 more new orders, GHS 412.50: MTN 30, AFA 7. Please look at them.')
  })
})

test('characters of the extension count twice, others have no place', () => {
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
