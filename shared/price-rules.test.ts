import { describe, expect, test } from 'vitest'
import { MAX_AMOUNT_PESEWAS } from './money.ts'
import { adjustPrice, isUnderLine, marginTenths, roundPrice } from './price-rules.ts'

/** Prices at every edge that matters, and many between. */
const PRICES = [
  ...Array.from({ length: 1_200 }, (_, index) => index + 1),
  ...Array.from({ length: 2_000 }, (_, index) => 1 + ((index * 499_979) % MAX_AMOUNT_PESEWAS)),
  MAX_AMOUNT_PESEWAS - 1,
  MAX_AMOUNT_PESEWAS,
]
const PERCENTS = Array.from({ length: 150 }, (_, index) => index - 99)

describe('a percentage', () => {
  test.each([
    [550, 5, 580],
    [470, 5, 490],
    [1050, 5, 1100],
    [1380, 5, 1450],
    [6300, 5, 6620],
    [11100, 5, 11660],
    [550, -5, 520],
    [100, 5, 110],
    [40, 5, 40],
    [5, -5, 5],
    [9, 50, 10],
    [MAX_AMOUNT_PESEWAS, 5, MAX_AMOUNT_PESEWAS],
  ])('of %i pesewas and %i percent is %i', (price, percent, expected) => {
    expect(adjustPrice(price, { percent })).toBe(expected)
  })

  test('is the exact one to the nearest ten pesewas, never the other way, and never nothing', () => {
    const wrong: unknown[] = []
    for (const price of PRICES) {
      for (const percent of PERCENTS) {
        const next = adjustPrice(price, { percent })
        const exact = BigInt(price) * BigInt(100 + percent)
        const away = BigInt(next) * 100n - exact
        const isWhole = Number.isSafeInteger(next) && next > 0 && next <= MAX_AMOUNT_PESEWAS
        const isThatWay = percent < 0 ? next <= price : next >= price
        // Half a step is 500 hundredths of a pesewa; halves go up, so only 500 above is as near.
        const isNearest = next % 10 === 0 && away <= 500n && away > -500n
        if (!isWhole || !isThatWay || !(isNearest || next === price)) wrong.push([price, percent, next])
        if (next === price && next % 10 === 0 && percent > 0 && away <= -500n && exact <= BigInt(MAX_AMOUNT_PESEWAS - 10) * 100n)
          wrong.push([price, percent, 'was left alone'])
      }
    }
    expect(wrong).toEqual([])
  })

  test('of a dearer package is never less than of a cheaper one', () => {
    const sorted = PRICES.filter((price) => price % 10 === 0 && price < 600_000_000).sort((a, b) => a - b)
    for (const percent of PERCENTS.filter((one) => one >= 0)) {
      const raised = sorted.map((price) => adjustPrice(price, { percent }))
      expect(raised.every((price, index) => index === 0 || price >= (raised[index - 1] as number))).toBe(true)
    }
  })
})

describe('an amount', () => {
  test.each([
    [550, 50, 600],
    [555, 50, 605],
    [50, -50, 50],
    [MAX_AMOUNT_PESEWAS, 50, MAX_AMOUNT_PESEWAS],
  ])('to %i adds %i: %i', (price, pesewas, expected) => {
    expect(adjustPrice(price, { pesewas })).toBe(expected)
  })
})

describe('rounding', () => {
  test('gives the nearest ten pesewas, halves up, and leaves what is round alone', () => {
    const wrong = PRICES.filter((price) => {
      const next = roundPrice(price)
      if (price < 5) return next !== price
      return next % 10 !== 0 || next - price > 5 || next - price <= -5 || roundPrice(next) !== next
    }).filter((price) => price <= MAX_AMOUNT_PESEWAS - 5)
    expect(wrong).toEqual([])
  })
})

describe('a margin', () => {
  test.each([
    [580, 430, 259],
    [490, 430, 122],
    [22_680, 19_700, 131],
    [43_260, 39_400, 89],
    [400, 430, -75],
    [1000, 1000, 0],
  ])('of %i at a cost of %i is %i tenths of a percent', (price, cost, tenths) => {
    expect(marginTenths(price, cost)).toBe(tenths)
  })

  test('is under a line of 9 percent only below it, and never while the cost is not known', () => {
    expect([isUnderLine(1000, 910, 9), isUnderLine(1000, 911, 9), isUnderLine(1000, null, 9)]).toEqual([false, true, false])
  })
})
