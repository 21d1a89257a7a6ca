import { createHash } from 'node:crypto'
import sharp from 'sharp'
import type { Queryable } from '../../platform/db.ts'
import { insertImage } from './images.sql.ts'

/** A card shows its picture at most 320 CSS pixels wide; twice that serves a dense screen. */
const WIDTH = 640
const HEIGHT = 400
/** A small file can hold a huge picture; anything over 24 megapixels is refused before it is unpacked. */
const MOST_PIXELS = 24_000_000

/** Decodes a picture, crops and re-encodes it with nothing but its pixels, and stores it under the hash of the result. */
export async function storeImage(tx: Queryable, source: Buffer, now: Date): Promise<string> {
  const bytes = await sharp(source, { limitInputPixels: MOST_PIXELS, failOn: 'error' })
    .rotate()
    .resize(WIDTH, HEIGHT, { fit: 'cover', withoutEnlargement: true })
    .webp({ quality: 80, effort: 5 })
    .toBuffer()
  const hash = createHash('sha256').update(bytes).digest('hex')
  await insertImage(tx, { hash, contentType: 'image/webp', bytes, now })
  return hash
}

/** The address under which the picture with this hash is served, for ever. */
export function imageAddress(hash: string): string {
  return `/images/${hash}.webp`
}
