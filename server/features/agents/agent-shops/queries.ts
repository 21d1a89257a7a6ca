import type { GuestPurchase, ShopFace } from '../../../../shared/agent-shops.ts'
import type { CardGateway } from '../../../integrations/payments/card-gateway.ts'
import { type Ctx, requireActor } from '../../../platform/context.ts'
import type { Db } from '../../../platform/db.ts'
import { NotFound } from '../../../platform/errors.ts'
import { checkPayment } from '../../card/payments/check-payment.ts'
import { selectAccessCode, selectPayment } from '../../card/payments/payments.sql.ts'
import { progressOf } from '../../card/payments/present.ts'
import { selectOrdersOfPayment } from '../../orders/orders/orders.sql.ts'
import { seemsSomebodyElses } from '../../people/users/refuse-reserved-name.ts'
import {
  type AgentShopRow,
  selectAgentAbove,
  selectListedShops,
  selectOffersUnder,
  selectShop,
  selectShopBySlug,
  selectShopNames,
  selectShopOf,
  selectShopOffers,
  selectShopOfOrder,
  selectShopRules,
  selectSoldSince,
  sumRefunds,
} from './agent-shops.sql.ts'
import { composeShopPicture } from './compose-shop-picture.ts'
import { type OwnShopFacts, presentFace, presentGuestPurchase, presentShop } from './present.ts'
import { refuseCustomer } from './refuse-customer.ts'

const WEEK_MS = 7 * 24 * 3_600_000

/**
 * A shop for its page, whose canonical address is its own host name once that is approved; null when there is none. `house` is the
 * origin of the house.
 */
export async function readShopPage(db: Db, { slug, house, ownHost }: { slug: string; house: string; ownHost: boolean }) {
  const shop = await selectShopBySlug(db, slug)
  if (!shop) return null
  const offers = shop.closedBy === null ? await selectShopOffers(db, shop.id) : []
  const isOwn = shop.host !== null && shop.hostApprovedAt !== null
  const own = `${new URL(house).protocol}//${shop.host}`
  const canonical = isOwn ? `${own}/` : `${house}/s/${slug}`
  const shown = presentShop(shop, offers)
  const picture = `/images/shop-${slug}.png?v=${composeShopPicture(shown, canonical).hash}`
  return { shop: shown, canonical, origin: isOwn && ownHost ? own : house, ownHost, picture }
}

/** The shop over whose name an order's link opens; null for the house's orders, and for none. */
export async function readFaceOfOrder(db: Db, reference: string): Promise<ShopFace | null> {
  const shop = await selectShopOfOrder(db, reference)
  return shop && presentFace(shop)
}

/** A page of shops for staff; with `likeOurs`, the house's name, only those whose name or link could be taken for it. */
export async function readListedShops(
  db: Db,
  { likeOurs, ...wanted }: Omit<Parameters<typeof selectListedShops>[1], 'ids'> & { likeOurs: string | null },
) {
  const names = likeOurs === null ? null : await selectShopNames(db)
  const ids =
    names?.filter(({ name, slug }) => [name, slug].some((one) => seemsSomebodyElses(one, likeOurs ?? ''))).map(({ id }) => id) ?? null
  return selectListedShops(db, { ...wanted, ids })
}

/** @throws NotFound */
export async function readShop(ctx: Ctx, slug: string) {
  const shop = await selectShopBySlug(ctx.db, slug)
  if (!shop) throw new NotFound('shop')
  return { shop, offers: shop.closedBy === null ? await selectShopOffers(ctx.db, shop.id) : [] }
}

/**
 * The shop of the agent who asks, or null.
 * @throws Forbidden to customers.
 */
export async function readShopOfAgent(ctx: Ctx): Promise<AgentShopRow | null> {
  const actor = requireActor(ctx)
  await refuseCustomer(ctx.db, actor)
  return await selectShopOf(ctx.db, actor.id)
}

/** @throws Forbidden for whoever is no agent. */
export async function readOwnShop(ctx: Ctx): Promise<OwnShopFacts> {
  const shop = await readShopOfAgent(ctx)
  const above = await selectAgentAbove(ctx.db, requireActor(ctx).id)
  const [rules, offers, sold] = await Promise.all([
    selectShopRules(ctx.db),
    above && !shop ? selectOffersUnder(ctx.db, above.shopId) : selectShopOffers(ctx.db, shop?.id ?? null),
    shop ? selectSoldSince(ctx.db, shop.id, new Date(ctx.now.getTime() - WEEK_MS)) : [],
  ])
  return { shop, mayOpen: rules.enabled && (above ? rules.subAgents : rules.newShops), above, offers, sold }
}

/**
 * What has become of a guest's payment; queries the card provider if it is still open.
 * @throws NotFound, also for a payment of somebody with an account.
 */
export async function readGuestPurchase(ctx: Ctx, gateway: CardGateway, reference: string): Promise<GuestPurchase> {
  const known = await selectPayment(ctx.db, reference)
  if (!known || known.shopId === null || known.guestPhone === null) throw new NotFound('payment')
  const payment = await checkPayment(ctx, gateway, reference)
  const mayGoOn = payment.status === 'open' && progressOf(payment) !== 'under-way'
  const [orders, refunds, shop, accessCode] = await Promise.all([
    payment.status === 'paid' ? selectOrdersOfPayment(ctx.db, reference) : [],
    sumRefunds(ctx.db, reference),
    selectShop(ctx.db, known.shopId),
    mayGoOn ? selectAccessCode(ctx.db, reference) : null,
  ])
  return presentGuestPurchase({ payment, orders, refunds, shop: shop as AgentShopRow, accessCode })
}
