import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { offerName, offerVolumeMb, packageInput } from './products.ts'

describe('the volume that an offer names', () => {
  test.each([
    ['1GB', 1000],
    ['1.5GB', 1500],
    ['0.5 GB', 500],
    ['500MB', 500],
    ['10 gb', 10_000],
    ['100GB', 100_000],
    ['MTN 2GB non-expiry', 2000],
    ['2GB + 500MB', 2000],
    ['1.234GB', 1234],
  ])('%j is %d MB', (offer, volumeMb) => {
    expect(offerVolumeMb(offer)).toBe(volumeMb)
  })

  test.each(['BECE', 'GHS 5', 'AFA registration', '', 'GB', '0GB', '0MB', '1TB', '5GBX', 'MashUp GHS 10'])('%j names none', (offer) => {
    expect(offerVolumeMb(offer)).toBeNull()
  })

  test('of whole gigabytes is a thousand each', () => {
    fc.assert(fc.property(fc.integer({ min: 1, max: 9999 }), (gigabytes) => offerVolumeMb(`${gigabytes}GB`) === gigabytes * 1000))
  })

  test('of any text is a whole number above zero, or none', () => {
    fc.assert(
      fc.property(fc.string(), (offer) => {
        const volumeMb = offerVolumeMb(offer)
        return volumeMb === null || (Number.isSafeInteger(volumeMb) && volumeMb > 0)
      }),
    )
  })
})

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
