import type { ShopLook } from '../../../../shared/agent-shops.ts'
import type { Ctx } from '../../../platform/context.ts'
import { brokenConstraint, transaction } from '../../../platform/db.ts'
import { AppError, Forbidden, Taken } from '../../../platform/errors.ts'
import { lockActor } from '../../../platform/lock-actor.ts'
import { insertShop, selectAgentAbove, selectShopOf, selectShopRules } from './agent-shops.sql.ts'
import { refuseCustomer } from './refuse-customer.ts'
import { refuseLeads, refuseNearName, refuseOurName } from './refuse-our-name.ts'

/**
 * Opens the caller's shop, with an empty wallet for what it earns. Each agent has one; its link never changes. `house`: our own shop's name.
 * @throws Forbidden for whoever is no agent, Taken for a link that another shop has, or a name like the house's or another shop's; 409 when there is one or no shops may be opened.
 */
export async function openShop(ctx: Ctx, wanted: ShopLook & { slug: string }, house: string): Promise<void> {
  refuseOurName('name', wanted.name, house)
  refuseOurName('slug', wanted.slug, house)
  refuseLeads(wanted.about)
  await transaction(ctx.db, async (tx) => {
    const actor = await lockActor(tx, ctx)
    await refuseCustomer(tx, actor)
    if (await selectShopOf(tx, actor.id)) throw new AppError('CONFLICT', 'You have a shop already.')
    const rules = await selectShopRules(tx)
    const above = await selectAgentAbove(tx, actor.id)
    if (!above && actor.level === 'Customer') throw new Forbidden('Only agents have a shop. Become an agent first.')
    if (!rules.enabled || !(above ? rules.subAgents : rules.newShops))
      throw new AppError('CONFLICT', 'New shops cannot be opened at the moment.')
    await refuseNearName(tx, wanted.name, null)
    await insertShop(tx, { ...wanted, ownerId: actor.id, now: ctx.now })
  }).catch((error: unknown) => {
    switch (brokenConstraint(error)) {
      case 'agent_shops_slug_key':
        throw new Taken('slug', 'That link is not free. Please choose another.')
      case 'agent_shops_owner_id_key':
        throw new AppError('CONFLICT', 'You have a shop already.')
      default:
        throw error
    }
  })
}
