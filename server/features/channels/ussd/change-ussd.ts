import { randomBytes } from 'node:crypto'
import type { UssdSettings } from '../../../../shared/ussd.ts'
import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { hashToken } from '../../../platform/hash-token.ts'
import { requireStaff } from '../../../platform/lock-actor.ts'
import { presentUssd } from './present.ts'
import { selectUssd, updateSecret, updateUssd } from './ussd.sql.ts'

type Change = { [K in 'gateway' | 'addresses' | 'mostCharacters']?: UssdSettings[K] | undefined }

/** Changes how the gateway reaches the shop; what is not given stays. */
export async function changeUssd(ctx: Ctx, change: Change): Promise<UssdSettings> {
  return transaction(ctx.db, async (tx) => {
    await requireStaff(tx, ctx, 'owner')
    const row = await selectUssd(tx, 'for update')
    const { gateway = row.gateway, addresses = row.addresses, mostCharacters = row.mostCharacters } = change
    const after = { gateway, addresses, mostCharacters }
    await updateUssd(tx, after)
    const before = { gateway: row.gateway, addresses: row.addresses, mostCharacters: row.mostCharacters }
    await recordAdminAction(tx, ctx, { action: 'ussd.change', subject: { type: 'settings', id: 'ussd' }, before, after })
    return presentUssd({ ...row, ...after })
  })
}

/** Makes a new secret for the gateway's address, which is kept as a hash. The one before ends at once. */
export async function createUssdSecret(ctx: Ctx): Promise<string> {
  const secret = randomBytes(24).toString('base64url')
  await transaction(ctx.db, async (tx) => {
    await requireStaff(tx, ctx, 'owner')
    await updateSecret(tx, hashToken(secret))
    await recordAdminAction(tx, ctx, { action: 'ussd.address', subject: { type: 'settings', id: 'ussd' } })
  })
  return secret
}
