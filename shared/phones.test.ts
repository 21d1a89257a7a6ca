import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { phone, tenDigits } from './fields.ts'
import { isMobilePhone, MOBILE_PREFIXES, normalisePhone, phoneProblem, spacedPhone } from './phones.ts'

describe('normalisePhone', () => {
  test.each([
    ['0241234567', '0241234567'],
    ['024 123 4567', '0241234567'],
    ['024-123-4567', '0241234567'],
    ['+233241234567', '0241234567'],
    ['+233 24 123 4567', '0241234567'],
    ['233241234567', '0241234567'],
    ['00233241234567', '0241234567'],
    ['(024) 123 4567', '0241234567'],
    ['+233 (0)24 123 4567', '0241234567'],
    ['002330241234567', '0241234567'],
    ['0233 24 123 4567', '0241234567'],
    ['0233 123 456', '0233123456'],
    ['241234567', '0241234567'],
    ['24 123 4567', '0241234567'],
    ['501234567', '0501234567'],
    ['2412345678', '2412345678'],
    ['233241234', '233241234'],
    ['2332012345', '2332012345'],
    ['+2332012345678', '2332012345678'],
    ['02412345678999', '02412345678999'],
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
    const local = fc.integer({ min: 200_000_000, max: 599_999_999 }).map(String)
    fc.assert(
      fc.property(local, (rest) => {
        const written = [
          `0${rest}`,
          `(0${rest.slice(0, 2)}) ${rest.slice(2)}`,
          `+2330${rest}`,
          `+233${rest}`,
          `00233${rest}`,
          `233${rest}`,
          `+233 ${rest.slice(0, 2)} ${rest.slice(2)}`,
        ]
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

test('a mobile number has a prefix that is in use', () => {
  const accepted = Array.from({ length: 1000 }, (_, prefix) => prefix.toString().padStart(3, '0')).filter((prefix) =>
    isMobilePhone(`${prefix}1234567`),
  )
  const assigned = ['020', '023', '024', '025', '026', '027', '050', '053', '054', '055', '056', '057', '059']
  expect(accepted).toEqual(assigned)
  expect(Object.values(MOBILE_PREFIXES).flat().toSorted()).toEqual(assigned)
})

test.each([
  ['2332012345', 'A Ghanaian phone number starts with 0, like 0241234567.'],
  ['1241234567', 'A Ghanaian phone number starts with 0, like 0241234567.'],
  ['0302123456', 'No mobile network in Ghana uses 030. Check the number.'],
  ['0281234567', 'No mobile network in Ghana uses 028. Check the number.'],
  ['0000000000', 'Enter a phone number of exactly 10 digits, like 0241234567.'],
])('a number on the wire can be a mobile number of Ghana: %s is refused, and only an older account has it', (value, message) => {
  expect(phone.safeParse(value).error?.issues.map((issue) => issue.message)).toEqual([message])
  expect(tenDigits.safeParse(value).success).toBe(true)
})

test.each([
  ['', null],
  ['0', null],
  ['02', null],
  ['024', null],
  ['0241234567', null],
  ['2332012345', null],
  ['0023320123', null],
  ['030', 'No mobile network in Ghana uses 030. Check the number.'],
  ['0912', 'No mobile network in Ghana uses 091. Check the number.'],
  ['2412345678', 'A Ghanaian phone number starts with 0, like 0241234567.'],
])('whoever types %j is told %j', (digits, problem) => {
  expect(phoneProblem(digits)).toBe(problem)
})

test('a whole number is spaced out to be read back, a part of one is not', () => {
  expect([spacedPhone('0241234567'), spacedPhone('0241')]).toEqual(['024 123 4567', '0241'])
})
