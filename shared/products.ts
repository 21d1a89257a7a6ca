import * as z from 'zod/mini'
import { formatCedis, isCedis, MAX_AMOUNT_PESEWAS, toCedis } from './money.ts'
import { network } from './networks.ts'

export const PRODUCT_STATUSES = ['available', 'out of stock'] as const
export type ProductStatus = (typeof PRODUCT_STATUSES)[number]

/** The most bytes that an uploaded product image may have (spec section 9). */
export const MAX_IMAGE_BYTES = 102_400

export const productPackage = z.object({
  _id: z.string(),
  offer: z.string(),
  priceCustomer: z.number(),
  priceAgent: z.number(),
})
export type ProductPackage = z.output<typeof productPackage>

/** A product of the shelf; `image` is the address of its picture. Prices in cedis. */
export const product = z.object({
  _id: z.string(),
  productId: z.string(),
  network,
  image: z.string(),
  status: z.enum(PRODUCT_STATUSES),
  packages: z.array(productPackage),
})
export type Product = z.output<typeof product>

const PRICE = 'Price must be a number'
const MAX_PRICE = toCedis(MAX_AMOUNT_PESEWAS)

/** An offer's name: text such as "1GB", "MashUp GHS 5", "BECE". */
export const offerName = z
  .string({ error: 'Choose an offer.' })
  .check(z.trim(), z.minLength(1, { error: 'Choose an offer.' }), z.maxLength(60, { error: 'An offer has at most 60 characters.' }))

const price = z.number({ error: PRICE }).check(
  z.refine((value) => value <= MAX_PRICE, { error: `A price is at most ${formatCedis(MAX_PRICE)}.`, abort: true }),
  z.refine(isCedis, { error: 'A price has at most two decimals.', abort: true }),
  z.refine((value) => value > 0, { error: 'A price must be more than zero.' }),
)

export const packageInput = z.object({ offer: offerName, priceCustomer: price, priceAgent: price })
export type PackageInput = z.input<typeof packageInput>

/**
 * The volume that an offer's text names, in megabytes: "1.5GB" is 1500 and "500MB" is 500, 1 GB being 1000 MB
 * as the supplier counts. Null when the text names none.
 */
export function offerVolumeMb(offer: string): number | null {
  const match = /(\d{1,4}(?:\.\d{1,3})?)\s*(GB|MB)\b/i.exec(offer)
  if (!match) return null
  const [, amount = '', unit = ''] = match
  const volumeMb = unit.toUpperCase() === 'GB' ? Math.round(Number.parseFloat(amount) * 1000) : Math.round(Number.parseFloat(amount))
  return volumeMb > 0 ? volumeMb : null
}

const IMAGE = 'Upload an image: PNG, JPEG, WebP, GIF or AVIF.'
export const IMAGE_TOO_LARGE = 'Image size exceeds 100KB. Please upload a smaller image.'

/** An uploaded image: a data URI in base64 of at most `MAX_IMAGE_BYTES` bytes of image. */
export const imageUpload = z.string({ error: IMAGE }).check(
  z.regex(/^data:image\/(?:png|jpeg|webp|gif|avif);base64,[A-Za-z0-9+/]+={0,2}$/, { error: IMAGE, abort: true }),
  z.refine((uri) => imageBytes(uri) <= MAX_IMAGE_BYTES, { error: IMAGE_TOO_LARGE }),
)

/** How many bytes of image a data URI in base64 holds. */
export function imageBytes(uri: string): number {
  const digits = uri.slice(uri.indexOf(',') + 1).replace(/={1,2}$/, '')
  return Math.floor((digits.length * 3) / 4)
}

/** The most packages that one product has. */
export const MAX_PACKAGES = 100

const packages = z.array(packageInput, { error: 'Add at least one package.' }).check(
  z.minLength(1, { error: 'Add at least one package.' }),
  z.maxLength(MAX_PACKAGES, { error: `A product has at most ${MAX_PACKAGES} packages.` }),
  z.refine((lines) => new Set(lines.map(({ offer }) => offer.toLowerCase())).size === lines.length, {
    error: 'Two packages have the same offer.',
  }),
)

const status = z.enum(PRODUCT_STATUSES, { error: `The status is one of ${PRODUCT_STATUSES.join(', ')}.` })

export const createProductRequest = z
  .object({ network, image: imageUpload, packages, status: z._default(status, 'available') })
  .check(supplierVolumes())
/** Without an image, or with the address that it has already, the product keeps its image. */
export const updateProductRequest = z
  .object({
    network,
    image: z.optional(z.union([imageUpload, z.string().check(z.startsWith('/images/'))], { error: IMAGE })),
    packages,
    status,
  })
  .check(supplierVolumes())
export const changeProductStatusRequest = z.object({ status })
export const productReply = z.object({ product })
export const productStatusReply = z.object({ product, status })
export type SaveProductRequest = z.output<typeof updateProductRequest>

/** The data supplier is told a volume, so an AirtelTigo offer must name one: better refused here than after it was paid. */
function supplierVolumes() {
  return z.check<{ network: string; packages: { offer: string }[] }>(({ value, issues }) => {
    if (value.network !== 'AirtelTigo') return
    value.packages.forEach(({ offer }, index) => {
      if (offerVolumeMb(offer) !== null) return
      issues.push({
        code: 'custom',
        input: offer,
        path: ['packages', index, 'offer'],
        message: 'An AirtelTigo offer names its volume, like 1GB or 500MB.',
      })
    })
  })
}
