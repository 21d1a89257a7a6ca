import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { normalisePhone, phone, spacedPhone } from './phones.ts'

describe('normalisePhone', () => {
  test.each([
    ['0241234567', '0241234567'],
    ['024 123 4567', '0241234567'],
    ['024-123-4567', '0241234567'],
    ['+233241234567', '0241234567'],
    ['+233 24 123 4567', '0241234567'],
    ['233241234567', '0241234567'],
    ['00233241234567', '0241234567'],
    ['02412345678999', '0241234567'],
    ['024', '024'],
    ['233', '233'],
    ['2331234567', '2331234567'],
    ['abc', ''],
  ])('reads %j as %j', (typed, digits) => {
    expect(normalisePhone(typed)).toBe(digits)
  })

  test('gives for any text at most ten digits, and leaves what it gave alone', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const digits = normalisePhone(text)
        return /^\d{0,10}$/.test(digits) && normalisePhone(digits) === digits
      }),
    )
  })

  test('finds the same number in each way of writing it', () => {
    const local = fc.integer({ min: 0, max: 999_999_999 }).map((value) => value.toString().padStart(9, '0'))
    fc.assert(
      fc.property(local, (rest) => {
        const written = [`0${rest}`, `+233${rest}`, `00233${rest}`, `233${rest}`, `+233 ${rest.slice(0, 2)} ${rest.slice(2)}`]
        return written.every((text) => normalisePhone(text) === `0${rest}`)
      }),
    )
  })
})

test.each(['024123456', '02412345678', '024123456a', '', ' 0241234567', '0241234567\n', '٠٢٤١٢٣٤٥٦٧', 241234567, null])(
  'a number on the wire has ten digits: %j is refused',
  (value) => {
    expect(phone.safeParse(value).error?.issues.map((issue) => issue.message)).toEqual([
      'Enter a phone number of exactly 10 digits, like 0241234567.',
    ])
  },
)

test('a whole number is spaced out to be read back, a part of one is not', () => {
  expect([spacedPhone('0241234567'), spacedPhone('0241')]).toEqual(['024 123 4567', '0241'])
})
