import { randomInt } from 'node:crypto'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { AppError } from '../../../platform/errors.ts'
import { selectShopRules } from '../agent-shops/agent-shops.sql.ts'
import { lockAgentShop } from './lock-agent-shop.sql.ts'
import { insertInvitation, selectStanding } from './sub-agents.sql.ts'

/** Without letters and digits that look alike; 24 of them cannot be guessed. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'
const LENGTH = 24

/**
 * Makes a link for one customer. Links and sub-agents together are no more than the owner's rules allow.
 * @throws Forbidden, NotFound; 409 CONFLICT while there are to be no sub-agents, the shop is closed, or there are enough.
 */
export async function createInvitation(ctx: Ctx): Promise<void> {
  await transaction(ctx.db, async (tx) => {
    const shop = await lockAgentShop(tx, ctx)
    const rules = await selectShopRules(tx)
    if (!rules.subAgents) throw new AppError('CONFLICT', 'Agents have no sub-agents at the moment.')
    if (shop.closedBy !== null) throw new AppError('CONFLICT', 'Your shop is closed. Open it before you invite anybody.')
    const { subAgents, invitations } = await selectStanding(tx, shop.id, shop.ownerId)
    if (subAgents + invitations >= rules.mostSubAgents) {
      throw new AppError(
        'CONFLICT',
        `You can have ${rules.mostSubAgents} sub-agents, with open links. Withdraw a link, or end somebody first.`,
      )
    }
    const code = Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
    await insertInvitation(tx, { shopId: shop.id, code, now: ctx.now })
  })
}
