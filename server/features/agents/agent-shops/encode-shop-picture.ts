import type { Db } from '../../../platform/db.ts'
import { encodePixels, readPixels } from '../../shop/images/encode-image.ts'
import { selectImage } from '../../shop/images/images.sql.ts'
import { composePixels, LOGO_SIZE, type ShopPicture } from './compose-shop-picture.ts'

/** Some 20 KB each. */
const MOST_KEPT = 100

/**
 * Encodes the pictures of shops as PNG, one at a time, since drawing keeps the process busy. Those asked for last are kept by what they
 * show, so that a shop whose link is in many chats is drawn once for each change of its prices.
 */
export function encodeShopPictures() {
  const kept = new Map<string, Promise<Buffer>>()
  let before: Promise<unknown> = Promise.resolve()
  return (db: Db, picture: ShopPicture): Promise<Buffer> => {
    const known = kept.get(picture.hash)
    kept.delete(picture.hash)
    const encoded = known ?? before.then(() => encodeShopPicture(db, picture))
    if (!known) before = encoded.catch(() => undefined)
    kept.set(picture.hash, encoded)
    // A failure is not kept.
    encoded.catch(() => kept.delete(picture.hash))
    for (const hash of kept.keys()) if (kept.size > MOST_KEPT) kept.delete(hash)
    return encoded
  }
}

async function encodeShopPicture(db: Db, picture: ShopPicture): Promise<Buffer> {
  const hash = /^\/images\/([0-9a-f]{64})\.webp$/.exec(picture.logo ?? '')?.[1]
  const image = hash === undefined ? null : await selectImage(db, hash)
  const logo = image && { pixels: await readPixels(image.bytes, LOGO_SIZE), size: LOGO_SIZE }
  return encodePixels(composePixels(picture, logo))
}
