import type { SaveProductRequest } from '../../../../shared/products.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { requireStaff } from '../../../platform/lock-actor.ts'
import { insertImage } from '../../shop/images/images.sql.ts'
import { readUploadedImage } from '../../shop/images/read-uploaded-image.ts'
import { announceProduct } from './events.ts'
import { toPackages } from './present.ts'
import { insertProduct, type ProductRow } from './products.sql.ts'
import { recordProductChange } from './record-product-change.ts'
import { refusePricesOfOthers } from './refuse-prices-of-others.ts'
import { refuseUnreadableVolumes } from './refuse-unreadable-volumes.ts'
import { askForNewPackages } from './request-price-approval.ts'

/**
 * Creates a product. Packages that no owner has agreed to are hidden until one does.
 * @throws Invalid for an unreadable picture, a price that takes an owner, or an offer without a volume that its supplier needs.
 */
export async function createProduct(ctx: Ctx, request: SaveProductRequest & { image: string }): Promise<ProductRow> {
  const image = await readUploadedImage(request.image)
  const product = await transaction(ctx.db, async (tx) => {
    const actor = await requireStaff(tx, ctx, 'products')
    await refuseUnreadableVolumes(tx, request, [])
    await insertImage(tx, { ...image, now: ctx.now })
    const { network, status } = request
    const { packages, news } = await refusePricesOfOthers(tx, ctx, actor, {
      id: null,
      network,
      packages: toPackages(request),
      before: null,
    })
    const id = await insertProduct(tx, { network, status, imageHash: image.hash, packages }, ctx.now)
    const after = await recordProductChange(tx, ctx, 'product.create', null, id)
    await askForNewPackages(tx, ctx, after, news)
    return after
  })
  announceProduct(ctx, product)
  return product
}
