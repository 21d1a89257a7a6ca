import * as z from 'zod/mini'
import { endpoints, idParam, messageReply } from './endpoint.ts'
import { network, orAsText, tidy } from './fields.ts'
import { MAX_IMAGE_BYTES } from './images.ts'
import { formatCedis, isCedis, MAX_AMOUNT_PESEWAS, toCedis } from './money.ts'
import { offerVolumeMb, unreadableOffer } from './offers.ts'

export const PRODUCT_STATUSES = ['available', 'out of stock'] as const
export type ProductStatus = (typeof PRODUCT_STATUSES)[number]

export const productPackage = z.object({
  _id: z.string(),
  offer: z.string(),
  priceCustomer: z.number(),
  priceAgent: z.number(),
  /** It is sold from a stock of which nothing is left. */
  soldOut: z.optional(z.literal(true)),
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
  .check(tidy(), z.minLength(1, { error: 'Choose an offer.' }), z.maxLength(60, { error: 'An offer has at most 60 characters.' }))

/** A price on the wire, in cedis. */
export const price = z.number({ error: PRICE }).check(
  z.refine((value) => value <= MAX_PRICE, { error: `A price is at most ${formatCedis(MAX_PRICE)}.`, abort: true }),
  z.refine(isCedis, { error: 'A price has at most two decimals.', abort: true }),
  z.refine((value) => value > 0, { error: 'A price must be more than zero.' }),
)

export const packageInput = z.object({ offer: offerName, priceCustomer: orAsText(price, PRICE), priceAgent: orAsText(price, PRICE) })
export type PackageInput = z.output<typeof packageInput>

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
        message: unreadableOffer(value.network),
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
    access: 'products',
    body: createProductRequest,
    reply: productReply,
  },
  'PUT /product/:id': {
    id: 'changeProduct',
    tag: 'products',
    summary: 'Change a product',
    access: 'products',
    params: idParam('product'),
    body: updateProductRequest,
    reply: productReply,
    errors: ['NOT_FOUND'],
  },
  'PUT /product/:id/status': {
    id: 'changeProductStatus',
    tag: 'products',
    summary: 'Mark a product available or out of stock',
    access: 'products',
    params: idParam('product'),
    body: changeProductStatusRequest,
    reply: productStatusReply,
    errors: ['NOT_FOUND'],
  },
  'DELETE /product/:id': {
    id: 'deleteProduct',
    tag: 'products',
    summary: 'Remove a product from the catalogue',
    access: 'products',
    params: idParam('product'),
    reply: messageReply,
    errors: ['NOT_FOUND'],
  },
})
