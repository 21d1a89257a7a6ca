import { toCedis } from '../../../../shared/money.ts'
import type { PricesReply } from '../../../../shared/prices.ts'
import type { Db, Queryable } from '../../../platform/db.ts'
import { imageAddress } from '../../shop/images/encode-image.ts'
import { selectSettings } from '../../shop/settings/settings.sql.ts'
import { selectCosts } from '../costs/costs.sql.ts'
import { selectProducts } from '../products/products.sql.ts'
import { isAsPlanned, nameOf, planChanges } from './change-packages.ts'
import { presentChange } from './present.ts'
import { selectIncompleteSchedules, selectNewestPublication, selectWaitingSchedules } from './prices.sql.ts'

const INCOMPLETE_SHOWN_MS = 48 * 3_600_000

const since = (now: Date) => new Date(now.getTime() - INCOMPLETE_SHOWN_MS)

/** How many scheduled prices of the last two days did not go live and still differ, and since when; null when there are none. */
export async function readPricesLeftOut(db: Queryable, now: Date): Promise<{ count: number; oldest: Date } | null> {
  const ended = await selectIncompleteSchedules(db, since(now))
  if (ended.length === 0) return null
  const products = await selectProducts(db)
  const differing = ended.flatMap(({ liveAt, leftOut }) => leftOut.filter((change) => !isAsPlanned(products, change)).map(() => liveAt))
  const oldest = differing.at(-1)
  return oldest ? { count: differing.length, oldest } : null
}

/** All prices with their costs, what is scheduled, and what can be undone. */
export async function readPrices(db: Db, now: Date): Promise<PricesReply> {
  const [products, settings, costs, waiting, incomplete, newest] = await Promise.all([
    selectProducts(db),
    selectSettings(db),
    selectCosts(db, now),
    selectWaitingSchedules(db),
    selectIncompleteSchedules(db, since(now)),
    selectNewestPublication(db),
  ])
  const costAt = new Map(costs.map(({ productId, offer, supplier, costPesewas }) => [`${productId} ${supplier} ${offer}`, costPesewas]))
  return {
    products: products.map(({ id, seq, network, imageHash, status, packages }) => {
      const supplier = settings.supplierRoutes[network] ?? 'by-hand'
      return {
        _id: id,
        productId: String(seq),
        network,
        image: imageAddress(imageHash),
        status,
        supplier,
        packages: packages.map(({ offer, priceCustomerPesewas, priceAgentPesewas, hidden }) => {
          const cost = costAt.get(`${id} ${supplier} ${offer}`) ?? null
          return {
            offer,
            priceCustomer: toCedis(priceCustomerPesewas),
            priceAgent: toCedis(priceAgentPesewas),
            hidden,
            cost: cost === null ? null : toCedis(cost),
          }
        }),
      }
    }),
    marginLinePercent: settings.marginLinePercent,
    schedules: waiting.map(({ id, changes, liveAt, createdAt, by }) => {
      const inConflict = new Set(planChanges(products, changes).conflicts.map(({ index }) => index))
      return {
        _id: id,
        liveAt: liveAt.toISOString(),
        createdAt: createdAt.toISOString(),
        by,
        changes: changes.map((change, index) => ({ ...presentChange(change), conflict: inConflict.has(index) })),
      }
    }),
    incomplete: incomplete.flatMap(({ id, liveAt, by, outcome, leftOut }) => {
      const differing = leftOut.filter((change) => !isAsPlanned(products, change))
      if (differing.length === 0) return []
      return [{ _id: id, liveAt: liveAt.toISOString(), by, outcome, leftOut: differing.map(presentChange) }]
    }),
    lastPublication:
      newest === null || newest.undoes
        ? null
        : {
            _id: newest.id,
            at: newest.publishedAt.toISOString(),
            by: newest.by,
            scheduled: newest.scheduleId !== null,
            changes: newest.changes.map(presentChange),
            changedSince: newest.changes.filter((change) => !isAsPlanned(products, change)).map(nameOf),
          },
  }
}
