/** How wide a product's small picture is, in pixels: half of a phone's screen, at about two pixels each. */
export const SMALL_IMAGE_WIDTH = 360

/** Where the small variant of a product's picture is, from the picture's own address. */
export function smallImage(address: string): string {
  return address.replace(/\.webp$/, `-${SMALL_IMAGE_WIDTH}.webp`)
}
