import type { Ctx } from '../../../platform/context.ts'
import { presentProduct } from './present.ts'
import type { ProductRow } from './products.sql.ts'

export function announceProduct(ctx: Ctx, product: ProductRow) {
  ctx.realtime.announce('everyone', 'productsUpdated', presentProduct(product))
}
