import type { AfaDetails } from '../../../../shared/afa-rules.ts'
import { AppError } from '../../../platform/errors.ts'
import { hashWithKey, type SecretsKey, sealSecret } from '../../../platform/seal-secret.ts'

/** `mustEncrypt`: a live shop keeps no details that whoever reads its database or a backup could read. */
export type SealRules = { secretsKey: SecretsKey | null; mustEncrypt: boolean }

/**
 * The details as the database keeps them, and the keyed hash by which a card is recognised: all numbers there can be would soon be tried.
 * @throws AppError (CONFLICT) in a live shop without a key.
 */
export function sealDetails(details: AfaDetails, { secretsKey, mustEncrypt }: SealRules): { details: Buffer; cardHash: Buffer } {
  if (secretsKey === null && mustEncrypt) throw new AppError('CONFLICT', 'We can’t take these details at the moment. Please call us.')
  const cardHash = hashWithKey(`ghana card ${details.ghanaCard}`, secretsKey)
  return { details: sealSecret(JSON.stringify(details), secretsKey), cardHash }
}
