/** The largest amount on the wire, in pesewas: 10,000,000.00 cedis. */
export const MAX_AMOUNT_PESEWAS = 1_000_000_000

/** The card surcharge in percent: the price is multiplied by 1.03. */
export const CARD_SURCHARGE_PERCENT = 3

/** The fee for becoming an agent: 50 cedis, in pesewas. */
export const AGENT_UPGRADE_FEE_PESEWAS = 5_000

/** The smallest wallet recharge: 50 cedis, in pesewas. */
export const MIN_RECHARGE_PESEWAS = 5_000

/**
 * Cedis from the wire to whole pesewas.
 * @throws RangeError when the number has a fraction of a pesewa or is out of range.
 */
export function toPesewas(cedis: number): number {
  if (!isCedis(cedis)) throw new RangeError(`Not an amount in cedis: ${cedis}`)
  return Math.round(cedis * 100)
}

/** Whole pesewas to cedis for the wire, a number with at most two decimals. */
export function toCedis(pesewas: number): number {
  return pesewas / 100
}

/** True for a finite number with at most two decimals, within ±`MAX_AMOUNT_PESEWAS`. */
export function isCedis(value: number): boolean {
  const pesewas = Math.round(value * 100)
  // NaN and Infinity fail this comparison.
  return Math.abs(pesewas) <= MAX_AMOUNT_PESEWAS && pesewas / 100 === value
}

/** Formats pesewas with two decimals and thousands separators: 123456 is "1,234.56". */
export function formatPesewas(pesewas: number): string {
  const sign = pesewas < 0 ? '-' : ''
  const whole = Math.abs(pesewas)
  const cedis = Math.trunc(whole / 100)
    .toString()
    .replace(/\B(?=(?:\d{3}){1,6}$)/g, ',')
  return `${sign}${cedis}.${(whole % 100).toString().padStart(2, '0')}`
}

/** Formats cedis from the wire with two decimals: 48 is "48.00". */
export function formatCedis(cedis: number): string {
  return formatPesewas(Math.round(cedis * 100))
}

/**
 * What a card payer is charged for a price, in pesewas: the price times 1.03, half a pesewa rounded up. Apply it once, to
 * the total of a cart. Exact for every safe integer.
 */
export function withCardSurcharge(pricePesewas: number): number {
  return pricePesewas + cardSurcharge(pricePesewas)
}

/** The surcharge alone, in pesewas. */
export function cardSurcharge(pricePesewas: number): number {
  return Math.floor((pricePesewas * CARD_SURCHARGE_PERCENT + 50) / 100)
}

/** The price that a card paid with so much, its surcharge included, in pesewas. */
export function withoutSurcharge(paidPesewas: number): number {
  let pricePesewas = Math.ceil((paidPesewas * 100) / (100 + CARD_SURCHARGE_PERCENT))
  while (pricePesewas + cardSurcharge(pricePesewas) > paidPesewas) pricePesewas -= 1
  return pricePesewas
}

/** The least that tops up a wallet to buy something: a cedi, in pesewas. */
export const LEAST_TOP_UP_PESEWAS = 100

/** What to top up for a price that the balance does not cover, in pesewas; 0 when it does. */
export function topUpFor(pricePesewas: number, balancePesewas: number): number {
  const missing = pricePesewas - balancePesewas
  return missing <= 0 ? 0 : Math.max(missing, LEAST_TOP_UP_PESEWAS)
}

/** The error for anything that is not an amount in cedis. */
export const NOT_AN_AMOUNT = 'Enter an amount in cedis with at most two decimals.'
