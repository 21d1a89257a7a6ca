import { NETWORKS } from '../../../../shared/networks.ts'
import type { Figures } from '../../../../shared/stats.ts'
import type { Db } from '../../../platform/db.ts'
import { readUsualTimes } from '../../orders/orders/queries.ts'
import { type PackageSales, selectOrderCounts, selectPackageSales } from './stats.sql.ts'

/** Fewer deliveries would say more of a new shop's size than of its quality. */
const FEWEST_DELIVERED = 100
/** A product has best sellers once it was bought this often by this many people: one agent's list is no popularity. */
const FEWEST_SOLD = 20
const FEWEST_BUYERS = 5
const MOST_BEST_SELLERS = 3
/** What sold in another season says little about today. */
const RECENT_MS = 30 * 24 * 60 * 60 * 1000
const KEPT_MS = 60_000

export type ReadFigures = (db: Db, now: Date) => Promise<Figures>

/** Reads what the shop tells visitors about itself, at most once a minute in this process. */
export function openFigures(): ReadFigures {
  let kept: { until: number; figures: Promise<Figures> } | null = null
  return (db, now) => {
    const leftMs = kept ? kept.until - now.getTime() : 0
    // More would be left where the clock was set back.
    if (kept && leftMs > 0 && leftMs <= KEPT_MS) return kept.figures
    const fresh = { until: now.getTime() + KEPT_MS, figures: readFigures(db, now) }
    kept = fresh
    fresh.figures.catch(() => {
      if (kept === fresh) kept = null
    })
    return fresh.figures
  }
}

async function readFigures(db: Db, now: Date): Promise<Figures> {
  const [counts, sales, times] = await Promise.all([
    selectOrderCounts(db, 'infinity'),
    selectPackageSales(db, new Date(now.getTime() - RECENT_MS)),
    Promise.all(NETWORKS.map(async (network) => ({ network, usual: await readUsualTimes(db, network, now) }))),
  ])
  const delivered = counts.filter(({ status }) => status === 'completed').reduce((sum, { orders }) => sum + orders, 0)
  return {
    ordersDelivered: delivered < FEWEST_DELIVERED ? null : delivered,
    deliveryTimes: times.flatMap(({ network, usual }) =>
      usual ? [{ network, typicalMinutes: Math.max(1, Math.round(usual.p50Seconds / 60)) }] : [],
    ),
    bestSellers: findBestSellers(sales),
  }
}

/** `sales` in the order in which they sell best. A package that sold less than half as often as the first one is left out. */
function findBestSellers(sales: PackageSales[]): Figures['bestSellers'] {
  return [...Map.groupBy(sales, ({ productId }) => productId)].flatMap(([productId, packages]) => {
    const sold = packages.reduce((sum, { orders }) => sum + orders, 0)
    const [best] = packages
    if (!best || sold < FEWEST_SOLD || best.buyers < FEWEST_BUYERS) return []
    const close = packages.filter(({ buyers }) => buyers * 2 >= best.buyers).slice(0, MOST_BEST_SELLERS)
    return [{ productId, packageIds: close.map(({ packageId }) => packageId) }]
  })
}
