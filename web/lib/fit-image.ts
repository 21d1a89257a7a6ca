/** The longest sides to try, in pixels; the store shows a picture at no more than about 700. */
const SIDES = [1280, 960, 720, 540, 400]
const QUALITIES = [0.85, 0.7, 0.55]
const MAX_FILE_BYTES = 40 * 1024 * 1024

/** As the server takes them. */
export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/avif']

/** A picture ready to be sent, as a data URI, and the sentence about what was made of it. */
export type FittedImage = { uri: string; news: string | null }

/** A chosen picture in at most `maxBytes`, made smaller here if it has more; null when that cannot be done, as with a file that is no picture. */
export async function fitImage(file: File, maxBytes: number): Promise<FittedImage | null> {
  const fits = file.size <= maxBytes && IMAGE_TYPES.includes(file.type)
  const small = fits ? file : await shrink(file, maxBytes)
  if (!small) return null
  const news = small.size < file.size ? `Made smaller: ${kilobytes(file.size)} to ${kilobytes(small.size)}` : null
  return { uri: await readAsDataUri(small), news }
}

async function shrink(file: Blob, maxBytes: number): Promise<Blob | null> {
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

/** In the kilobytes of 1,024 bytes in which the limit is said. */
function kilobytes(bytes: number): string {
  return `${Math.ceil(bytes / 1024)} KB`
}

function readAsDataUri(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(String(reader.result)))
    reader.addEventListener('error', () => reject(reader.error))
    reader.readAsDataURL(file)
  })
}
