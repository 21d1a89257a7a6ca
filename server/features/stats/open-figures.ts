import { NETWORKS } from '../../../shared/networks.ts'
import type { Figures } from '../../../shared/stats.ts'
import type { Db } from '../../platform/db.ts'
import { readUsualTimes } from '../orders/queries.ts'
import { selectOrderCounts } from './stats.sql.ts'

/** Fewer deliveries would say more of a new shop's size than of its quality. */
const FEWEST_DELIVERED = 100
const KEPT_MS = 60_000

type ReadFigures = (db: Db, now: Date) => Promise<Figures>

/** Reads what the shop tells visitors about itself, at most once a minute in this process. */
export function openFigures(): ReadFigures {
  let kept: { until: number; figures: Promise<Figures> } | null = null
  return (db, now) => {
    if (kept && now.getTime() < kept.until) return kept.figures
    const fresh = { until: now.getTime() + KEPT_MS, figures: readFigures(db, now) }
    kept = fresh
    fresh.figures.catch(() => {
      if (kept === fresh) kept = null
    })
    return fresh.figures
  }
}

async function readFigures(db: Db, now: Date): Promise<Figures> {
  const [counts, times] = await Promise.all([
    selectOrderCounts(db, 'infinity'),
    Promise.all(NETWORKS.map(async (network) => ({ network, usual: await readUsualTimes(db, network, now) }))),
  ])
  const delivered = counts.filter(({ status }) => status === 'completed').reduce((sum, { orders }) => sum + orders, 0)
  return {
    ordersDelivered: delivered < FEWEST_DELIVERED ? null : delivered,
    deliveryTimes: times.flatMap(({ network, usual }) =>
      usual ? [{ network, typicalMinutes: Math.max(1, Math.round(usual.p50Seconds / 60)) }] : [],
    ),
  }
}
