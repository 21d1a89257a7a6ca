import type { UserLevel } from '../../../../shared/users.ts'
import type { Queryable } from '../../../platform/db.ts'
import { type PurchaseLine, type RefusedLine, selectPricedLines, selectShopLines } from './purchases.sql.ts'
import { refuseLines } from './refuse-lines.ts'

/**
 * The total of a cart in pesewas at the server's prices, for a later card payment.
 * @throws 409 naming each line that is unavailable or has another price than the buyer saw.
 */
export async function priceLines(db: Queryable, level: UserLevel, lines: PurchaseLine[]): Promise<number> {
  return sumLines(await selectPricedLines(db, level, lines))
}

/**
 * The same in an agent's shop, for a guest.
 * @throws as `priceLines` does.
 */
export async function priceShopLines(db: Queryable, shopId: string, lines: PurchaseLine[]): Promise<number> {
  return sumLines(await selectShopLines(db, shopId, lines))
}

function sumLines(priced: Awaited<ReturnType<typeof selectShopLines>>): number {
  const [first, ...others] = priced.map(({ refused }) => refused).filter((refused): refused is RefusedLine => refused !== null)
  if (first) throw refuseLines([first, ...others])
  return priced.reduce((total, { pricePesewas }) => total + pricePesewas, 0)
}
