import type { Ctx } from '../../../platform/context.ts'
import { announceProduct } from '../../catalogue/products/events.ts'
import { selectProducts } from '../../catalogue/products/products.sql.ts'

/**
 * Shows everyone the products of checkers as they are, after something sold out or came in. Failure is only logged: screens catch up later.
 * `onlySoldOut`: says nothing while every package can be bought.
 */
export async function announceCheckers(ctx: Ctx, { onlySoldOut = false }: { onlySoldOut?: boolean } = {}) {
  try {
    for (const product of await selectProducts(ctx.db)) {
      if (product.network !== 'WAEC Checkers') continue
      if (onlySoldOut && !product.packages.some(({ soldOut }) => soldOut)) continue
      announceProduct(ctx, product)
    }
  } catch (error) {
    ctx.log.warn({ err: error }, 'the stock of checkers was not announced')
  }
}
