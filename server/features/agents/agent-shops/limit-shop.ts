import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import { brokenConstraint, transaction } from '../../../platform/db.ts'
import { AppError, Invalid, NotFound } from '../../../platform/errors.ts'
import { requireStaff } from '../../../platform/lock-actor.ts'
import { refuseOwnGain } from '../../people/second-factor/refuse-own-gain.ts'
import { lockShop, updateLimits, updateRefusedHost } from './agent-shops.sql.ts'

type Limits = { closed: string | null; maxMarkup: number | null; hostApproved: boolean }
export type ShopLimits = { [K in keyof Limits]?: Limits[K] | undefined } & {
  seenHost?: string | undefined
  refuseHost?: string | undefined
}

/**
 * Closes one agent's shop or opens it again, limits its prices, approves or refuses its host name; what is left out stays. Orders that
 * were bought before go on.
 * @throws NotFound, OwnGain; Invalid for an approval that names no host name; 409 CONFLICT when the one to approve or refuse is not the shop's any more.
 */
export async function limitShop(ctx: Ctx, id: string, { refuseHost, seenHost, ...limits }: ShopLimits): Promise<void> {
  await transaction(ctx.db, async (tx) => {
    const actor = await requireStaff(tx, ctx, 'owner')
    const shop = await lockShop(tx, { id })
    if (!shop) throw new NotFound('shop')
    await refuseOwnGain(tx, ctx, 'owner', { shops: [id] })
    if (limits.hostApproved) refuseUnseen(shop.host, seenHost)
    const before = { closed: shop.closedReason, maxMarkup: shop.maxMarkup, hostApproved: shop.hostApprovedAt !== null }
    const given = Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined)) as Partial<Limits>
    const after = { ...before, ...given }
    await updateLimits(tx, id, { ...after, closedReason: after.closed }, { id: actor.id, now: ctx.now })
    if (refuseHost !== undefined) {
      refuseUnseen(shop.host, refuseHost)
      await updateRefusedHost(tx, id)
    }
    const names = Object.keys(given) as (keyof Limits)[]
    await recordAdminAction(tx, ctx, {
      action: 'agent-shop.limit',
      subject: { type: 'agent-shop', id: shop.slug },
      before: { ...Object.fromEntries(names.map((name) => [name, before[name]])), ...(refuseHost !== undefined && { host: refuseHost }) },
      after: { ...Object.fromEntries(names.map((name) => [name, after[name]])), ...(refuseHost !== undefined && { host: null }) },
    })
  }).catch((error: unknown) => {
    if (brokenConstraint(error) !== 'agent_shops_approved_host') throw error
    throw new AppError('CONFLICT', 'You have approved that host name for another shop. Take it from that one first.')
  })
}

/** Its agent may change it at any moment, also while the owner reads another. */
function refuseUnseen(host: string | null, seen: string | undefined) {
  if (seen === undefined) throw new Invalid([{ path: 'seenHost', message: 'Say which host name you approve.' }])
  if (host !== seen) throw new AppError('CONFLICT', 'The shop has another address by now. Please look again.')
}
