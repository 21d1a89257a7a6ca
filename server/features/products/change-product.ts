import { toPesewas } from '../../../shared/money.ts'
import { offerVolumeMb, type ProductStatus, type SaveProductRequest, unreadableVolume } from '../../../shared/products.ts'
import { recordAdminAction } from '../../platform/audit.ts'
import type { Ctx } from '../../platform/context.ts'
import { type Tx, transaction } from '../../platform/db.ts'
import { Invalid, NotFound } from '../../platform/errors.ts'
import { requireAdmin } from '../../platform/lock-actor.ts'
import { selectSettings } from '../settings/settings.sql.ts'
import { type EncodedImage, encodeImage } from './encode-image.ts'
import { insertImage } from './images.sql.ts'
import { presentProduct } from './present.ts'
import {
  deletePackages,
  insertPackages,
  insertProduct,
  lockProduct,
  type ProductRow,
  selectProduct,
  updateProduct,
  updateProductStatus,
} from './products.sql.ts'

/**
 * Creates a product.
 * @throws Invalid for an unreadable picture, or an offer without a volume that its supplier needs.
 */
export async function createProduct(ctx: Ctx, request: SaveProductRequest & { image: string }): Promise<ProductRow> {
  const image = await readImage(request.image)
  const product = await transaction(ctx.db, async (tx) => {
    await requireAdmin(tx, ctx)
    await checkVolumes(tx, request, [])
    await insertImage(tx, { ...image, now: ctx.now })
    const { network, status } = request
    const id = await insertProduct(tx, { network, status, imageHash: image.hash, packages: toPackages(request) }, ctx.now)
    return recordChange(tx, ctx, 'product.create', null, id)
  })
  announceProduct(ctx, product)
  return product
}

/**
 * Replaces a product's details; existing orders keep what was bought.
 * @throws NotFound, Invalid
 */
export async function changeProduct(ctx: Ctx, id: string, request: SaveProductRequest): Promise<ProductRow> {
  const image = request.image?.startsWith('data:') ? await readImage(request.image) : null
  const product = await transaction(ctx.db, async (tx) => {
    await requireAdmin(tx, ctx)
    const before = await lockProduct(tx, id)
    if (!before) throw new NotFound('product')
    await checkVolumes(tx, request, before.network === request.network ? before.packages : [])
    if (image) await insertImage(tx, { ...image, now: ctx.now })
    await updateProduct(tx, id, { network: request.network, status: request.status, imageHash: image?.hash ?? before.imageHash })
    await deletePackages(tx, id)
    await insertPackages(tx, id, toPackages(request))
    return recordChange(tx, ctx, 'product.update', before, id)
  })
  announceProduct(ctx, product)
  return product
}

/** @throws NotFound */
export async function changeProductStatus(ctx: Ctx, id: string, status: ProductStatus): Promise<ProductRow> {
  const product = await transaction(ctx.db, async (tx) => {
    await requireAdmin(tx, ctx)
    const before = await lockProduct(tx, id)
    if (!before) throw new NotFound('product')
    await updateProductStatus(tx, id, status)
    return recordChange(tx, ctx, 'product.status', before, id)
  })
  announceProduct(ctx, product)
  return product
}

/**
 * Offers delivered by a supplier must name a volume. Offers older than the network's routing may stay: their orders are
 * processed by hand.
 */
async function checkVolumes(tx: Tx, { network, packages }: SaveProductRequest, before: readonly { offer: string }[]) {
  const { supplierRoutes } = await selectSettings(tx)
  if (supplierRoutes[network] === undefined) return
  const kept = new Set(before.map(({ offer }) => offer))
  const issues = packages.flatMap(({ offer }, index) =>
    offerVolumeMb(offer) === null && !kept.has(offer) ? [{ path: `packages.${index}.offer`, message: unreadableVolume(network) }] : [],
  )
  if (issues.length > 0) throw new Invalid(issues)
}

function announceProduct(ctx: Ctx, product: ProductRow) {
  ctx.realtime.announce('everyone', 'productsUpdated', presentProduct(product))
}

async function recordChange(tx: Tx, ctx: Ctx, action: string, before: ProductRow | null, id: string): Promise<ProductRow> {
  const after = (await selectProduct(tx, id)) as ProductRow
  await recordAdminAction(tx, ctx, { action, subject: { type: 'product', id }, before: before && factsOf(before), after: factsOf(after) })
  return after
}

/** The product's facts for the admins' log. */
export function factsOf({ network, status, imageHash, packages }: ProductRow) {
  return { network, status, imageHash, packages: packages.map(({ id: _, ...line }) => line) }
}

function toPackages({ packages }: SaveProductRequest) {
  return packages.map(({ offer, priceCustomer, priceAgent }) => ({
    offer,
    priceCustomerPesewas: toPesewas(priceCustomer),
    priceAgentPesewas: toPesewas(priceAgent),
  }))
}

/** Called outside any transaction, since decoding a picture is slow. */
async function readImage(uri: string): Promise<EncodedImage> {
  try {
    return await encodeImage(Buffer.from(uri.slice(uri.indexOf(',') + 1), 'base64'))
  } catch {
    throw new Invalid([{ path: 'image', message: 'That file could not be read as a picture. Please upload another.' }])
  }
}
