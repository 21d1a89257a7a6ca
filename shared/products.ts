import * as z from 'zod/mini'
import { endpoints, idParam, messageReply } from './endpoint.ts'
import { formatCedis, isCedis, MAX_AMOUNT_PESEWAS, toCedis } from './money.ts'
import { network } from './networks.ts'

export const PRODUCT_STATUSES = ['available', 'out of stock'] as const
export type ProductStatus = (typeof PRODUCT_STATUSES)[number]

/** The largest image that may be uploaded for a product, in bytes. */
export const MAX_IMAGE_BYTES = 102_400

export const productPackage = z.object({
  _id: z.string(),
  offer: z.string(),
  priceCustomer: z.number(),
  priceAgent: z.number(),
})
export type ProductPackage = z.output<typeof productPackage>

/** A product of the catalogue; `image` is its picture's URL. Prices in cedis. */
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

/** An offer's name, such as "1GB", "MashUp GHS 5", "BECE". */
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

const QUANTITY = /(?<![^\s(])(\d{1,3}(?:,\d{3}){1,5}(?:\.\d{1,9})?|\d{0,15}\.?\d{1,15})[ \u00a0]{0,9}(GB|MB)(?![\p{L}\p{N}])/giu
/** A duration and a price may stand beside the volume: "1GB (30 days)", "GHS 5 1GB". */
const OTHER_NUMBERS =
  /(?<![^\s(])(?:\d{1,3}[ -]?(?:minutes?|mins?|hours?|hrs?|days?|weeks?|months?)|(?:GHS|GH¢|GH₵|¢|₵)[ ]?\d{1,4}(?:\.\d{1,2})?)(?![\p{L}\p{N}.,])/giu
/** Words that make the volume a different or uncertain one: "2 x 1GB", "1GB daily", "half 1GB". */
const CHANGES_VOLUME =
  /(?<!\p{L})(?:x|times|twice|double|triple|per|every|each|daily|weekly|monthly|plus|minus|bonus|free|extra|half|quarter|two|three|four|five|six|seven|eight|nine|ten|dozen)(?!\p{L})/iu
const ONLY_WORDS = /^[\p{L}\p{M}\s()[\].,:;!'’"-]*$/u
/** The supplier's volume is stored in a PostgreSQL integer. */
const MAX_VOLUME_MB = 2_147_483_647

/**
 * The volume in an offer's name, in megabytes: "1.5GB" is 1500 and "12,000 MB" is 12000 (suppliers count 1 GB as 1000 MB).
 * Null when it names none or is ambiguous: "1GB + 500MB", "1,5GB", "2 x 1GB", "0.5MB".
 */
export function offerVolumeMb(offer: string): number | null {
  const [found, another] = offer.matchAll(QUANTITY)
  if (!found || another) return null
  const [matched, amount = '', unit = ''] = found
  const rest = `${offer.slice(0, found.index)} ${offer.slice(found.index + matched.length)}`.replace(OTHER_NUMBERS, ' ')
  if (!ONLY_WORDS.test(rest) || CHANGES_VOLUME.test(rest)) return null
  return wholeMegabytes(amount.replaceAll(',', ''), unit.toUpperCase() === 'GB' ? 3 : 0)
}

/** Multiplies by 10^`decimals` as text, to avoid floating point; null unless the result is a whole number of megabytes. */
function wholeMegabytes(amount: string, decimals: number): number | null {
  const [whole = '', fraction = ''] = amount.split('.')
  if (!/^0*$/.test(fraction.slice(decimals))) return null
  const volumeMb = Number(whole + fraction.slice(0, decimals).padEnd(decimals, '0'))
  return volumeMb > 0 && volumeMb <= MAX_VOLUME_MB ? volumeMb : null
}

/** The error for a supplier's offer whose name has no volume that `offerVolumeMb` can read. */
export function unreadableVolume(network: string): string {
  const article = network === 'AirtelTigo' ? 'An' : 'A'
  return `${article} ${network} offer goes to a supplier, so it names one volume, like 1GB or 500MB.`
}

const IMAGE = 'Upload an image: PNG, JPEG, WebP, GIF or AVIF.'
export const IMAGE_TOO_LARGE = 'Image size exceeds 100KB. Please upload a smaller image.'

/** An uploaded image: a base64 data URI of at most `MAX_IMAGE_BYTES` bytes of image. */
const imageUpload = z.string({ error: IMAGE }).check(
  z.regex(/^data:image\/(?:png|jpeg|webp|gif|avif);base64,[A-Za-z0-9+/]+={0,2}$/, { error: IMAGE, abort: true }),
  z.refine((uri) => imageBytes(uri) <= MAX_IMAGE_BYTES, { error: IMAGE_TOO_LARGE }),
)

/** The size of the image in a base64 data URI, in bytes. */
export function imageBytes(uri: string): number {
  const digits = uri.slice(uri.indexOf(',') + 1).replace(/={1,2}$/, '')
  return Math.floor((digits.length * 3) / 4)
}

/** The most packages of one product. */
export const MAX_PACKAGES = 100

const packages = z.array(packageInput, { error: 'Add at least one package.' }).check(
  z.minLength(1, { error: 'Add at least one package.' }),
  z.maxLength(MAX_PACKAGES, { error: `A product has at most ${MAX_PACKAGES} packages.` }),
  z.refine((lines) => new Set(lines.map(({ offer }) => offer.toLowerCase())).size === lines.length, {
    error: 'Two packages have the same offer.',
  }),
)

const status = z.enum(PRODUCT_STATUSES, { error: `The status is one of ${PRODUCT_STATUSES.join(', ')}.` })

const createProductRequest = z
  .object({ network, image: imageUpload, packages, status: z._default(status, 'available') })
  .check(supplierVolumes())
/** Without an image, or with its current URL, the product keeps its image. */
export const updateProductRequest = z
  .object({
    network,
    image: z.optional(z.union([imageUpload, z.string().check(z.startsWith('/images/'))], { error: IMAGE })),
    packages,
    status,
  })
  .check(supplierVolumes())
const changeProductStatusRequest = z.object({ status })
const productReply = z.object({ product })
const productStatusReply = z.object({ product, status })
export type SaveProductRequest = z.output<typeof updateProductRequest>

/** Suppliers are sent a volume, so an AirtelTigo offer must name one; refuse it here rather than after payment. */
function supplierVolumes() {
  return z.check<{ network: string; packages: { offer: string }[] }>(({ value, issues }) => {
    if (value.network !== 'AirtelTigo') return
    value.packages.forEach(({ offer }, index) => {
      if (offerVolumeMb(offer) !== null) return
      issues.push({
        code: 'custom',
        input: offer,
        path: ['packages', index, 'offer'],
        message: unreadableVolume(value.network),
      })
    })
  })
}

export const productEndpoints = endpoints({
  'GET /product': { id: 'listProducts', tag: 'products', summary: 'The catalogue', access: 'anyone', reply: z.array(product) },
  'POST /product/create': {
    id: 'createProduct',
    tag: 'products',
    summary: 'Add a product to the catalogue',
    access: 'admin',
    body: createProductRequest,
    reply: productReply,
  },
  'PUT /product/:id': {
    id: 'changeProduct',
    tag: 'products',
    summary: 'Change a product',
    access: 'admin',
    params: idParam('product'),
    body: updateProductRequest,
    reply: productReply,
    errors: ['NOT_FOUND'],
  },
  'PUT /product/:id/status': {
    id: 'changeProductStatus',
    tag: 'products',
    summary: 'Mark a product available or out of stock',
    access: 'admin',
    params: idParam('product'),
    body: changeProductStatusRequest,
    reply: productStatusReply,
    errors: ['NOT_FOUND'],
  },
  'DELETE /product/:id': {
    id: 'deleteProduct',
    tag: 'products',
    summary: 'Remove a product from the catalogue',
    access: 'admin',
    params: idParam('product'),
    reply: messageReply,
    errors: ['NOT_FOUND'],
  },
})
