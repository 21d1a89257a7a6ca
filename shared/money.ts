/** The most that one amount on the wire may be, in pesewas: 10,000,000.00 cedis. */
export const MAX_AMOUNT_PESEWAS = 1_000_000_000

/** The card surcharge in percent of the price. */
export const CARD_SURCHARGE_PERCENT = 3

/** The fee for becoming an agent, in pesewas. */
export const AGENT_UPGRADE_FEE_PESEWAS = 5_000

/** The least wallet recharge, in pesewas. */
export const MIN_RECHARGE_PESEWAS = 5_000

/**
 * Cedis as they stand on the wire to whole pesewas.
 * @throws RangeError when the number has a part of a pesewa or is out of range.
 */
export function toPesewas(cedis: number): number {
  if (!isCedis(cedis)) throw new RangeError(`Not an amount in cedis: ${cedis}`)
  return Math.round(cedis * 100)
}

/** Whole pesewas to the cedis of the wire, a number with at most two decimals. */
export function toCedis(pesewas: number): number {
  return pesewas / 100
}

/** True for a finite number with at most two decimals, within `MAX_AMOUNT_PESEWAS` either way. */
export function isCedis(value: number): boolean {
  const pesewas = Math.round(value * 100)
  // Neither what is infinite nor what is no number is at most anything.
  return Math.abs(pesewas) <= MAX_AMOUNT_PESEWAS && pesewas / 100 === value
}

/** Pesewas as digits with two decimals and thousands separators: 123456 is "1,234.56". */
export function formatPesewas(pesewas: number): string {
  const sign = pesewas < 0 ? '-' : ''
  const whole = Math.abs(pesewas)
  const cedis = Math.trunc(whole / 100)
    .toString()
    .replace(/\B(?=(?:\d{3}){1,6}$)/g, ',')
  return `${sign}${cedis}.${(whole % 100).toString().padStart(2, '0')}`
}

/** Cedis of the wire as digits with two decimals: 48 is "48.00". */
export function formatCedis(cedis: number): string {
  return formatPesewas(Math.round(cedis * 100))
}

/**
 * What a person typed into an amount field, in pesewas, or null when it is not an amount.
 * Plain digits with at most two decimals; no separators, exponents or other alphabets' digits.
 */
export function parseCedis(text: string): number | null {
  const match = /^(-?)(\d{1,8})(?:\.(\d{1,2}))?$/.exec(text.trim())
  if (!match) return null
  const [, sign, cedis = '0', fraction = ''] = match
  const pesewas = Number.parseInt(cedis, 10) * 100 + Number.parseInt(fraction.padEnd(2, '0'), 10)
  if (pesewas > MAX_AMOUNT_PESEWAS) return null
  return sign === '-' && pesewas !== 0 ? -pesewas : pesewas
}

/**
 * What a card payer is charged for a price, in pesewas: the price times 1.03, half a pesewa rounded up.
 * It is taken on the total of a cart, once, and exact for every safe integer.
 */
export function withCardSurcharge(pricePesewas: number): number {
  return pricePesewas + cardSurcharge(pricePesewas)
}

/** The surcharge alone, in pesewas. */
export function cardSurcharge(pricePesewas: number): number {
  return Math.floor((pricePesewas * CARD_SURCHARGE_PERCENT + 50) / 100)
}

/** What is said of anything that is no amount of cedis. */
export const NOT_AN_AMOUNT = 'Enter an amount in cedis with at most two decimals.'
