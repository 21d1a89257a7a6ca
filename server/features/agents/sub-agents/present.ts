import { toCedis } from '../../../../shared/money.ts'
import type { Invitation, SubAgentsReply } from '../../../../shared/sub-agents.ts'
import type { AgentShopRow, ShopRulesRow } from '../agent-shops/agent-shops.sql.ts'
import type { InvitationRow, SubAgentOfferRow, SubAgentRow } from './sub-agents.sql.ts'

type Facts = { shop: AgentShopRow; rules: ShopRulesRow; invitations: InvitationRow[]; subAgents: SubAgentRow[]; offers: SubAgentOfferRow[] }

export function presentSubAgents({ shop, rules, invitations, subAgents, offers }: Facts): SubAgentsReply {
  return {
    allowed: rules.enabled && rules.subAgents,
    selling: shop.subAgentsSell,
    most: rules.mostSubAgents,
    invitations: invitations.map(({ id, code, createdAt }) => ({ id, code, createdAt: createdAt.toISOString() })),
    subAgents: subAgents.map((row) => ({
      id: row.id,
      username: row.username,
      shop: row.slug === null || row.name === null ? null : { slug: row.slug, name: row.name, sells: row.sells },
      joinedAt: row.joinedAt.toISOString(),
      endedAt: row.endedAt?.toISOString() ?? null,
      orders: row.orders,
      earned: toCedis(row.earnedPesewas),
    })),
    offers: offers.map((row) => ({
      productId: row.productId,
      network: row.network,
      offer: row.offer,
      cost: toCedis(row.costPesewas),
      lowest: toCedis(row.lowestPesewas),
      highest: toCedis(row.highestPesewas),
      price: toCedis(row.pricePesewas),
      own: row.own,
      state: stateOf(row),
    })),
  }
}

/** A price that leaves a sub-agent less than the least profit cannot be sold either. */
function stateOf({ state, pricePesewas, lowestPesewas, highestPesewas }: SubAgentOfferRow): SubAgentsReply['offers'][number]['state'] {
  if (state === 'not-available') return 'not-available'
  return pricePesewas < lowestPesewas || pricePesewas > highestPesewas ? 'below-cost' : 'on-sale'
}

export function presentInvitation(facts: {
  username: string
  shop: string
  offers: SubAgentOfferRow[]
  refusal: string | null
}): Invitation {
  return {
    agent: { username: facts.username, shop: facts.shop },
    offers: facts.offers
      .filter((row) => stateOf(row) === 'on-sale')
      .map(({ network, offer, pricePesewas, ceilingPesewas }) => {
        return { network, offer, cost: toCedis(pricePesewas), highest: toCedis(ceilingPesewas) }
      }),
    refusal: facts.refusal,
  }
}
