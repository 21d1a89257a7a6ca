import { closeShop } from '../process/open-shops.ts'
import { until } from '../until.ts'
import { openOutside } from './open-outside.ts'

export type LostReplies = {
  orders: number
  /** What the supplier delivered, and what of it was one too many. */
  deliveries: number
  duplicates: number
  /** Orders that the shop knows to be delivered. */
  resolved: number
  resolvedWithinMs: number
}

const CART = 100

/**
 * A supplier that takes every order and whose reply is lost, by a cut connection or by none at all, with two processes
 * of the shop: each order is delivered once, and the shop finds that out by asking.
 */
export async function loseReplies(databaseUrl: string, orders: number): Promise<LostReplies> {
  const outside = await openOutside(databaseUrl, { deliversAfterMs: 50 })
  const shops = [await outside.openShop(), await outside.openShop()] as const
  try {
    for (let order = 0; order < orders; order++) {
      outside.supplier.addFault({ call: 'order', kind: order % 10 === 0 ? 'hang' : 'drop', acts: true })
    }
    const since = performance.now()
    for (let bought = 0; bought < orders; bought += CART) {
      await outside.buy(shops[(bought / CART) % 2] as (typeof shops)[0], Math.min(CART, orders - bought), '0271234567')
    }
    const resolved = async () =>
      (await outside.db.query<{ total: number }>(`select count(*) as total from supplier_deliveries where status = 'delivered'`)).rows[0]
        ?.total ?? 0
    await until(async () => (await resolved()) >= orders, 300_000)
    const resolvedWithinMs = performance.now() - since
    const { deliveries, duplicates } = outside.supplier.tally()
    return { orders, deliveries, duplicates, resolved: await resolved(), resolvedWithinMs }
  } finally {
    for (const shop of shops) await closeShop(shop)
    await outside.close()
  }
}
