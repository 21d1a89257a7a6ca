import type { Queryable } from '../../../platform/db.ts'
import { shrinkImage } from './encode-image.ts'
import { selectImage } from './images.sql.ts'

type Image = { contentType: string; bytes: Buffer }

/** A catalogue has a few dozen pictures; a hundred small ones take less than a megabyte. */
const MOST_KEPT = 100
const kept = new Map<string, Promise<Image | null>>()

/** The small variant of a stored picture, made on first request and cached. */
export function readSmallImage(db: Queryable, hash: string): Promise<Image | null> {
  const known = kept.get(hash)
  if (known) return known
  const made = selectImage(db, hash).then((image) => image && shrinkImage(image.bytes))
  kept.set(hash, made)
  // Don't cache failures and missing pictures.
  made.then(
    (image) => image ?? kept.delete(hash),
    () => kept.delete(hash),
  )
  if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value as string)
  return made
}
