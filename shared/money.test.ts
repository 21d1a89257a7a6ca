import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cedis, positiveCedis } from './fields.ts'
import {
  cardSurcharge,
  formatCedis,
  formatPesewas,
  isCedis,
  MAX_AMOUNT_PESEWAS,
  toCedis,
  toPesewas,
  withCardSurcharge,
  withoutSurcharge,
} from './money.ts'
import { pesewasIn } from './readers/read-amount.ts'

const anyAmount = fc.integer({ min: -MAX_AMOUNT_PESEWAS, max: MAX_AMOUNT_PESEWAS })
const anyPrice = fc.integer({ min: 1, max: MAX_AMOUNT_PESEWAS })

describe('the card surcharge', () => {
  /** The rule in whole numbers without a bound: the price times 1.03, half a pesewa up. */
  function exactly(pricePesewas: number): number {
    return Number((BigInt(pricePesewas) * 103n * 2n + 100n) / 200n)
  }

  test('is exact for every price from 0.01 to 100,000.00', () => {
    let wrong = 0
    for (let price = 1; price <= 10_000_000; price++) if (withCardSurcharge(price) !== exactly(price)) wrong += 1
    expect(wrong).toBe(0)
  })

  test.each([
    [70.5, 7262],
    [128.5, 13_236],
    [269.5, 27_759],
    [294.5, 30_334],
    [501.5, 51_655],
    [526.5, 54_230],
    [551.5, 56_805],
    [576.5, 59_380],
  ])('of %d, where floating point comes out a pesewa low, is exact', (price, charged) => {
    expect(Math.round(price * 1.03 * 100)).toBe(charged - 1)
    expect(withCardSurcharge(toPesewas(price))).toBe(charged)
  })

  test('is exact for any price that the wire takes, and never less than the price', () => {
    fc.assert(fc.property(anyPrice, (price) => withCardSurcharge(price) === exactly(price) && cardSurcharge(price) >= 0))
  })

  test('of a cart is taken on the total: the items one by one may add up to another sum', () => {
    expect(cardSurcharge(50) + cardSurcharge(50)).toBe(4)
    expect(cardSurcharge(100)).toBe(3)
  })
})

describe('cedis and pesewas', () => {
  test('every amount goes to the wire and back unchanged', () => {
    fc.assert(fc.property(anyAmount, (pesewas) => toPesewas(toCedis(pesewas)) === pesewas))
  })

  test('every amount of up to 1,000.00 survives JSON', () => {
    for (let pesewas = -100_000; pesewas <= 100_000; pesewas++) {
      expect(toPesewas(JSON.parse(JSON.stringify(toCedis(pesewas))))).toBe(pesewas)
    }
  })

  test.each([0.001, 5.501, 0.1 + 0.2, 1e-9, Number.NaN, Infinity, -Infinity, 10_000_000.01, -10_000_000.01, 1e20])(
    '%d is no amount',
    (value) => {
      expect(isCedis(value)).toBe(false)
      expect(() => toPesewas(value)).toThrow(new RangeError(`Not an amount in cedis: ${value}`))
      expect(cedis.safeParse(value).success).toBe(false)
    },
  )

  test.each([10_000_000, -10_000_000, 9_999_999.99])('%d, the most there may be, is an amount', (value) => {
    expect(isCedis(value)).toBe(true)
    expect(toPesewas(value)).toBe(Math.round(value * 100))
  })

  test.each(['5.50', null, undefined, true, [5], {}])('%j is refused on the wire, with a sentence', (value) => {
    const parsed = cedis.safeParse(value)
    expect(parsed.error?.issues.map((issue) => issue.message)).toEqual(['Enter an amount in cedis with at most two decimals.'])
  })

  test('a part of a pesewa is refused, wherever it stands', () => {
    const withThirdDecimal = fc.tuple(anyAmount, fc.integer({ min: 1, max: 9 }))
    fc.assert(
      fc.property(withThirdDecimal, ([pesewas, third]) => {
        const text = `${(Math.abs(pesewas) / 100).toFixed(2)}${third}`
        return !isCedis(Number(text)) && pesewasIn(text) === null
      }),
    )
  })

  test.each([
    [0, 'The amount must be more than zero.'],
    [-5, 'The amount must be more than zero.'],
    [1.005, 'Enter an amount in cedis with at most two decimals.'],
  ])('%d is not an amount to pay: %s', (value, message) => {
    expect(positiveCedis.safeParse(value).error?.issues.map((issue) => issue.message)).toEqual([message])
  })
})

test('what a card paid holds the most that its surcharge leaves', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 100_000_000 }), (paid) => {
      const price = withoutSurcharge(paid)
      return price + cardSurcharge(price) <= paid && price + 1 + cardSurcharge(price + 1) > paid
    }),
  )
})

describe('formatPesewas', () => {
  test.each([
    [0, '0.00'],
    [1, '0.01'],
    [10, '0.10'],
    [99_999, '999.99'],
    [100_000, '1,000.00'],
    [123_456_789, '1,234,567.89'],
    [-5, '-0.05'],
    [-100_000, '-1,000.00'],
  ])('writes %d as %s', (pesewas, text) => {
    expect(formatPesewas(pesewas)).toBe(text)
    expect(formatCedis(toCedis(pesewas))).toBe(text)
  })

  test('and readAmount undo each other', () => {
    fc.assert(fc.property(anyAmount, (pesewas) => pesewasIn(formatPesewas(pesewas).replaceAll(',', ''), { negative: true }) === pesewas))
  })
})
