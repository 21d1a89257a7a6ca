/** The most that an uploaded picture may have, 100KB; the browser makes larger ones smaller. */
export const MAX_IMAGE_BYTES = 102_400

/** The width of a product's small picture in pixels: half a phone's screen at twice the density. */
export const SMALL_IMAGE_WIDTH = 360

/** The URL of a picture's small variant. */
export function smallImage(address: string): string {
  return address.replace(/\.webp$/, `-${SMALL_IMAGE_WIDTH}.webp`)
}
