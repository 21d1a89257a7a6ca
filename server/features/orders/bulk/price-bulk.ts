import type { UserLevel } from '../../../../shared/users.ts'
import type { Queryable } from '../../../platform/db.ts'
import { type RefusedLine, selectPricedLines } from '../purchases/purchases.sql.ts'
import { hasBeenRetried } from './bulk.sql.ts'
import { refuseBulk, type WantedBulk } from './place-bulk.ts'

/** No more than a reader looks at. */
const MOST_REFUSED = 100

/**
 * Refuses a list that could not be bought as the buyer saw it, before its card payment begins. Each package is priced once, however many lines
 * have it.
 * @throws 409 when a price, a product or the total is another, or a refunded order was bought again already.
 */
export async function priceBulk(db: Queryable, level: UserLevel, { lines, totalPesewas, pathOf }: Omit<WantedBulk, 'key'>): Promise<void> {
  const kinds = [
    ...Map.groupBy(lines, ({ product, offer, expectedPricePesewas }) => `${product} ${expectedPricePesewas} ${offer}`).values(),
  ]
  const priced = await selectPricedLines(
    db,
    level,
    kinds.map(([line]) => ({ ...(line as (typeof lines)[number]), clientId: null })),
  )
  const places = new Map(lines.map((line, index) => [line, index]))
  const refused = kinds
    .flatMap((kind, at) => {
      const why = priced[at]?.refused
      return why ? kind.map((line): RefusedLine => ({ ...why, index: places.get(line) as number })) : []
    })
    .sort((one, other) => one.index - other.index)
    .slice(0, MOST_REFUSED)
  const total = kinds.reduce((sum, kind, at) => sum + kind.length * (priced[at]?.pricePesewas ?? 0), 0)
  const [first, ...others] = refused
  if (first) throw refuseBulk({ outcome: 'refused', code: first.code, items: [first, ...others], totalPesewas: total }, { pathOf })
  if (total !== totalPesewas) throw refuseBulk({ outcome: 'refused', code: 'TOTAL', totalPesewas: total }, { pathOf })
  const retries = lines.flatMap(({ retryOf }) => retryOf ?? [])
  if (retries.length > 0 && (await hasBeenRetried(db, retries))) throw refuseBulk({ outcome: 'refused', code: 'RETRIED' }, { pathOf })
}
