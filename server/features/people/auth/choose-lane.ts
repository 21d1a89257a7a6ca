import { networkKey } from '../../../platform/address-key.ts'
import type { Ctx } from '../../../platform/context.ts'
import type { Lane } from '../../../platform/fair-turns.ts'
import { selectIsKnown } from '../users/known-users.sql.ts'

/**
 * Where a user's password or PIN waits to be checked: apart from everybody else's, or with strangers of the same network where the account
 * has neither bought nor confirmed anything. Anybody can make hundreds of those, and their lanes together would keep all others waiting.
 */
export async function chooseLane({ db, ip }: Pick<Ctx, 'db' | 'ip'>, userId: string): Promise<Lane> {
  const lane = (await selectIsKnown(db, userId)) ? `user ${userId}` : networkKey(ip ?? '')
  return { lane, account: userId }
}
