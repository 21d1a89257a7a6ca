import { randomBytes } from 'node:crypto'
import { type ForwarderApp, MAX_FORWARDERS, type WalletNetwork } from '../../../../shared/forwarders.ts'
import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { AppError } from '../../../platform/errors.ts'
import { requirePassword, requireStaff } from '../../../platform/lock-actor.ts'
import { type SecretsKey, sealSecret } from '../../../platform/seal-secret.ts'
import { countForwarders, insertForwarder } from './forwarders.sql.ts'

type Wanted = { name: string; app: ForwarderApp; networks: readonly WalletNetwork[]; phone: string | null }

/**
 * Adds a phone that sends its messages on. Its key is shown to the owner once. Nothing is credited before they have confirmed a balance.
 * @throws PasswordNeeded; AppError (CONFLICT) at the most that a shop can have.
 */
export function createForwarder(ctx: Ctx, secretsKey: SecretsKey | null, wanted: Wanted): Promise<{ id: string; key: string }> {
  return transaction(ctx.db, async (tx) => {
    const owner = await requireStaff(tx, ctx, 'owner', { movesMoney: true })
    await requirePassword(tx, ctx)
    if ((await countForwarders(tx)) >= MAX_FORWARDERS) {
      throw new AppError('CONFLICT', `You can have at most ${MAX_FORWARDERS} phones. Remove one that you no longer use.`)
    }
    const key = newForwarderKey()
    const networks = [...new Set(wanted.networks)]
    const id = await insertForwarder(tx, { ...wanted, networks, key: sealSecret(key, secretsKey), by: owner.id, now: ctx.now })
    const { name, app } = wanted
    await recordAdminAction(tx, ctx, { action: 'forwarder.add', subject: { type: 'forwarder', id: name }, after: { app, networks } })
    return { id, key }
  })
}

/** 192 bits, in letters and digits that can be typed into an app. */
export function newForwarderKey(): string {
  return randomBytes(24).toString('hex')
}
