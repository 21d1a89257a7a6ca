import { offerAirtime } from '../../../../shared/airtime.ts'
import { formatPesewas } from '../../../../shared/money.ts'
import { isBigFall, isFallOfATenth } from '../../../../shared/price-rules.ts'
import type { Tx } from '../../../platform/db.ts'
import { type Measure, selectMeasures } from './agreed-prices.sql.ts'

export type Prices = { priceCustomerPesewas: number; priceAgentPesewas: number; hidden: boolean }
/** A package before and after somebody changes it; `before` is null for a new one. */
export type PricedLine = { network: string; offer: string; productId: string | null; before: Prices | null; after: Prices }

/** A price that takes an owner, by the place of its package. `isNew`: no owner has agreed to any price of it. */
export type PriceToApprove = { index: number; field: 'priceCustomer' | 'priceAgent'; isNew: boolean; message: string }

const PRICES = { priceCustomer: 'priceCustomerPesewas', priceAgent: 'priceAgentPesewas' } as const
const AGREED = { priceCustomer: 'agreedCustomerPesewas', priceAgent: 'agreedAgentPesewas' } as const

/**
 * Prices that somebody who is not an owner may not put on sale alone, since they could buy at them: under what others say that the package costs, under
 * airtime's face value, or more than a third below what it was or what an owner last agreed to; more than a tenth where nobody else has set the
 * cost. A cost of one's own counts only where it is higher. Nobody buys a hidden package, so its prices are looked at when it is shown.
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
    const facePesewas = network === 'Airtime' ? (offerAirtime(offer)?.amountPesewas ?? null) : null
    const name = `${network} ${offer}`
    const message = isNew ? `${name} is new here.` : problemOf(name, { to, reference, facePesewas, ...measure })
    return message === null ? [] : [{ field, isNew, message }]
  })
  return found
}

type Fall = { to: number; reference: number; facePesewas: number | null } & Pick<Measure, 'costPesewas' | 'ownCostPesewas'>

function problemOf(name: string, { to, reference, facePesewas, costPesewas, ownCostPesewas }: Fall): string | null {
  const cost = Math.max(costPesewas ?? 0, ownCostPesewas ?? 0)
  if (to < cost) return `${name} at ¢${formatPesewas(to)} is under its cost of ¢${formatPesewas(cost)}.`
  if (facePesewas !== null && to < facePesewas)
    return `${name} at ¢${formatPesewas(to)} is under its face value of ¢${formatPesewas(facePesewas)}.`
  if (costPesewas === null && facePesewas === null && isFallOfATenth(reference, to) && !isBigFall(reference, to))
    return `${name} at ¢${formatPesewas(to)} is more than a tenth below ¢${formatPesewas(reference)}, and nobody else has set its cost.`
  if (!isBigFall(reference, to)) return null
  return `${name} at ¢${formatPesewas(to)} is more than a third below ¢${formatPesewas(reference)}.`
}
