import { createHash } from 'node:crypto'

/** Tokens are 256 random bits, so that a plain hash of one is safe to keep. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
