import { createHash } from 'node:crypto'
import { SMALL_IMAGE_WIDTH } from '../../../shared/images.ts'

/** A card shows its picture at most 320 CSS pixels wide; twice that serves a dense screen. */
const WIDTH = 640
const HEIGHT = 400
/** A small file can hold a huge picture; anything over 24 megapixels is refused before it is unpacked. */
const MOST_PIXELS = 24_000_000

export type EncodedImage = { hash: string; contentType: 'image/webp'; bytes: Buffer }

/**
 * Decodes a picture by its content, crops it and encodes it anew with nothing but its pixels. `hash` names the result.
 * @throws when it is no PNG, JPEG, WebP, GIF or AVIF, or one of more than 24 megapixels.
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

/** The picture of an earlier encoding at the width of `SMALL_IMAGE_WIDTH`. */
export async function shrinkImage(encoded: Buffer): Promise<{ contentType: 'image/webp'; bytes: Buffer }> {
  const sharp = await sharpOnce()
  const bytes = await sharp(encoded)
    .resize(SMALL_IMAGE_WIDTH, undefined, { withoutEnlargement: true })
    .webp({ quality: 78, effort: 6 })
    .toBuffer()
  return { contentType: 'image/webp', bytes }
}

let loading: ReturnType<typeof loadSharp> | undefined

/** Loaded with the first picture that is to be changed, which most processes never see. */
function sharpOnce() {
  // Once: blocking again would fail the pictures that other threads are reading at that moment.
  loading ??= loadSharp()
  return loading
}

async function loadSharp() {
  const { default: sharp } = await import('sharp')
  // Everything else that the library could read is refused unread: an SVG may hold scripts, and fetches or grows as it is drawn.
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({
    operation: ['VipsForeignLoadPng', 'VipsForeignLoadJpeg', 'VipsForeignLoadWebp', 'VipsForeignLoadNsgif', 'VipsForeignLoadHeif'],
  })
  return sharp
}

/** The address under which the picture with this hash is served, for ever. */
export function imageAddress(hash: string): string {
  return `/images/${hash}.webp`
}
