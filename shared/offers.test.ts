import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { offerVolumeMb } from './offers.ts'
import { offerName } from './products.ts'

describe('the volume that an offer names', () => {
  test.each([
    ['1GB', 1000],
    ['1.5GB', 1500],
    ['0.5 GB', 500],
    ['500MB', 500],
    ['10 gb', 10_000],
    ['100GB', 100_000],
    ['MTN 2GB non-expiry', 2000],
    ['1.234GB', 1234],
    ['.5GB', 500],
    ['12000MB', 12_000],
    ['10000MB', 10_000],
    ['15000 MB', 15_000],
    ['12,000 MB', 12_000],
    ['1.5000GB', 1500],
    ['12345GB', 12_345_000],
    ['1GB (30 days)', 1000],
    ['GHS 5.50 1GB 24hrs', 1000],
    ['Non-expiry 10GB', 10_000],
  ])('%j is %d MB', (offer, volumeMb) => {
    expect(offerVolumeMb(offer)).toBe(volumeMb)
  })

  test.each([
    'BECE',
    'GHS 5',
    'AFA registration',
    '',
    'GB',
    '0GB',
    '0MB',
    '1TB',
    '5GBX',
    'MashUp GHS 10',
    '2GB + 500MB',
    '1GB 500MB',
    '1GB/2GB',
    '1-5GB',
    '-1GB',
    '1e3GB',
    '1,5GB',
    '1.2345GB',
    '1.2.5GB',
    '1 2GB',
    '12 000MB',
    '1,00GB',
    '2 x 1GB',
    '2x1GB',
    '1GB x 2',
    '1GB × 7',
    'half 1GB',
    '1½GB',
    '1\u200b2GB',
    '\u0661GB',
    '1GB bonus 2',
    '1GB + bonus',
    '1GB daily 30 days',
    '1.5MB',
    '0.0005GB',
    '9999999999GB',
    '1GBps',
    '1GB/s',
    'v1GB',
  ])('%j names none', (offer) => {
    expect(offerVolumeMb(offer)).toBeNull()
  })

  const unit = fc.constantFrom<[string, bigint]>(['GB', 1_000_000n], ['gb', 1_000_000n], ['Gb', 1_000_000n], ['MB', 1_000n], ['mb', 1_000n])
  const quantity = fc
    .tuple(fc.bigInt({ min: 0n, max: 99_999n }), fc.stringMatching(/^\d{0,5}$/), fc.boolean(), fc.constantFrom('', ' '), unit)
    .map(([whole, fraction, commas, space, [name, thousandths]]) => ({
      text: `${commas ? whole.toLocaleString('en') : whole}${fraction && `.${fraction}`}${space}${name}`,
      /** In 100 millionths of a megabyte. */
      volume: BigInt(`${whole}${fraction.padEnd(5, '0')}`) * thousandths,
    }))
  const wholeMb = (volume: bigint) => (volume > 0n && volume % 100_000_000n === 0n ? Number(volume / 100_000_000n) : null)
  const wording = fc.constantFrom(
    '',
    'MTN',
    'Big Time',
    'Non-expiry',
    '(30 days)',
    '24hrs',
    'GHS 5',
    '¢4.50',
    'weekend',
    '4G',
    'x2',
    '+',
    ',',
    '5',
  )

  test('by itself is read exactly, or is no whole number of megabytes', () => {
    fc.assert(
      fc.property(quantity, ({ text, volume }) => offerVolumeMb(text) === wholeMb(volume)),
      { numRuns: 2_000 },
    )
  })

  test('among other words is right or none, never wrong', () => {
    fc.assert(
      fc.property(wording, quantity, wording, (words, { text, volume }, after) => {
        const read = offerVolumeMb(`${words} ${text} ${after}`)
        return read === null || (read === wholeMb(volume) && ![words, after].some((word) => ['5', '+', 'x2', '4G'].includes(word)))
      }),
      { numRuns: 5_000 },
    )
  })

  test('of two quantities is none, whatever stands between them', () => {
    fc.assert(
      fc.property(quantity, fc.string({ maxLength: 5 }), quantity, (one, between, other) => {
        const read = offerVolumeMb(`${one.text}${between}${other.text}`)
        return read === null || /\d$/.test(between)
      }),
    )
  })

  test('of a name that the packages editor accepts, typed as anything at all, is in its text as one number', () => {
    const text = fc.string({ unit: fc.constantFrom(...'0123456789.,  GBMgbmx+-/(½²١'), minLength: 1, maxLength: 24 })
    fc.assert(
      fc.property(text, (typed) => {
        if (!offerName.safeParse(typed).success) return
        const read = offerVolumeMb(typed)
        if (read === null) return
        const numbers = typed.match(/[\p{N}][\p{N}.,]*|\.\p{N}+/gu) ?? []
        expect(numbers).toHaveLength(1)
        const value = Number(numbers[0]!.replaceAll(',', '').replace(/\.$/, ''))
        expect([value, value * 1000]).toContain(read)
      }),
      { numRuns: 20_000 },
    )
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
