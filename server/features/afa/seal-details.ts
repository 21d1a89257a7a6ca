import { createHmac } from 'node:crypto'
import type { AfaDetails } from '../../../shared/afa-rules.ts'
import { sealSecret } from '../../platform/seal-secret.ts'

/** The details as the database keeps them, and the keyed hash by which a card is recognised: all numbers there can be would soon be tried. */
export function sealDetails(details: AfaDetails, secretsKey: string | null): { details: Buffer; cardHash: Buffer } {
  const cardHash = createHmac('sha256', secretsKey ?? 'a shop without a key')
    .update(`ghana card ${details.ghanaCard}`)
    .digest()
  return { details: sealSecret(JSON.stringify(details), secretsKey), cardHash }
}
