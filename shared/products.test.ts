import { describe, expect, test } from 'vitest'
import { offerName, packageInput } from './products.ts'

describe('a package', () => {
  const fine = { offer: '1GB', priceCustomer: 5.5, priceAgent: 4.7 }

  test('has its offer trimmed', () => {
    expect(packageInput.parse({ ...fine, offer: '  1GB ' })).toEqual(fine)
  })

  test.each([
    ['priceCustomer', 'five', 'Price must be a number'],
    ['priceAgent', undefined, 'Price must be a number'],
    ['priceAgent', Number.NaN, 'Price must be a number'],
    ['priceCustomer', 5.555, 'A price has at most two decimals.'],
    ['priceCustomer', 0, 'A price must be more than zero.'],
    ['priceAgent', -1, 'A price must be more than zero.'],
    ['offer', ' ', 'Choose an offer.'],
    ['offer', 'x'.repeat(61), 'An offer has at most 60 characters.'],
  ])('with %s %j is refused: %s', (field, value, message) => {
    const issues = packageInput.safeParse({ ...fine, [field]: value }).error?.issues
    expect(issues?.map((issue) => [issue.path.join('.'), issue.message])).toEqual([[field, message]])
  })

  test('may have an offer of 60 characters', () => {
    expect(offerName.parse('x'.repeat(60))).toHaveLength(60)
  })
})
