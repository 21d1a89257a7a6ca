import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

const PLAIN = 0
const ENCRYPTED = 1
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Encrypts what the database keeps, if the shop has a key (`SECRETS_KEY`); otherwise it is kept as it is. */
export function sealSecret(secret: string, key: string | null): Buffer {
  if (key === null) return Buffer.concat([Buffer.of(PLAIN), Buffer.from(secret)])
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', keyOf(key), nonce)
  const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
  return Buffer.concat([Buffer.of(ENCRYPTED), nonce, cipher.getAuthTag(), text])
}

/** @throws Error when it was encrypted with another key, or there is no key. */
export function openSecret(sealed: Buffer, key: string | null): string {
  if (sealed[0] === PLAIN) return sealed.subarray(1).toString()
  if (key === null) throw new Error('A secret is encrypted, but SECRETS_KEY is not set.')
  const [nonce, rest] = [sealed.subarray(1, 1 + NONCE_BYTES), sealed.subarray(1 + NONCE_BYTES)]
  const decipher = createDecipheriv('aes-256-gcm', keyOf(key), nonce)
  decipher.setAuthTag(rest.subarray(0, TAG_BYTES))
  return Buffer.concat([decipher.update(rest.subarray(TAG_BYTES)), decipher.final()]).toString()
}

function keyOf(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}
