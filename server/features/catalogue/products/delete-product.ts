import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { NotFound } from '../../../platform/errors.ts'
import { requireStaff } from '../../../platform/lock-actor.ts'
import { presentProduct } from './present.ts'
import { deleteProductRow, lockProduct } from './products.sql.ts'
import { factsOf } from './record-product-change.ts'
import { keepPrices } from './refuse-prices-of-others.ts'

/**
 * Deletes a product. Orders keep what was bought, including its picture.
 * @throws NotFound
 */
export async function deleteProduct(ctx: Ctx, id: string): Promise<void> {
  const gone = await transaction(ctx.db, async (tx) => {
    await requireStaff(tx, ctx, 'products')
    const before = await lockProduct(tx, id)
    if (!before) throw new NotFound('product')
    await keepPrices(tx, ctx, before)
    await deleteProductRow(tx, id)
    await recordAdminAction(tx, ctx, { action: 'product.delete', subject: { type: 'product', id }, before: factsOf(before), after: null })
    return before
  })
  ctx.realtime.announce('everyone', 'productsUpdated', { ...presentProduct(gone), status: 'out of stock', deleted: true })
}
