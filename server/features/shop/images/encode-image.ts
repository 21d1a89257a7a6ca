import { createHash } from 'node:crypto'
import { SMALL_IMAGE_WIDTH } from '../../../../shared/images.ts'

/** A card shows its picture at most 320 CSS pixels wide; twice that suits a dense screen. */
const WIDTH = 640
const HEIGHT = 400
/** A small file can contain a huge picture; refuse over 24 megapixels before decoding. */
const MOST_PIXELS = 24_000_000

export type EncodedImage = { hash: string; contentType: 'image/webp'; bytes: Buffer }

/**
 * Decodes a picture by its content, crops it and re-encodes only its pixels, without metadata. `hash` identifies the result.
 * @throws when it is not a PNG, JPEG, WebP, GIF or AVIF of up to 24 megapixels.
 */
export async function encodeImage(source: Buffer): Promise<EncodedImage> {
  const sharp = await sharpOnce()
  const bytes = await sharp(source, { limitInputPixels: MOST_PIXELS, failOn: 'error' })
    .rotate()
    .resize(WIDTH, HEIGHT, { fit: 'cover', withoutEnlargement: true })
    .webp({ quality: 80, effort: 5 })
    .toBuffer()
  return { hash: createHash('sha256').update(bytes).digest('hex'), contentType: 'image/webp', bytes }
}

/**
 * A picture within a square of `width` pixels, whole, on a transparent ground; otherwise like `encodeImage`.
 * @throws when it is not a PNG, JPEG, WebP, GIF or AVIF of up to `mostPixels`, 24 megapixels if not given.
 */
export async function encodeSquare(
  source: Buffer,
  { width, mostPixels = MOST_PIXELS }: { width: number; mostPixels?: number },
): Promise<EncodedImage> {
  const sharp = await sharpOnce()
  const bytes = await sharp(source, { limitInputPixels: mostPixels, failOn: 'error' })
    .rotate()
    .resize(width, width, { fit: 'contain', background: { r: 0, g: 0, b: 0, alpha: 0 } })
    .webp({ quality: 85, effort: 5 })
    .toBuffer()
  return { hash: createHash('sha256').update(bytes).digest('hex'), contentType: 'image/webp', bytes }
}

/** An encoded picture at the width `SMALL_IMAGE_WIDTH`. */
export async function shrinkImage(encoded: Buffer): Promise<{ contentType: 'image/webp'; bytes: Buffer }> {
  const sharp = await sharpOnce()
  const bytes = await sharp(encoded)
    .resize(SMALL_IMAGE_WIDTH, undefined, { withoutEnlargement: true })
    .webp({ quality: 78, effort: 6 })
    .toBuffer()
  return { contentType: 'image/webp', bytes }
}

/** An encoded picture within a square of `size` pixels, as four bytes for each: red, green, blue, opacity. */
export async function readPixels(encoded: Buffer, size: number): Promise<Buffer> {
  const sharp = await sharpOnce()
  const whole = { fit: 'contain', background: { r: 0, g: 0, b: 0, alpha: 0 } } as const
  return sharp(encoded).resize(size, size, whole).ensureAlpha().raw().toBuffer()
}

/** A picture that the shop has drawn itself, of three bytes for each pixel, as a PNG of few colours. */
export async function encodePixels({ pixels, width, height }: { pixels: Buffer; width: number; height: number }): Promise<Buffer> {
  const sharp = await sharpOnce()
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .png({ palette: true, colours: 128, effort: 4 })
    .toBuffer()
}

let loading: ReturnType<typeof loadSharp> | undefined

/** Loaded with the first picture to encode; most processes never need it. */
function sharpOnce() {
  // Only once: blocking loaders again would fail pictures being read by other threads.
  loading ??= loadSharp()
  return loading
}

async function loadSharp() {
  const { default: sharp } = await import('sharp')
  // Block all other loaders: an SVG, for instance, may contain scripts, fetch URLs or expand without limit.
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({
    operation: ['VipsForeignLoadPng', 'VipsForeignLoadJpeg', 'VipsForeignLoadWebp', 'VipsForeignLoadNsgif', 'VipsForeignLoadHeif'],
  })
  return sharp
}

/** The URL of the picture with this hash; its content never changes. */
export function imageAddress(hash: string): string {
  return `/images/${hash}.webp`
}
