import type { Network } from '../../../../shared/networks.ts'
import { hasRole } from '../../../../shared/staff-rules.ts'
import type { Actor, Ctx } from '../../../platform/context.ts'
import type { Tx } from '../../../platform/db.ts'
import { Invalid } from '../../../platform/errors.ts'
import { insertAgreedPrices, replaceAgreedPrices } from './agreed-prices.sql.ts'
import { findPricesToApprove } from './find-prices-to-approve.ts'
import type { NewProduct, ProductRow } from './products.sql.ts'

type Saved = { id: string | null; network: Network; packages: NewProduct['packages']; before: ProductRow | null }

/**
 * What an owner saves is agreed. Of somebody else, prices that take an owner are refused, and packages that no owner has agreed to are hidden:
 * `news` says which. Returns the packages to save.
 * @throws Invalid naming each price
 */
export async function refusePricesOfOthers(
  tx: Tx,
  ctx: Ctx,
  actor: Actor,
  { id, network, packages, before }: Saved,
): Promise<{ packages: NewProduct['packages']; news: string[] }> {
  if (hasRole(actor, 'owner')) {
    await replaceAgreedPrices(tx, named(network, packages), ctx.now)
    return { packages, news: [] }
  }
  const had = before?.network === network ? before.packages : []
  const lines = packages.map((line) => ({
    network,
    offer: line.offer,
    productId: id,
    before: had.find(({ offer }) => offer === line.offer) ?? null,
    after: { ...line, hidden: false },
  }))
  const found = await findPricesToApprove(tx, lines, { userId: actor.id, now: ctx.now })
  const refused = found.filter(({ isNew }) => !isNew)
  if (refused.length > 0) {
    const askOwner = 'An owner must agree: change it in the table of prices, which asks them.'
    throw new Invalid(
      refused.map(({ index, field, message }) => ({ path: `packages.${index}.${field}`, message: `${message} ${askOwner}` })),
    )
  }
  await keepPrices(tx, ctx, before)
  const news = new Set(found.map(({ index }) => packages[index]?.offer ?? ''))
  return { packages: packages.map((line) => ({ ...line, hidden: news.has(line.offer) })), news: [...news] }
}

/** What stood on sale before somebody else than an owner takes it away is what they are measured by afterwards. */
export async function keepPrices(tx: Tx, ctx: Ctx, before: ProductRow | null): Promise<void> {
  if (before === null) return
  const shown = before.packages.filter(({ hidden }) => !hidden)
  await insertAgreedPrices(tx, named(before.network, shown), ctx.now)
}

function named(network: Network, packages: NewProduct['packages']) {
  return packages.map(({ offer, priceCustomerPesewas, priceAgentPesewas }) => ({ network, offer, priceCustomerPesewas, priceAgentPesewas }))
}
