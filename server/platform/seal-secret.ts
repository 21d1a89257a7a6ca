import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto'

const PLAIN = 0
const ENCRYPTED = 1
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** `previous` still opens what it sealed, while everything is being sealed anew. */
export type SecretsKey = string | { current: string; previous: string }

/** It was sealed under a key that the shop does not have. */
export class SecretClosed extends Error {
  override name = 'SecretClosed'
  constructor() {
    super('A secret is encrypted with another SECRETS_KEY. Give that one, here or in SECRETS_PREVIOUS_KEY.')
  }
}

/** Encrypts what the database keeps, if the shop has a key (`SECRETS_KEY`); otherwise it is kept as it is. */
export function sealSecret(secret: string, key: SecretsKey | null): Buffer {
  if (key === null) return Buffer.concat([Buffer.of(PLAIN), Buffer.from(secret)])
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', cipherKey(currentOf(key)), nonce)
  const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
  return Buffer.concat([Buffer.of(ENCRYPTED), nonce, cipher.getAuthTag(), text])
}

/** @throws SecretClosed when it was encrypted with another key, or there is no key. */
export function openSecret(sealed: Buffer, key: SecretsKey | null): string {
  if (sealed[0] === PLAIN) return sealed.subarray(1).toString()
  const keys = key === null ? [] : typeof key === 'string' ? [key] : [key.current, key.previous]
  for (const one of keys) {
    const text = openWith(sealed, one)
    if (text !== null) return text
  }
  throw new SecretClosed()
}

/** Whether it is encrypted, but not under today's key. */
export function isSealedBefore(sealed: Buffer, key: SecretsKey): boolean {
  return sealed[0] === ENCRYPTED && openWith(sealed, currentOf(key)) === null
}

/** By which a value is recognised that nobody may read; of today's key. */
export function hashWithKey(text: string, key: SecretsKey | null): Buffer {
  return createHmac('sha256', key === null ? 'a shop without a key' : currentOf(key))
    .update(text)
    .digest()
}

function openWith(sealed: Buffer, key: string): string | null {
  const [nonce, rest] = [sealed.subarray(1, 1 + NONCE_BYTES), sealed.subarray(1 + NONCE_BYTES)]
  try {
    const decipher = createDecipheriv('aes-256-gcm', cipherKey(key), nonce)
    decipher.setAuthTag(rest.subarray(0, TAG_BYTES))
    return Buffer.concat([decipher.update(rest.subarray(TAG_BYTES)), decipher.final()]).toString()
  } catch {
    return null
  }
}

function currentOf(key: SecretsKey): string {
  return typeof key === 'string' ? key : key.current
}

function cipherKey(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}
