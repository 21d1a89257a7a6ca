import type { PackageCost } from '../../../../shared/costs.ts'
import type { Queryable } from '../../../platform/db.ts'
import { selectCostHistory, selectCosts } from './costs.sql.ts'
import { presentCost } from './present.ts'

/** What each package on sale costs at `now`, at each supplier and by hand. A package without a row has no cost yet. */
export async function readCosts(db: Queryable, now: Date): Promise<PackageCost[]> {
  return (await selectCosts(db, now)).map(presentCost)
}

export async function readCostHistory(db: Queryable, productId: string): Promise<PackageCost[]> {
  return (await selectCostHistory(db, productId)).map(presentCost)
}
