import { offerAirtime } from '../../../shared/airtime.ts'
import { formatPesewas } from '../../../shared/money.ts'
import { isBigFall, isFallOfATenth } from '../../../shared/price-rules.ts'
import type { Tx } from '../../platform/db.ts'
import { type Measure, selectMeasures } from './agreed-prices.sql.ts'

export type Prices = { priceCustomerPesewas: number; priceAgentPesewas: number; hidden: boolean }
/** A package before and after somebody changes it; `before` is null for a new one. */
export type PricedLine = { network: string; offer: string; productId: string | null; before: Prices | null; after: Prices }

/** A price that takes an owner, by the place of its package. `isNew`: no owner has agreed to any price of it. */
export type PriceToApprove = { index: number; field: 'priceCustomer' | 'priceAgent'; isNew: boolean; message: string }

const PRICES = { priceCustomer: 'priceCustomerPesewas', priceAgent: 'priceAgentPesewas' } as const
const AGREED = { priceCustomer: 'agreedCustomerPesewas', priceAgent: 'agreedAgentPesewas' } as const

/**
 * Prices that somebody who is not an owner may not put on sale alone, since they could buy at them: under the cost, or more than a third below
 * what it was or what an owner last agreed to; more than a tenth where nobody has set the cost. Airtime costs its face value then. Nobody buys a hidden package, so its prices are looked at when it is shown.
 */
export async function findPricesToApprove(
  tx: Tx,
  lines: readonly PricedLine[],
  by: { userId: string; now: Date },
): Promise<PriceToApprove[]> {
  if (lines.length === 0) return []
  const measures = await selectMeasures(tx, lines, by)
  return lines.flatMap((line, index) => judge(line, measures[index] as Measure).map((found) => ({ index, ...found })))
}

function judge({ network, offer, before, after }: PricedLine, measure: Measure): Omit<PriceToApprove, 'index'>[] {
  if (after.hidden) return []
  const found = (['priceCustomer', 'priceAgent'] as const).flatMap((field) => {
    const to = after[PRICES[field]]
    const from = before && !before.hidden ? before[PRICES[field]] : null
    if (from !== null && to >= from) return []
    const reference = Math.max(from ?? 0, measure[AGREED[field]] ?? 0)
    const isNew = reference === 0
    const costPesewas = measure.costPesewas ?? (network === 'Airtime' ? (offerAirtime(offer)?.amountPesewas ?? null) : null)
    const message = isNew ? `${network} ${offer} is new here.` : problemOf(`${network} ${offer}`, { to, reference, costPesewas })
    return message === null ? [] : [{ field, isNew, message }]
  })
  return found
}

type Fall = { to: number; reference: number; costPesewas: number | null }

function problemOf(name: string, { to, reference, costPesewas }: Fall): string | null {
  if (costPesewas !== null && to < costPesewas)
    return `${name} at ¢${formatPesewas(to)} is under its cost of ¢${formatPesewas(costPesewas)}.`
  if (costPesewas === null && isFallOfATenth(reference, to) && !isBigFall(reference, to))
    return `${name} at ¢${formatPesewas(to)} is more than a tenth below ¢${formatPesewas(reference)}, and its cost is not set.`
  if (!isBigFall(reference, to)) return null
  return `${name} at ¢${formatPesewas(to)} is more than a third below ¢${formatPesewas(reference)}.`
}
