import { describe, expect, test } from 'vitest'
import { phoneTexts, searchTexts, typedAmount } from './search.ts'

describe('what a search looks for', () => {
  test.each([
    ['024 123 4567', '0241234567'],
    ['024-123-4567', '0241234567'],
    ['(024) 123 4567', '0241234567'],
    ['+233 24 123 4567', '0241234567'],
    ['+233241234567', '0241234567'],
    ['+233 (0)24 123 4567', '0241234567'],
    ['00233241234567', '0241234567'],
    ['233241234567', '0241234567'],
    ['233 24', '024'],
    ['+23324', '024'],
    ['4 123 4', '41234'],
    ['¢43.50', '¢43.50'],
    ['₵ 43.50', '¢43.50'],
    ['GHS 43.50', '¢43.50'],
    ['gh¢43', '¢43'],
    ['1,234.50', '1234.50'],
    ['¢1,234.50', '¢1234.50'],
    ['¢1,23', '¢123'],
    ['1,234', '1234.'],
    ['55,50', '55.50'],
    ['GHS 55,5', '¢55.5'],
    ['1,234,567.89', '1234567.89'],
    ['GHS 10,000,000', '¢10000000'],
    ['#10007', '10007'],
    ['22/11/2026  12:00', '22/11/2026 12:00'],
    ['Ama\u00a0SERWAA', 'ama serwaa'],
  ])('for %s among other things %s', (typed, wanted) => {
    expect(searchTexts(typed)).toContain(wanted)
  })

  test.each(['43.50', '12/11', 'kofi 024', '+', 'ghs', '1,2345', 'a'.repeat(100), '-5', '%', '0241234567'])(
    'for %s as it stands',
    (typed) => {
      expect(searchTexts(typed)).toEqual([typed])
    },
  )

  test('a bare 233 may be the country code or the middle of a number', () => {
    expect(searchTexts('2332412')).toEqual(['2332412', '02412'])
    expect(searchTexts('23320')).toEqual(['23320', '020'])
    expect(searchTexts('233')).toEqual(['233'])
  })

  test('nothing typed looks for nothing', () => {
    expect([searchTexts(''), searchTexts(' \n')]).toEqual([[], []])
  })
})

test.each(['', 'kofi', '024x', '43.50', '22/11/2026', '-5', '+x'])('%s is no phone number', (typed) => {
  expect(phoneTexts(typed)).toEqual([])
})

test.each(['43', '0241234567', '1,23', '43.505', '', '¢', '¢43.505', '22.11.2026'])('%s is no amount', (typed) => {
  expect(typedAmount(typed)).toBeNull()
})
