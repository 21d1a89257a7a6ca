import type {
  GuestPurchase,
  ListedShop,
  OwnShopReply,
  PublicShop,
  ShopDay,
  ShopFace,
  ShopRules,
  ShopSale,
  SubAgentsNow,
} from '../../../../shared/agent-shops.ts'
import { CLOSE_PAYMENT_AFTER_MINUTES } from '../../../../shared/limits.ts'
import { formatPesewas, toCedis } from '../../../../shared/money.ts'
import type { Network } from '../../../../shared/networks.ts'
import { hintPhone, spacedPhone } from '../../../../shared/phones.ts'
import { hasRole, SEES_ORDERS, SEES_WALLETS } from '../../../../shared/staff-rules.ts'
import type { Actor } from '../../../platform/context.ts'
import type { PaymentRow } from '../../card/payments/payments.sql.ts'
import { progressOf } from '../../card/payments/present.ts'
import type { OrderRow } from '../../orders/orders/orders.sql.ts'
import { seemsSomebodyElses } from '../../people/users/refuse-reserved-name.ts'
import { imageAddress } from '../../shop/images/encode-image.ts'
import type {
  AgentShopRow,
  ClosedBy,
  ListedShopRow,
  RefundSums,
  SaleRow,
  ShopDayRow,
  ShopOfferRow,
  ShopRulesRow,
  SubAgentsNowRow,
} from './agent-shops.sql.ts'

export type OwnShopFacts = {
  shop: AgentShopRow | null
  mayOpen: boolean
  above: { name: string; username: string } | null
  offers: ShopOfferRow[]
  sold: { productId: string; offer: string; orders: number }[]
}

const FOR_GUESTS: Record<ClosedBy, string> = {
  all: 'This shop is closed at the moment. Please come back later.',
  owner: 'This shop is closed.',
  'no-agent': 'This shop is closed.',
  agent: 'This shop is closed at the moment. Please come back later.',
  'no-sub-agents': 'This shop is closed at the moment. Please come back later.',
  'agent-above': 'This shop is closed at the moment. Please come back later.',
  ended: 'This shop is closed.',
}

/** Why a shop sells nothing, for its agent; the owner's own reason and the agent's own switch are shown as they are. */
const FOR_AGENT: Partial<Record<ClosedBy, string>> = {
  all: 'All shops are closed at the moment.',
  'no-sub-agents':
    'Shops of sub-agents are closed at the moment. Orders already paid are still delivered. What you earned stays yours, and you can withdraw it.',
  'no-agent': 'You are not an agent any more, so this shop sells nothing. What you earned stays yours, and you can withdraw it.',
  'agent-above':
    'Your agent is not selling at the moment, so your shop sells nothing either. Orders already paid are still delivered. What you earned stays yours, and you can withdraw it.',
  ended: 'You are not a sub-agent any more, so this shop sells nothing. What you earned stays yours, and you can withdraw it.',
}

function lookOf({ name, about, colour, phone, whatsapp, logoHash }: AgentShopRow) {
  return { name, about, colour, phone, whatsapp, logo: logoHash && imageAddress(logoHash) }
}

function hostOf({ host, hostApprovedAt }: AgentShopRow) {
  return host === null ? null : { name: host, approved: hostApprovedAt !== null }
}

/** For the page of an order that was placed there. */
export function presentFace(shop: AgentShopRow): ShopFace {
  return { ...lookOf(shop), slug: shop.slug }
}

export function presentShop(shop: AgentShopRow, offers: readonly ShopOfferRow[]): PublicShop {
  return {
    ...presentFace(shop),
    closed: shop.closedBy && FOR_GUESTS[shop.closedBy],
    offers: offers
      .filter(({ state }) => state === 'on-sale')
      .map(({ productId, network, imageHash, offer, pricePesewas }) => {
        return { productId, network, image: imageAddress(imageHash), offer, price: toCedis(pricePesewas) }
      }),
  }
}

export function presentOwnShop({ shop, mayOpen, above, offers, sold }: OwnShopFacts): OwnShopReply {
  const orders = new Map(sold.map((line) => [`${line.productId} ${line.offer}`, line.orders]))
  return {
    shop: shop && {
      ...lookOf(shop),
      id: shop.id,
      slug: shop.slug,
      open: shop.open,
      closedByOwner: (shop.closedBy && FOR_AGENT[shop.closedBy]) ?? shop.closedReason,
      host: hostOf(shop),
      refusedHost: shop.refusedHost,
      createdAt: shop.createdAt.toISOString(),
    },
    mayOpen,
    agentAbove: above && { username: above.username, shop: above.name },
    offers: offers.map((row) => ({
      productId: row.productId,
      network: row.network,
      image: imageAddress(row.imageHash),
      offer: row.offer,
      cost: toCedis(row.costPesewas),
      lowest: toCedis(row.floorPesewas),
      highest: toCedis(row.ceilingPesewas),
      housePrice: toCedis(row.housePesewas),
      price: toCedis(row.pricePesewas),
      own: row.own,
      state: row.state,
      soldThisWeek: orders.get(`${row.productId} ${row.offer}`) ?? 0,
    })),
  }
}

