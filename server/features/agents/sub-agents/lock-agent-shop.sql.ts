import type { Ctx } from '../../../platform/context.ts'
import type { Tx } from '../../../platform/db.ts'
import { Forbidden } from '../../../platform/errors.ts'
import { type AgentShopRow, selectAgentAbove } from '../agent-shops/agent-shops.sql.ts'
import { lockOwnShop } from '../agent-shops/change-shop.ts'

export const NOT_FOR_SUB_AGENTS = 'A sub-agent has no sub-agents.'

/**
 * The caller's shop, locked: sales of its sub-agents wait.
 * @throws NotFound without a shop; Forbidden to customers and sub-agents.
 */
export async function lockAgentShop(tx: Tx, ctx: Ctx): Promise<AgentShopRow> {
  const shop = await lockOwnShop(tx, ctx)
  if (await selectAgentAbove(tx, shop.ownerId)) throw new Forbidden(NOT_FOR_SUB_AGENTS)
  return shop
}
