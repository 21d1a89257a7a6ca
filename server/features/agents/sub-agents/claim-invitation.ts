import type { UserLevel } from '../../../../shared/users.ts'
import type { Ctx } from '../../../platform/context.ts'
import { brokenConstraint, type Tx, transaction } from '../../../platform/db.ts'
import { AppError } from '../../../platform/errors.ts'
import { lockActor } from '../../../platform/lock-actor.ts'
import { type AgentShopRow, lockShop, type ShopRulesRow, selectShopRules } from '../agent-shops/agent-shops.sql.ts'
import { insertSubAgent, type Standing, selectOpenInvitation, selectStanding } from './sub-agents.sql.ts'

const ALREADY = 'You are a sub-agent already. Leave that agent first.'

export class InvitationEnded extends AppError {
  constructor() {
    super('NOT_FOUND', 'That link has ended. Ask the agent for a new one.')
  }
}

/**
 * Makes the caller the sub-agent whom a link is for. The link has ended then.
 * @throws 404 for a link that was used or withdrawn; 409 CONFLICT for whoever cannot be a sub-agent, or when there are enough.
 */
export async function claimInvitation(ctx: Ctx, code: string): Promise<void> {
  await transaction(ctx.db, async (tx) => {
    const actor = await lockActor(tx, ctx)
    await tx.query('select from agent_shop_rules for share')
    // The shop before the link, as its agent locks them.
    const shop = await lockShopOf(tx, code)
    const invitation = await selectOpenInvitation(tx, code, { locked: true })
    if (!shop || !invitation) throw new InvitationEnded()
    const rules = await selectShopRules(tx)
    const refusal = explainRefusal(actor.level, shop, rules, await selectStanding(tx, shop.id, actor.id))
    if (refusal !== null) throw new AppError('CONFLICT', refusal)
    await insertSubAgent(tx, { invitation, userId: actor.id, now: ctx.now })
  }).catch((error: unknown) => {
    throw brokenConstraint(error) === 'sub_agents_of_user' ? new AppError('CONFLICT', ALREADY) : error
  })
}

/** Why a user cannot become a sub-agent in a shop, as a sentence for them; null when they can. */
export function explainRefusal(level: UserLevel, shop: AgentShopRow, rules: ShopRulesRow, standing: Standing): string | null {
  if (level !== 'Customer') return 'You are an agent yourself, so you cannot be a sub-agent.'
  if (standing.isSubAgent) return ALREADY
  if (standing.hasShop) return 'You have a shop from before, so you cannot be a sub-agent here.'
  if (!rules.subAgents) return 'Agents take no sub-agents at the moment.'
  if (shop.closedBy !== null || standing.agentIsSubAgent) return 'This agent takes no sub-agents at the moment.'
  return standing.subAgents >= rules.mostSubAgents ? 'This agent has as many sub-agents as they can have.' : null
}

async function lockShopOf(tx: Tx, code: string): Promise<AgentShopRow | null> {
  const found = await selectOpenInvitation(tx, code)
  return found && (await lockShop(tx, { id: found.shopId }))
}
