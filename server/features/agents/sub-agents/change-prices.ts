import { formatPesewas, toPesewas } from '../../../../shared/money.ts'
import type { SubAgentPriceRequest } from '../../../../shared/sub-agents.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { Invalid } from '../../../platform/errors.ts'
import { lockAgentShop } from './lock-agent-shop.sql.ts'
import { type SubAgentOfferRow, selectSubAgentOffers, updatePrices } from './sub-agents.sql.ts'

/**
 * Changes what the caller's sub-agents pay: all of it, or nothing when one price is out of its bounds. Each sale checks the bounds again.
 * @throws Forbidden, NotFound; Invalid naming each price too close to the agent's cost or to the owner's limit.
 */
export async function changePrices(ctx: Ctx, { prices }: SubAgentPriceRequest): Promise<void> {
  await transaction(ctx.db, async (tx) => {
    const shop = await lockAgentShop(tx, ctx)
    const offers = new Map((await selectSubAgentOffers(tx, shop.id)).map((row) => [`${row.productId} ${row.offer}`, row]))
    const wanted = prices.map(({ price, ...line }) => ({ ...line, pricePesewas: price === null ? null : toPesewas(price) }))
    const issues = wanted.flatMap(({ productId, offer, pricePesewas }, index) => {
      const message = findProblem(offers.get(`${productId} ${offer}`), pricePesewas)
      return message === null ? [] : [{ path: `prices.${index}.price`, message }]
    })
    if (issues.length > 0) throw new Invalid(issues)
    await updatePrices(tx, shop.id, wanted, ctx.now)
  })
}

function findProblem(offer: SubAgentOfferRow | undefined, pricePesewas: number | null): string | null {
  if (!offer) return 'That package is not on sale any more.'
  if (pricePesewas === null) return null
  const { network, offer: name, lowestPesewas, highestPesewas } = offer
  if (pricePesewas < lowestPesewas) {
    return `${network} ${name} is too close to your cost. Sub-agents pay at least ¢${formatPesewas(lowestPesewas)}.`
  }
  if (pricePesewas <= highestPesewas) return null
  return `${network} ${name} leaves sub-agents nothing to earn. They pay at most ¢${formatPesewas(highestPesewas)}.`
}
