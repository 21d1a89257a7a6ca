/** The longest sides to try, in pixels; the store shows a picture at no more than about 700. */
const SIDES = [1280, 960, 720, 540, 400]
const QUALITIES = [0.85, 0.7, 0.55]
const MAX_FILE_BYTES = 40 * 1024 * 1024

/** The same picture in at most `maxBytes`, drawn anew in the browser; null when that cannot be done, as with a file that is no picture. */
export async function shrinkImage(file: Blob, maxBytes: number): Promise<Blob | null> {
  if (file.size > MAX_FILE_BYTES) return null
  const picture = await createImageBitmap(file).catch(() => null)
  if (!picture) return null
  try {
    for (const side of SIDES) {
      const canvas = draw(picture, Math.min(1, side / Math.max(picture.width, picture.height)))
      for (const quality of canvas ? QUALITIES : []) {
        const small = await encode(canvas as HTMLCanvasElement, quality)
        if (small && small.size <= maxBytes) return small
      }
    }
    return null
  } finally {
    picture.close()
  }
}

function draw(picture: ImageBitmap, scale: number): HTMLCanvasElement | null {
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(picture.width * scale))
  canvas.height = Math.max(1, Math.round(picture.height * scale))
  const pen = canvas.getContext('2d')
  if (!pen) return null
  pen.imageSmoothingQuality = 'high'
  pen.drawImage(picture, 0, 0, canvas.width, canvas.height)
  return canvas
}

/** As WebP; a browser that cannot write that replies a PNG, and is asked for a JPEG. */
async function encode(canvas: HTMLCanvasElement, quality: number): Promise<Blob | null> {
  const webp = await toBlob(canvas, 'image/webp', quality)
  return webp?.type === 'image/webp' ? webp : toBlob(canvas, 'image/jpeg', quality)
}

function toBlob(canvas: HTMLCanvasElement, type: string, quality: number): Promise<Blob | null> {
  return new Promise((resolve) => canvas.toBlob(resolve, type, quality))
}
