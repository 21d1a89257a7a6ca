import * as z from 'zod/mini'
import { cedis } from './money.ts'
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

/** An offer's name: text such as "1GB", "MashUp GHS 5", "BECE". */
export const offerName = z
  .string({ error: 'Choose an offer.' })
  .check(z.trim(), z.minLength(1, { error: 'Choose an offer.' }), z.maxLength(60, { error: 'An offer has at most 60 characters.' }))

const price = z.number({ error: PRICE }).check(
  z.refine((value) => z.safeParse(cedis, value).success, { error: 'A price has at most two decimals.', abort: true }),
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
