import type { SupplierOrderReply, SupplierStanding } from '../../../../shared/floats.ts'
import { toCedis } from '../../../../shared/money.ts'
import { NETWORKS, type Network } from '../../../../shared/networks.ts'
import { SUPPLIERS, type SupplierName } from '../../../../shared/suppliers.ts'
import type { Suppliers } from '../../../integrations/supplier/suppliers.ts'
import type { Ctx } from '../../../platform/context.ts'
import { isKnown } from '../supplier/candidates.sql.ts'
import { selectHealth } from '../supplier/health.sql.ts'
import {
  type SupplierRulesRow,
  selectAfterAll,
  selectCostCounts,
  selectDone,
  selectGaps,
  selectSpeeds,
  selectSupplierRules,
} from './supplier-order.sql.ts'

const DAY_MS = 24 * 3_600_000
const MOST_AFTER_ALL = 20

/** The suppliers of each network that one of them carries, in the owner's order, with how each has done. */
export async function readSupplierOrder(ctx: Ctx, suppliers: Suppliers): Promise<SupplierOrderReply> {
  const { db, now } = ctx
  const [rules, health, done, speeds, costs, gaps, afterAll] = await Promise.all([
    selectSupplierRules(db),
    selectHealth(db),
    selectDone(db, new Date(now.getTime() - 7 * DAY_MS)),
    selectSpeeds(db),
    selectCostCounts(db, [...SUPPLIERS], now),
    selectGaps(db, new Date(now.getTime() - DAY_MS)),
    selectAfterAll(db, { since: new Date(now.getTime() - 30 * DAY_MS), limit: MOST_AFTER_ALL }),
  ])
  const standingOf = (network: Network, name: SupplierName): SupplierStanding => {
    const isThis = (row: { network: Network; supplier: string | null }) => row.network === network && row.supplier === name
    const breaker = health.find((one) => one.name === name)
    const cost = costs.find(isThis)
    const count = done.find(isThis)
    const minutes = speeds.find(isThis)?.minutes
    return {
      name,
      configured: carries(suppliers, name, network),
      restsUntil: breaker?.openUntil?.toISOString() ?? null,
      reason: breaker?.openUntil ? breaker.reason : '',
      delivered: count?.delivered ?? 0,
      refused: count?.refused ?? 0,
      medianMinutes: minutes === undefined ? null : Math.max(0, Math.round(minutes)),
      withCost: cost?.withCost ?? 0,
      aboveAgentPrice: cost?.aboveAgentPrice ?? 0,
      notSoldMb: gaps.filter(isThis).map(({ volumeMb }) => volumeMb),
    }
  }
  const networks = NETWORKS.map((network) => {
    const order = supplierOrderOf(rules, network)
    const others = SUPPLIERS.filter((name) => !order.includes(name) && carries(suppliers, name, network))
    return {
      network,
      packages: costs.find((row) => row.network === network)?.packages ?? 0,
      suppliers: order.map((name) => standingOf(network, name)),
      others: others.map((name) => standingOf(network, name)),
    }
  })
  return {
    sendBelowCost: rules.sendBelowCost,
    verificationDays: rules.verificationDays,
    afterAll: afterAll.map(({ seq, pricePesewas, at, ...one }) => ({
      ...one,
      number: String(seq),
      price: toCedis(pricePesewas),
      at: at.toISOString(),
    })),
    networks: networks.filter((one) => one.suppliers.length + one.others.length > 0),
  }
}

/** A network's suppliers in the owner's order; none where a person sends its orders. */
export function supplierOrderOf({ first, others }: SupplierRulesRow, network: Network): SupplierName[] {
  const route = first[network]
  return route === undefined ? [] : [...new Set([route, ...(others[network] ?? [])])].filter(isKnown)
}

export function carries(suppliers: Suppliers, name: SupplierName, network: Network): boolean {
  return suppliers.get(name)?.networks.includes(network) ?? false
}
