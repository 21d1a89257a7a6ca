import { formatPesewas } from '../../../../shared/money.ts'
import { isBigFall } from '../../../../shared/price-rules.ts'
import type { CostLine, FoundCost } from './costs.sql.ts'

/**
 * Why an owner must agree to these costs of somebody else's: each that falls to more than a third below what it was or what the package is sold at.
 * By its cost a package is sent where it earns something, and what others set is what prices are measured by.
 */
export function findCostsToApprove(lines: readonly CostLine[], found: readonly FoundCost[]): string[] {
  return lines.flatMap(({ offer, costPesewas: to }, index) => {
    const { network, costPesewas: from, pricePesewas } = found[index] as FoundCost
    if (to === null || (from !== null && to >= from)) return []
    const reference = Math.max(from ?? 0, pricePesewas ?? 0)
    if (!isBigFall(reference, to)) return []
    return [`A cost of ¢${formatPesewas(to)} for ${network} ${offer} is more than a third below ¢${formatPesewas(reference)}.`]
  })
}
