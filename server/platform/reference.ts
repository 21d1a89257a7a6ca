import { randomInt } from 'node:crypto'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const LENGTH = 20

/**
 * A reference for outside services: 20 cryptographically random letters and digits (119 bits). Card providers and data
 * suppliers accept no other characters, and at most 25.
 */
export function makeReference(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
}
