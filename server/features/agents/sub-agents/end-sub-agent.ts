import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { AppError, NotFound } from '../../../platform/errors.ts'
import { lockActor } from '../../../platform/lock-actor.ts'
import { lockAgentShop } from './lock-agent-shop.sql.ts'
import { endSubAgentOf, lockSubAgent, updateEnded } from './sub-agents.sql.ts'

/**
 * Ends one of the caller's sub-agents: their shop sells nothing from then on. Orders that were bought are delivered, and their profit
 * goes to who earned it.
 * @throws Forbidden, NotFound; 409 CONFLICT for one that has ended.
 */
export async function endSubAgent(ctx: Ctx, id: string): Promise<void> {
  await transaction(ctx.db, async (tx) => {
    const shop = await lockAgentShop(tx, ctx)
    const subAgent = await lockSubAgent(tx, shop.id, id)
    if (!subAgent) throw new NotFound('sub-agent')
    if (subAgent.endedAt !== null) throw new AppError('CONFLICT', 'That sub-agent has ended already.')
    await updateEnded(tx, id, { by: shop.ownerId, now: ctx.now })
  })
}

/**
 * The caller is nobody's sub-agent from then on.
 * @throws NotFound for whoever is none.
 */
export async function endOwn(ctx: Ctx): Promise<void> {
  await transaction(ctx.db, async (tx) => {
    const { id } = await lockActor(tx, ctx)
    if (!(await endSubAgentOf(tx, id, ctx.now))) throw new NotFound('agent')
  })
}
