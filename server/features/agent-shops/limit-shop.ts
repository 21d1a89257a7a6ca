import { recordAdminAction } from '../../platform/audit.ts'
import type { Ctx } from '../../platform/context.ts'
import { transaction } from '../../platform/db.ts'
import { NotFound } from '../../platform/errors.ts'
import { requireStaff } from '../../platform/lock-actor.ts'
import { lockShop, updateLimits } from './agent-shops.sql.ts'

export type ShopLimits = { closed?: string | null | undefined; maxMarkup?: number | null | undefined; hostApproved?: boolean | undefined }

/**
 * Closes one agent's shop or opens it again, limits its prices, approves its host name; what is left out stays. Orders that were bought
 * before go on.
 * @throws NotFound
 */
export async function limitShop(ctx: Ctx, id: string, limits: ShopLimits): Promise<void> {
  await transaction(ctx.db, async (tx) => {
    const actor = await requireStaff(tx, ctx, 'owner')
    const shop = await lockShop(tx, { id })
    if (!shop) throw new NotFound('shop')
    const before = { closed: shop.closedReason, maxMarkup: shop.maxMarkup, hostApproved: shop.hostApprovedAt !== null }
    const given = Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined)) as Partial<typeof before>
    const after = { ...before, ...given }
    await updateLimits(tx, id, { ...after, closedReason: after.closed }, { id: actor.id, now: ctx.now })
    const names = Object.keys(given) as (keyof typeof before)[]
    await recordAdminAction(tx, ctx, {
      action: 'agent-shop.limit',
      subject: { type: 'agent-shop', id: shop.slug },
      before: Object.fromEntries(names.map((name) => [name, before[name]])),
      after: Object.fromEntries(names.map((name) => [name, after[name]])),
    })
  })
}