export function presentSale(row: SaleRow): ShopSale {
  return {
    number: String(row.seq),
    network: row.network,
    offer: row.offer,
    receiver: hintPhone(row.receiver),
    status: row.status,
    price: toCedis(row.pricePesewas),
    cost: toCedis(row.costPesewas),
    keep: toCedis(row.profitPesewas),
    share: shareOf(row),
    createdAt: row.createdAt.toISOString(),
    decidedAt: row.decidedAt?.toISOString() ?? null,
  }
}

function shareOf({ releasedAt, endedAt }: SaleRow): ShopSale['share'] {
  if (endedAt !== null) return releasedAt === null ? 'none' : 'taken-back'
  return releasedAt === null ? 'waiting' : 'earned'
}

export function presentShopDay({ orders, completed, pending, earnedPesewas }: ShopDayRow): ShopDay {
  return { orders, completed, pending, earned: toCedis(earnedPesewas) }
}

/** `house`: our own shop's name. `to`: who reads it. */
export function presentListedShop(row: ListedShopRow, house: string, to: Pick<Actor, 'roles'>): ListedShop {
  return {
    ...lookOf(row),
    id: row.id,
    slug: row.slug,
    host: hostOf(row),
    likeOurs: seemsSomebodyElses(row.name, house) || seemsSomebodyElses(row.slug, house),
    agent: { _id: row.ownerId, username: row.username, ...(hasRole(to, SEES_ORDERS) && { phone: row.userPhone }) },
    agentAbove: row.aboveName === null || row.aboveSlug === null ? null : { username: row.aboveName, slug: row.aboveSlug },
    open: row.open,
    closed:
      row.closedReason === null || row.closedAt === null
        ? null
        : { reason: row.closedReason, by: row.closer ?? '', at: row.closedAt.toISOString() },
    maxMarkup: row.maxMarkup,
    orders: row.orders,
    createdAt: row.createdAt.toISOString(),
    ...(hasRole(to, SEES_WALLETS) && {
      sold: toCedis(row.soldPesewas),
      earned: toCedis(row.earnedPesewas),
      earnings: toCedis(row.earningsPesewas),
      debt: toCedis(row.debtPesewas),
    }),
  }
}

export function presentSubAgentsNow(
  { shops, openOrders, openPesewas, earningsPesewas }: SubAgentsNowRow,
  to: Pick<Actor, 'roles'>,
): SubAgentsNow {
  const money = { openProfit: toCedis(openPesewas), earnings: toCedis(earningsPesewas) }
  return { shops, openOrders, ...(hasRole(to, SEES_WALLETS) && money) }
}

export function presentRules({ enabled, newShops, maxMarkup, minProfitPesewas, subAgents, mostSubAgents }: ShopRulesRow): ShopRules {
  return { enabled, newShops, maxMarkup, minProfit: toCedis(minProfitPesewas), subAgents, mostSubAgents }
}

type GuestFacts = { payment: PaymentRow; orders: OrderRow[]; refunds: RefundSums; shop: AgentShopRow; accessCode: string | null }

export function presentGuestPurchase({ payment, orders, refunds, shop, accessCode }: GuestFacts): GuestPurchase {
  const { reference, status, guestPhone } = payment
  return {
    payment: {
      reference,
      status,
      message: explain(payment),
      progress: progressOf(payment),
      total: toCedis(payment.pricePesewas + payment.surchargePesewas),
      accessCode,
    },
    shop: { slug: shop.slug, name: shop.name },
    orders: orders.map((order) => ({
      number: String(order.seq),
      reference: order.reference,
      network: order.network as Network,
      offer: order.offer,
      phoneNumber: order.receiver,
      price: toCedis(order.pricePesewas),
      status: order.status,
    })),
    refund:
      refunds.allPesewas === 0
        ? null
        : { amount: toCedis(refunds.allPesewas), message: explainRefund(refunds, guestPhone ?? ''), inCodes: toCedis(refunds.codePesewas) },
  }
}

function explain({ status, reason, receivedPesewas }: PaymentRow): string | null {
  switch (status) {
    case 'paid':
      return null
    case 'held':
      return receivedPesewas === 0
        ? `Your payment is held because it was ${reason}. Please contact us with the reference.`
        : `Nothing was bought, because ${reason}. Your money goes back to you.`
    case 'open':
      return 'The payment has not gone through yet.'
    case 'expired':
      return `This payment was not approved within ${CLOSE_PAYMENT_AFTER_MINUTES} minutes, so we closed it. If you were charged all the same, you get what you paid for or your money back.`
    default:
      return 'The payment did not go through. Nothing was charged.'
  }
}

function explainRefund({ allPesewas, paidPesewas, codePesewas, claimedPesewas }: RefundSums, phone: string): string {
  const openPesewas = allPesewas - paidPesewas - codePesewas - claimedPesewas
  const sentences = [
    openPesewas > 0 &&
      `GHS ${formatPesewas(openPesewas)} goes back to the card or phone that you paid with. We reach you on ${spacedPhone(phone)} if we need anything.`,
    codePesewas > 0 && `GHS ${formatPesewas(codePesewas)} could not go back the way it came. Put it into a wallet here with your code.`,
    paidPesewas > 0 && `GHS ${formatPesewas(paidPesewas)} is back on the card or phone that you paid with.`,
    claimedPesewas > 0 && `GHS ${formatPesewas(claimedPesewas)} went into a wallet by your code.`,
  ]
  return sentences.filter((sentence) => sentence !== false).join(' ')
}
