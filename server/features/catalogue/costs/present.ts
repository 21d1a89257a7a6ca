import type { PackageCost } from '../../../../shared/costs.ts'
import { toCedis } from '../../../../shared/money.ts'
import type { CostRow } from './costs.sql.ts'

export function presentCost({ productId, offer, supplier, costPesewas, validFrom, setBy }: CostRow): PackageCost {
  return { productId, offer, supplier, cost: costPesewas === null ? null : toCedis(costPesewas), validFrom: validFrom.toISOString(), setBy }
}
