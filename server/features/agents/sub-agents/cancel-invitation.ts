import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { NotFound } from '../../../platform/errors.ts'
import { lockAgentShop } from './lock-agent-shop.sql.ts'
import { withdrawOpenInvitation } from './sub-agents.sql.ts'

/** @throws Forbidden; NotFound, also for a link that was used. */
export async function cancelInvitation(ctx: Ctx, id: string): Promise<void> {
  await transaction(ctx.db, async (tx) => {
    const shop = await lockAgentShop(tx, ctx)
    if (!(await withdrawOpenInvitation(tx, { shopId: shop.id, id, now: ctx.now }))) throw new NotFound('invitation')
  })
}
