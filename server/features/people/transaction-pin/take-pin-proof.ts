import type { Tx } from '../../../platform/db.ts'
import { PinRequired } from '../../../platform/errors.ts'
import { hashToken } from '../../../platform/hash-token.ts'
import { takeProof } from './transaction-pin.sql.ts'

/**
 * Uses up the proof of a user's PIN; without one, does nothing for who is not asked. For what leads to spending from the wallet other than a
 * purchase, whose database functions do the same.
 * @throws PinRequired
 */
export async function takePinProof(tx: Tx, userId: string, proof: string | undefined, now: Date): Promise<void> {
  if (!(await takeProof(tx, userId, proof === undefined ? null : hashToken(proof), now))) throw new PinRequired()
}
