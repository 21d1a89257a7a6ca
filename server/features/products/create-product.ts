import type { SaveProductRequest } from '../../../shared/products.ts'
import type { Ctx } from '../../platform/context.ts'
import { transaction } from '../../platform/db.ts'
import { requireStaff } from '../../platform/lock-actor.ts'
import { announceProduct } from './events.ts'
import { insertImage } from './images.sql.ts'
import { toPackages } from './present.ts'
import { insertProduct, type ProductRow } from './products.sql.ts'
import { readUploadedImage } from './read-uploaded-image.ts'
import { recordProductChange } from './record-product-change.ts'
import { refuseUnreadableVolumes } from './refuse-unreadable-volumes.ts'

/**
 * Creates a product.
 * @throws Invalid for an unreadable picture, or an offer without a volume that its supplier needs.
 */
export async function createProduct(ctx: Ctx, request: SaveProductRequest & { image: string }): Promise<ProductRow> {
  const image = await readUploadedImage(request.image)
  const product = await transaction(ctx.db, async (tx) => {
    await requireStaff(tx, ctx, 'products')
    await refuseUnreadableVolumes(tx, request, [])
    await insertImage(tx, { ...image, now: ctx.now })
    const { network, status } = request
    const id = await insertProduct(tx, { network, status, imageHash: image.hash, packages: toPackages(request) }, ctx.now)
    return recordProductChange(tx, ctx, 'product.create', null, id)
  })
  announceProduct(ctx, product)
  return product
}
