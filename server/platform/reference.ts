import { randomInt } from 'node:crypto'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const LENGTH = 20

/**
 * A reference that leaves the shop: 20 letters and digits from a cryptographic source (119 bits). Card providers and
 * data suppliers take no other characters, and at most 25 of them.
 */
export function makeReference(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
}
