import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'

/** The first byte of what a vault seals; then the key's id, the nonce, the tag and the text. */
const VERSION = 3
const ID_BYTES = 4
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Encrypts what is as good as money (AES-256-GCM). The key is not in the database, so a copy of that alone opens nothing. */
export type Vault = {
  seal(text: string): Buffer
  /** @throws Error when it was sealed under another key, or changed since. */
  open(sealed: Buffer): string
  /** Whether it is sealed under today's key, not under the one before. */
  isCurrent(sealed: Buffer): boolean
}

/** `previousKey` still opens what it sealed, while everything is being sealed anew. */
export function openVault({ key, previousKey = null }: { key: string; previousKey?: string | null }): Vault {
  const current = derive(key)
  const keys = previousKey === null ? [current] : [current, derive(previousKey)]
  const idOf = (sealed: Buffer) => sealed.subarray(1, 1 + ID_BYTES)
  return {
    seal(text) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', current.secret, nonce)
      const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([Buffer.of(VERSION), current.id, nonce, cipher.getAuthTag(), encrypted])
    },
    open(sealed) {
      const found = sealed[0] === VERSION ? keys.find(({ id }) => id.equals(idOf(sealed))) : undefined
      if (!found) throw new Error('It was sealed under another key.')
      const rest = sealed.subarray(1 + ID_BYTES)
      const decipher = createDecipheriv('aes-256-gcm', found.secret, rest.subarray(0, NONCE_BYTES))
      decipher.setAuthTag(rest.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
      return Buffer.concat([decipher.update(rest.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString()
    },
    isCurrent: (sealed) => idOf(sealed).equals(current.id),
  }
}

function derive(key: string): { id: Buffer; secret: Buffer } {
  const secret = Buffer.from(hkdfSync('sha256', key, '', 'dwadi vault', 32))
  return { secret, id: createHash('sha256').update(secret).update('id').digest().subarray(0, ID_BYTES) }
}
