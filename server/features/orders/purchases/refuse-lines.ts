import { formatPesewas } from '../../../../shared/money.ts'
import { AppError } from '../../../platform/errors.ts'
import type { RefusedLine, RefusedLines } from './purchases.sql.ts'

/** The field of a cart's request for a refused line. */
export function cartPath({ index, code }: RefusedLine): string {
  return `items.${index}.${code === 'PRICE_CHANGED' ? 'amount' : 'offer'}`
}

/** A 409 that names every line that cannot be bought as the buyer saw it. */
export function refuseLines(refused: RefusedLines, pathOf: (line: RefusedLine) => string = cartPath): AppError {
  const issues = refused.map((line) => ({ path: pathOf(line), message: sentenceFor(line) }))
  return new AppError(refused[0].code, sentenceFor(refused[0]), issues)
}

function sentenceFor({ code, network, offer, pricePesewas, soldOut }: RefusedLine): string {
  const name = [network, offer].filter(Boolean).join(' ')
  if (soldOut) return `${name} is sold out at the moment. Nothing was charged.`
  if (code === 'NOT_AVAILABLE') return `${name} is not sold here at the moment. Nothing was charged.`
  return `The price of ${name} is now GHS ${formatPesewas(pricePesewas ?? 0)}. Nothing was charged.`
}
