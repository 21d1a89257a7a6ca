import { MAX_AMOUNT_PESEWAS } from './money.ts'

/** How far ahead prices can be scheduled. */
export const SCHEDULE_AT_MOST_DAYS = 90

/** New prices end in a whole ten pesewas, as on the shop's list: ¢5.80, never ¢5.78. */
const PRICE_STEP_PESEWAS = 10

/** One change for many prices: a part of each, such as +5 or -5 percent, or an amount. */
export type Adjustment = { percent: number } | { pesewas: number }

/**
 * A price after `adjustment`, in pesewas. Percentages are whole and rounded to the nearest ten pesewas, halves up; amounts are
 * added exactly. Rounding never turns a rise into a fall or the other way round. A price that would be nothing or too large
 * stays as it is.
 */
export function adjustPrice(pricePesewas: number, adjustment: Adjustment): number {
  if ('pesewas' in adjustment) return ifPossible(pricePesewas + adjustment.pesewas, pricePesewas)
  const { percent } = adjustment
  // In hundredths of a pesewa, so that everything stays a whole number.
  const rounded = toStep(pricePesewas * (100 + percent), 100 * PRICE_STEP_PESEWAS) / 100
  return ifPossible(percent < 0 ? Math.min(rounded, pricePesewas) : Math.max(rounded, pricePesewas), pricePesewas)
}

/** The nearest whole ten pesewas, halves up; a price too small for that stays as it is. */
export function roundPrice(pricePesewas: number): number {
  return ifPossible(toStep(pricePesewas, PRICE_STEP_PESEWAS), pricePesewas)
}

function toStep(amount: number, step: number): number {
  return Math.floor((2 * amount + step) / (2 * step)) * step
}

function ifPossible(next: number, pricePesewas: number): number {
  return next > 0 && next <= MAX_AMOUNT_PESEWAS ? next : pricePesewas
}

/** What a sale leaves after its cost as a part of the price, in tenths of a percent, halves up: 150 of 580 pesewas are 259. */
export function marginTenths(pricePesewas: number, costPesewas: number): number {
  return Math.floor((2000 * (pricePesewas - costPesewas) + pricePesewas) / (2 * pricePesewas))
}

/** Whether the margin is less than `linePercent` of the price. */
export function isUnderLine(pricePesewas: number, costPesewas: number | null, linePercent: number): boolean {
  return costPesewas !== null && 100 * (pricePesewas - costPesewas) < linePercent * pricePesewas
}

/** A fall of more than a third, which is seldom meant: asked about before it is on sale, and of staff it takes an owner. */
export function isBigFall(fromPesewas: number, toPesewas: number): boolean {
  return 3 * toPesewas < 2 * fromPesewas
}

/** A fall of more than a tenth, which takes most shops' margin: of staff it takes an owner where the cost is not known. */
export function isFallOfATenth(fromPesewas: number, toPesewas: number): boolean {
  return 10 * toPesewas < 9 * fromPesewas
}
