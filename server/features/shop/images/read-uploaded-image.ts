import { Invalid } from '../../../platform/errors.ts'
import { openFairTurns, runInTurn } from '../../../platform/fair-turns.ts'
import { type EncodedImage, encodeImage } from './encode-image.ts'

/**
 * Pictures of clients are decoded one at a time: some take a second of one of Node's four threads, on which passwords are checked and
 * connections to the database begin as well.
 */
const turns = openFairTurns({ atOnce: 1, perLane: 50, inAll: 50 })

/**
 * Reads a picture from a data URI. Call it outside any transaction, since decoding is slow.
 * @throws Invalid for what is no picture; TooManyAttempts when fifty wait already.
 */
export function readUploadedImage(uri: string, encode: (source: Buffer) => Promise<EncodedImage> = encodeImage): Promise<EncodedImage> {
  const source = Buffer.from(uri.slice(uri.indexOf(',') + 1), 'base64')
  return runInTurn(turns, { lane: 'pictures' }, () =>
    encode(source).catch(() => {
      throw new Invalid([{ path: 'image', message: 'That file could not be read as a picture. Please upload another.' }])
    }),
  )
}
