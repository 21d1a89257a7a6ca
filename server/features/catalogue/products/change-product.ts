import type { SaveProductRequest } from '../../../../shared/products.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { NotFound } from '../../../platform/errors.ts'
import { requireStaff } from '../../../platform/lock-actor.ts'
import { insertImage } from '../../shop/images/images.sql.ts'
import { readUploadedImage } from '../../shop/images/read-uploaded-image.ts'
import { announceProduct } from './events.ts'
import { toPackages } from './present.ts'
import { deletePackages, insertPackages, lockProduct, type ProductRow, updateProduct } from './products.sql.ts'
import { recordProductChange } from './record-product-change.ts'
import { refusePricesOfOthers } from './refuse-prices-of-others.ts'
import { refuseUnreadableVolumes } from './refuse-unreadable-volumes.ts'
import { askForNewPackages } from './request-price-approval.ts'

/**
 * Replaces a product's details; existing orders keep what was bought. Callers see no hidden packages, so those that they don't
 * name stay, and one that they name is on sale again.
 * Packages that are new are hidden until an owner agrees to their prices, unless an owner saves them.
 * @throws NotFound; Invalid, also for prices that take an owner
 */
export async function changeProduct(ctx: Ctx, id: string, request: SaveProductRequest): Promise<ProductRow> {
  const image = request.image?.startsWith('data:') ? await readUploadedImage(request.image) : null
  const product = await transaction(ctx.db, async (tx) => {
    const actor = await requireStaff(tx, ctx, 'products')
    const before = await lockProduct(tx, id)
    if (!before) throw new NotFound('product')
    await refuseUnreadableVolumes(tx, request, before.network === request.network ? before.packages : [])
    if (image) await insertImage(tx, { ...image, now: ctx.now })
    await updateProduct(tx, id, { network: request.network, status: request.status, imageHash: image?.hash ?? before.imageHash })
    const { network } = request
    const { packages, news } = await refusePricesOfOthers(tx, ctx, actor, { id, network, packages: toPackages(request), before })
    await deletePackages(
      tx,
      id,
      packages.map(({ offer }) => offer),
    )
    await insertPackages(tx, id, packages)
    const after = await recordProductChange(tx, ctx, 'product.update', before, id)
    await askForNewPackages(tx, ctx, after, news)
    return after
  })
  announceProduct(ctx, product)
  return product
}
