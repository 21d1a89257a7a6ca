import type { ProductStatus } from '../../../../shared/products.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { NotFound } from '../../../platform/errors.ts'
import { requireStaff } from '../../../platform/lock-actor.ts'
import { announceProduct } from './events.ts'
import { lockProduct, type ProductRow, updateProductStatus } from './products.sql.ts'
import { recordProductChange } from './record-product-change.ts'

/** @throws NotFound */
export async function changeProductStatus(ctx: Ctx, id: string, status: ProductStatus): Promise<ProductRow> {
  const product = await transaction(ctx.db, async (tx) => {
    await requireStaff(tx, ctx, 'products')
    const before = await lockProduct(tx, id)
    if (!before) throw new NotFound('product')
    await updateProductStatus(tx, id, status)
    return recordProductChange(tx, ctx, 'product.status', before, id)
  })
  announceProduct(ctx, product)
  return product
}
