import type { ShopPriceRequest } from '../../../../shared/agent-shops.ts'
import { formatPesewas, toPesewas } from '../../../../shared/money.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { Invalid } from '../../../platform/errors.ts'
import { type ShopOfferRow, selectShopOffers, updateShopPrices } from './agent-shops.sql.ts'
import { lockOwnShop } from './change-shop.ts'

/**
 * Changes prices of the caller's shop: all of them, or none when one is out of its bounds. Each sale checks the bounds again, since the
 * house's prices move.
 * @throws Forbidden, NotFound; Invalid naming each price below the agent's cost or above the owner's limit.
 */
export async function changeShopPrices(ctx: Ctx, { prices }: ShopPriceRequest): Promise<void> {
  await transaction(ctx.db, async (tx) => {
    const shop = await lockOwnShop(tx, ctx)
    const offers = new Map((await selectShopOffers(tx, shop.id)).map((row) => [`${row.productId} ${row.offer}`, row]))
    const wanted = prices.map(({ price, ...line }) => ({ ...line, pricePesewas: price === null ? null : toPesewas(price) }))
    const issues = wanted.flatMap(({ productId, offer, pricePesewas }, index) => {
      const message = findProblem(offers.get(`${productId} ${offer}`), pricePesewas)
      return message === null ? [] : [{ path: `prices.${index}.price`, message }]
    })
    if (issues.length > 0) throw new Invalid(issues)
    await updateShopPrices(tx, shop.id, wanted, ctx.now)
  })
}

function findProblem(offer: ShopOfferRow | undefined, pricePesewas: number | null): string | null {
  if (!offer) return 'That package is not on sale any more.'
  if (pricePesewas === null) return null
  const { network, offer: name, costPesewas, floorPesewas, ceilingPesewas } = offer
  if (pricePesewas < floorPesewas) {
    const lowest = `Lowest is ¢${formatPesewas(floorPesewas)}.`
    const below = pricePesewas < costPesewas ? `below your cost of ¢${formatPesewas(costPesewas)}` : 'too close to your cost'
    return `${network} ${name} is ${below}. ${lowest}`
  }
  return pricePesewas > ceilingPesewas ? `${network} ${name} sells for at most ¢${formatPesewas(ceilingPesewas)}.` : null
}
