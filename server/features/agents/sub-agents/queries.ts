import type { Invitation, SubAgentsReply } from '../../../../shared/sub-agents.ts'
import { type Ctx, requireActor } from '../../../platform/context.ts'
import { Forbidden, NotFound } from '../../../platform/errors.ts'
import { selectUser } from '../../people/users/users.sql.ts'
import { selectAgentAbove, selectShop, selectShopRules } from '../agent-shops/agent-shops.sql.ts'
import { readShopOfAgent } from '../agent-shops/queries.ts'
import { explainRefusal, InvitationEnded } from './claim-invitation.ts'
import { NOT_FOR_SUB_AGENTS } from './lock-agent-shop.sql.ts'
import { presentInvitation, presentSubAgents } from './present.ts'
import { selectInvitations, selectOpenInvitation, selectStanding, selectSubAgentOffers, selectSubAgents } from './sub-agents.sql.ts'

/** @throws Forbidden to customers and sub-agents, NotFound without a shop. */
export async function readSubAgents(ctx: Ctx): Promise<SubAgentsReply> {
  const shop = await readShopOfAgent(ctx)
  if (!shop) throw new NotFound('shop')
  const [above, rules, invitations, subAgents, offers] = await Promise.all([
    selectAgentAbove(ctx.db, shop.ownerId),
    selectShopRules(ctx.db),
    selectInvitations(ctx.db, shop.id),
    selectSubAgents(ctx.db, shop.id),
    selectSubAgentOffers(ctx.db, shop.id),
  ])
  if (above) throw new Forbidden(NOT_FOR_SUB_AGENTS)
  return presentSubAgents({ shop, rules, invitations, subAgents, offers })
}

/** @throws 404 for a link that was used or withdrawn. */
export async function readInvitation(ctx: Ctx, code: string): Promise<Invitation> {
  const { id, level } = requireActor(ctx)
  const invitation = await selectOpenInvitation(ctx.db, code)
  const shop = invitation && (await selectShop(ctx.db, invitation.shopId))
  if (!shop) throw new InvitationEnded()
  const [agent, rules, standing, offers] = await Promise.all([
    selectUser(ctx.db, shop.ownerId),
    selectShopRules(ctx.db),
    selectStanding(ctx.db, shop.id, id),
    selectSubAgentOffers(ctx.db, shop.id),
  ])
  return presentInvitation({
    username: agent?.username ?? '',
    shop: shop.name,
    offers,
    refusal: explainRefusal(level, shop, rules, standing),
  })
}
