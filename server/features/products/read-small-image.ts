import type { Queryable } from '../../platform/db.ts'
import { shrinkImage } from './encode-image.ts'
import { selectImage } from './images.sql.ts'

type Image = { contentType: string; bytes: Buffer }

/** A shelf has a few dozen pictures at most; what is kept of them all is less than a megabyte. */
const MOST_KEPT = 100
const kept = new Map<string, Promise<Image | null>>()

/** The small variant of a stored picture, made when it is first asked for. */
export function readSmallImage(db: Queryable, hash: string): Promise<Image | null> {
  const known = kept.get(hash)
  if (known) return known
  const made = selectImage(db, hash).then((image) => image && shrinkImage(image.bytes))
  kept.set(hash, made)
  // What could not be made, or is not there yet, is looked for again the next time.
  made.then(
    (image) => image ?? kept.delete(hash),
    () => kept.delete(hash),
  )
  if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value as string)
  return made
}
