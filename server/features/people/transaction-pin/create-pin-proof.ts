import { randomBytes } from 'node:crypto'
import type { Ctx } from '../../../platform/context.ts'
import { type Tx, transaction } from '../../../platform/db.ts'
import { hashToken } from '../../../platform/hash-token.ts'
import type { SecretsKey } from '../../../platform/seal-secret.ts'
import { checkPin, PinChangedMeanwhile } from './check-pin.ts'
import { insertProof } from './transaction-pin.sql.ts'

/** Long enough for a purchase over a poor connection. */
const VALID_MS = 2 * 60_000

/**
 * Checks a user's PIN and makes a proof of it, which `placeOrders` takes as `pinProof` and uses up. `lockOwner` begins the transaction that keeps
 * the proof: it makes sure that whoever asks may still do so.
 * @throws as `checkPin` does; and whatever `lockOwner` throws.
 */
export async function createPinProof(
  ctx: Pick<Ctx, 'db' | 'now' | 'ip'>,
  secretsKey: SecretsKey | null,
  { userId, pin, lockOwner }: { userId: string; pin: string; lockOwner: (tx: Tx) => Promise<unknown> },
): Promise<{ proof: string; expiresAt: Date }> {
  const checked = await checkPin(ctx, secretsKey, { userId, pin })
  const proof = randomBytes(32).toString('base64url')
  const expiresAt = new Date(ctx.now.getTime() + VALID_MS)
  await transaction(ctx.db, async (tx) => {
    await lockOwner(tx)
    if (!(await insertProof(tx, { userId, pin: checked, hash: hashToken(proof), now: ctx.now, expiresAt }))) throw new PinChangedMeanwhile()
  })
  return { proof, expiresAt }
}
