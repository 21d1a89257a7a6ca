import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { NotFound } from '../../../platform/errors.ts'
import { requirePassword, requireStaff } from '../../../platform/lock-actor.ts'
import { type SecretsKey, sealSecret } from '../../../platform/seal-secret.ts'
import { newForwarderKey } from './create-forwarder.ts'
import { lockForwarder, updateKey } from './forwarders.sql.ts'

/** Long enough to type the new key into the phone; whoever lost the phone takes it away instead. */
const OVERLAP_MS = 3_600_000

/**
 * A new key for a phone. For an hour both work.
 * @throws NotFound, PasswordNeeded
 */
export function rotateKey(ctx: Ctx, secretsKey: SecretsKey | null, id: string): Promise<string> {
  return transaction(ctx.db, async (tx) => {
    await requireStaff(tx, ctx, 'owner', { movesMoney: true })
    const forwarder = await lockForwarder(tx, id)
    if (!forwarder) throw new NotFound('phone')
    await requirePassword(tx, ctx)
    const key = newForwarderKey()
    await updateKey(tx, id, { key: sealSecret(key, secretsKey), oldUntil: new Date(ctx.now.getTime() + OVERLAP_MS) })
    await recordAdminAction(tx, ctx, { action: 'forwarder.rotate', subject: { type: 'forwarder', id: forwarder.name } })
    return key
  })
}
