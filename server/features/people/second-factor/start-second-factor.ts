import { Secret } from 'otpauth'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { AppError } from '../../../platform/errors.ts'
import { requirePassword, requireStaff } from '../../../platform/lock-actor.ts'
import { type SecretsKey, sealSecret } from '../../../platform/seal-secret.ts'
import { appOf } from './check-code.ts'
import { selectSecondFactor, upsertSecret } from './second-factor.sql.ts'

/** As RFC 4226 recommends for SHA-1. */
const SECRET_BYTES = 20

/**
 * A new secret for an authenticator app, which counts once it is confirmed with a first code. Asking again replaces it.
 * @throws PasswordNeeded, Forbidden for customers, 409 when a code is already on.
 */
export async function startSecondFactor(
  ctx: Ctx,
  { secretsKey, shopName }: { secretsKey: SecretsKey | null; shopName: string },
): Promise<{ secret: string; uri: string }> {
  return transaction(ctx.db, async (tx) => {
    const actor = await requireStaff(tx, ctx, 'staff')
    await requirePassword(tx, ctx)
    if ((await selectSecondFactor(tx, actor.id))?.confirmedAt) {
      throw new AppError('CONFLICT', 'Your code is already on. Switch it off first if you have a new phone.')
    }
    const { base32: secret } = new Secret({ size: SECRET_BYTES })
    await upsertSecret(tx, { userId: actor.id, secret: sealSecret(secret, secretsKey), now: ctx.now })
    return { secret, uri: appOf(secret, { shop: shopName, label: actor.username }).toString() }
  })
}
