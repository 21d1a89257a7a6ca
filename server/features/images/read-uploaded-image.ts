import { Invalid } from '../../platform/errors.ts'
import { type EncodedImage, encodeImage } from './encode-image.ts'

/**
 * Reads a picture from a data URI. Call it outside any transaction, since decoding is slow.
 * @throws Invalid
 */
export async function readUploadedImage(uri: string): Promise<EncodedImage> {
  try {
    return await encodeImage(Buffer.from(uri.slice(uri.indexOf(',') + 1), 'base64'))
  } catch {
    throw new Invalid([{ path: 'image', message: 'That file could not be read as a picture. Please upload another.' }])
  }
}
