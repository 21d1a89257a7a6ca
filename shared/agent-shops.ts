import * as z from 'zod/mini'
import { afaDetailsForm, afaFormReply } from './afa.ts'
import { MAX_SHOP_ITEMS, MAX_SHOP_PRICES, SHOP_COLOURS, slugProblem } from './agent-shop-rules.ts'
import { endpoints, idParam, messageReply } from './endpoint.ts'
import { accepts, afaForm, cedis, ifOnTheWayHeader, network, phone, positiveCedis, tenDigits, tidy } from './fields.ts'
import { MAX_IMAGE_BYTES } from './images.ts'
import { listQuery } from './lists.ts'
import { ORDER_STATUSES } from './orders.ts'
import { PAYMENT_PROGRESS, PAYMENT_STATUSES, paymentReply } from './payments.ts'
import { offerName, price } from './products.ts'
import { SEES_SHOPS } from './staff-rules.ts'

const NO_SHOP = 'That shop does not exist.'
const productId = z.uuid({ error: 'That product does not exist.' })
const slug = z.string({ error: NO_SHOP }).check(z.toLowerCase(), accepts(slugProblem))
const slugParam = z.object({ slug: z.string().check(z.toLowerCase(), z.regex(/^[a-z0-9-]{1,40}$/, { error: NO_SHOP })) })
/** A guest's reference works like a key: whoever has it sees the purchase. */
const guestParam = z.object({ reference: z.string().check(z.regex(/^[A-Za-z0-9]{16,24}$/, { error: 'That payment does not exist.' })) })

/** Controls, marks that turn the writing round or have no width, letters that are blank, and heaps of accents. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u2800\u3164\uffa0]|\p{M}{3}/u

const words = (name: string, least: number, most: number) =>
  z.string({ error: `Enter ${name}.` }).check(
    tidy(),
    z.minLength(least, { error: least === 1 ? `Enter ${name}.` : `Use at least ${least} characters.` }),
    z.maxLength(most, { error: `Use at most ${most} characters.` }),
    z.refine((text) => !UNSEEN.test(text), { error: 'Use letters, digits and signs on one line.' }),
  )

/** Who sees the name must see what it is: no letters of other scripts that look like ours, and something besides signs. */
const shopName = words('the shop’s name', 2, 40).check(
  z.refine((text) => !/(?=\p{L})\P{Script=Latin}/u.test(text), { error: 'Use Latin letters, such as a to z.' }),
  z.refine((text) => /[\p{L}\p{N}].*[\p{L}\p{N}]/u.test(text), { error: 'Use at least two letters or digits.' }),
)

/** How a shop looks to whoever buys there. `logo`: its address, or null. `about`: one line, such as "Madina, open till 8:30pm". */
const look = z.object({
  name: shopName,
  about: z.nullable(words('a line about the shop', 1, 80)),
  colour: z.enum(SHOP_COLOURS, { error: 'Choose a colour from the list.' }),
  phone: z.nullable(tenDigits),
  whatsapp: z.nullable(tenDigits),
})
/** @public */
export type ShopLook = z.output<typeof look>

/** What a guest sees. Prices in cedis, without the surcharge of paying by card or mobile money. */
const shopOffer = z.object({ productId: z.string(), network, image: z.string(), offer: z.string(), price: z.number() })
/** @public */
export type ShopOffer = z.output<typeof shopOffer>

/** A shop without what it sells, as it stands over an order that was placed there. */
export const shopFace = z.extend(look, { slug: z.string(), logo: z.nullable(z.string()) })
/** @public */
export type ShopFace = z.output<typeof shopFace>

/** `GET /shops/:slug`. A shop that does not sell now has no offers, and `closed` says why as a sentence for guests. */
const publicShop = z.extend(shopFace, {
  closed: z.nullable(z.string()),
  offers: z.array(shopOffer),
})
/** @public */
export type PublicShop = z.output<typeof publicShop>

/** `phone` is the guest's own number, for the receipt and a refund. `amount` is the price seen; it is compared, never charged. */
const guestRequest = z.object({
  phone,
  /** The guest's payment before, by which the shop knows what is theirs when it asks about what is on its way. */
  before: z.optional(guestParam.shape.reference),
  items: z
    .array(z.object({ productId, offer: offerName, phoneNumber: phone, amount: positiveCedis, afa: afaForm }), {
      error: 'Choose what to buy.',
    })
    .check(
      z.minLength(1, { error: 'Choose what to buy.' }),
      z.maxLength(MAX_SHOP_ITEMS, { error: `Buy at most ${MAX_SHOP_ITEMS} at once.` }),
    ),
})
/** @public */
export type GuestRequest = z.output<typeof guestRequest>

/** `inCodes` of the amount waits for the guest's codes (`POST /shops/payment/:reference/refund-codes`). */
const refundTo = z.nullable(z.object({ amount: z.number(), message: z.string(), inCodes: z.number() }))

/** `reference` of an order opens its tracker (`GET /track/:reference`). Amounts in cedis. */
const guestPurchase = z.object({
  payment: z.object({
    reference: z.string(),
    status: z.enum(PAYMENT_STATUSES),
    /** A sentence for the guest when it is not simply paid; null otherwise. */
    message: z.nullable(z.string()),
    progress: z.nullable(z.enum(PAYMENT_PROGRESS)),
    total: z.number(),
    /** Opens the provider's payment again, where nothing was paid yet and it can still be; null otherwise. */
    accessCode: z.nullable(z.string()),
  }),
  shop: z.object({ slug: z.string(), name: z.string() }),
  orders: z.array(
    z.object({
      number: z.string(),
      reference: z.string(),
      network,
      offer: z.string(),
      phoneNumber: z.string(),
      price: z.number(),
      status: z.enum(ORDER_STATUSES),
    }),
  ),
  /** What goes back to the guest, because an order was refunded or nothing could be bought. */
  refund: refundTo,
})
/** @public */
export type GuestPurchase = z.output<typeof guestPurchase>

/** Why a package cannot be bought in the shop, or `on-sale`. */
export const SHOP_OFFER_STATES = ['on-sale', 'hidden', 'below-cost', 'above-highest', 'not-available'] as const

/**
 * One package as its agent prices it, in cedis. `cost` is the agent's price; a price is from `lowest` to `highest`. Without a price
 * of its own (`own` false) it sells at the house's price, where that is in between.
 */
const ownOffer = z.object({
  productId: z.string(),
  network,
  image: z.string(),
  offer: z.string(),
  cost: z.number(),
  lowest: z.number(),
  highest: z.number(),
  housePrice: z.number(),
  price: z.number(),
  own: z.boolean(),
  state: z.enum(SHOP_OFFER_STATES),
  soldThisWeek: z.number(),
})
/** @public */
export type OwnShopOffer = z.output<typeof ownOffer>

const ownShop = z.extend(look, {
  id: z.string(),
  slug: z.string(),
  logo: z.nullable(z.string()),
  /** The agent's own switch. */
  open: z.boolean(),
  /** Why it sells nothing though it is open, as a sentence for the agent: the owner's reason, or that of a sub-agent's shop; null when it sells. */
  closedByOwner: z.nullable(z.string()),
  /** Own host name, and whether the owner has approved it. */
  host: z.nullable(z.object({ name: z.string(), approved: z.boolean() })),
  /** The host name that the owner said no to; null once another is asked for. */
  refusedHost: z.nullable(z.string()),
  createdAt: z.string(),
})
/** @public */
export type OwnShop = z.output<typeof ownShop>

/** `shop` is null until the agent opens one. `mayOpen` is false while the owner takes no new shops. */
const ownShopReply = z.object({
  shop: z.nullable(ownShop),
  mayOpen: z.boolean(),
  /** Whose sub-agent the caller is: `cost` is then what that agent asks. */
  agentAbove: z.nullable(z.object({ username: z.string(), shop: z.string() })),
  offers: z.array(ownOffer),
})
/** @public */
export type OwnShopReply = z.output<typeof ownShopReply>

const priceRequest = z.object({
  prices: z
    .array(
      z.object({
        productId,
        offer: offerName,
        /** Null: as the house sells. */
        price: z.nullable(price),
        hidden: z._default(z.boolean({ error: 'Say yes or no: hidden.' }), false),
      }),
      { error: 'Send the prices as a list.' },
    )
    .check(
      z.minLength(1, { error: 'Change at least one price.' }),
      z.maxLength(MAX_SHOP_PRICES, { error: `Change at most ${MAX_SHOP_PRICES.toLocaleString('en')} prices at once.` }),
      z.refine((lines) => new Set(lines.map((line) => `${line.productId} ${line.offer}`)).size === lines.length, {
        error: 'A package is named twice.',
      }),
    ),
})
/** @public */
export type ShopPriceRequest = z.output<typeof priceRequest>

const LOGO = 'Upload an image: PNG, JPEG, WebP, GIF or AVIF.'
const logoRequest = z.object({
  image: z.nullable(
    z
      .string({ error: LOGO })
      .check(
        z.regex(/^data:image\/(?:png|jpeg|webp|gif|avif);base64,[A-Za-z0-9+/]+={0,2}$/, { error: LOGO, abort: true }),
        z.maxLength(Math.ceil(MAX_IMAGE_BYTES / 3) * 4 + 40, { error: 'Image size exceeds 100KB. Please upload a smaller image.' }),
      ),
  ),
})

/**
 * An order of the shop as its agent sees it: what they keep, and how that stands. `waiting` until delivery, `earned` then, `taken-back`
 * by a refund after it, `none` by a refund before it. `receiver` is masked, as ••• ••• •567: the number is the guest's.
 */
const shopSale = z.object({
  number: z.string(),
  network,
  offer: z.string(),
  receiver: z.string(),
  status: z.enum(ORDER_STATUSES),
  price: z.number(),
  cost: z.number(),
  keep: z.number(),
  share: z.enum(['waiting', 'earned', 'taken-back', 'none']),
  createdAt: z.string(),
  decidedAt: z.nullable(z.string()),
})
/** @public */
export type ShopSale = z.output<typeof shopSale>

/** What a shop has done since midnight in Ghana. `orders` counts those refunded too; `earned` is what deliveries released, in cedis. */
const shopDay = z.object({ orders: z.number(), completed: z.number(), pending: z.number(), earned: z.number() })
/** @public */
export type ShopDay = z.output<typeof shopDay>

/** A shop as the owner sees it. Amounts in cedis; sums are of all time. */
const listedShop = z.extend(look, {
  id: z.string(),
  slug: z.string(),
  logo: z.nullable(z.string()),
  host: z.nullable(z.object({ name: z.string(), approved: z.boolean() })),
  /** Guests could take its name or link for the house's: it was opened before that was refused, or the house was renamed. */
  likeOurs: z.boolean(),
  /** With the number for those who see customers. */
  agent: z.object({ _id: z.string(), username: z.string(), phone: z.optional(z.string()) }),
  /** The agent above, of a sub-agent's shop; null for an agent's own. */
  agentAbove: z.nullable(z.object({ username: z.string(), slug: z.string() })),
  open: z.boolean(),
  closed: z.nullable(z.object({ reason: z.string(), by: z.string(), at: z.string() })),
  /** The shop's own limit above the agent's cost in percent; null as for all shops. */
  maxMarkup: z.nullable(z.number()),
  orders: z.number(),
  /** From here on for those who see wallets. */
  sold: z.optional(z.number()),
  earned: z.optional(z.number()),
  /** What the agent has earned and not yet withdrawn, and what they owe after refunds. */
  earnings: z.optional(z.number()),
  debt: z.optional(z.number()),
  createdAt: z.string(),
})
/** @public */
export type ListedShop = z.output<typeof listedShop>

const percent = z
  .number({ error: 'Enter a percentage.' })
  .check(z.refine((value) => Number.isInteger(value) && value >= 1 && value <= 500, { error: 'Enter a whole number from 1 to 500.' }))

/**
 * The owner's limits. A price is at most `maxMarkup` percent above the agent's cost (to the nearest half cedi), or the house's own price
 * where that is more, and at least `minProfit` cedis above the cost. With `subAgents` an agent
 * may have sub-agents, `mostSubAgents` at a time.
 */
const shopRules = z.object({
  enabled: z.boolean({ error: 'Say yes or no: enabled.' }),
  newShops: z.boolean({ error: 'Say yes or no: newShops.' }),
  maxMarkup: percent,
  minProfit: cedis.check(z.refine((value) => value >= 0.01 && value <= 100, { error: 'Enter 0.01 to 100 cedis.' })),
  subAgents: z.boolean({ error: 'Say yes or no: subAgents.' }),
  mostSubAgents: z
    .number({ error: 'Enter a number of sub-agents.' })
    .check(z.refine((most) => Number.isInteger(most) && most >= 1 && most <= 1000, { error: 'Enter 1 to 1,000 sub-agents.' })),
})
/** @public */
export type ShopRules = z.output<typeof shopRules>

/**
 * What closing sub-agents' shops would meet: those that sell now, and of all of them the orders that are not delivered yet with the
 * sub-agents' profit of these, and the earnings that are still here; in cedis.
 */
/** Money for those who see wallets. */
const subAgentsNow = z.object({
  shops: z.number(),
  openOrders: z.number(),
  openProfit: z.optional(z.number()),
  earnings: z.optional(z.number()),
})
/** @public */
export type SubAgentsNow = z.output<typeof subAgentsNow>

const HOST = 'Enter a host name such as data.example.com.'
const hostName = z
  .string({ error: HOST })
  .check(tidy(), z.toLowerCase(), z.regex(/^(?=.{4,100}$)(?!.*xn--)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,}$/, { error: HOST }))

const limitRequest = z.object({
  /** The reason is shown to the agent; null opens the shop again. */
  closed: z.optional(z.nullable(words('a reason', 3, 200))),
  maxMarkup: z.optional(z.nullable(percent)),
  hostApproved: z.optional(z.boolean({ error: 'Say yes or no: hostApproved.' })),
  /** With an approval: the host name as it was seen. */
  seenHost: z.optional(hostName),
  /** The host name to refuse, as it was seen; the agent is told, and it is free again. */
  refuseHost: z.optional(hostName),
})

export const agentShopEndpoints = endpoints({
  'GET /shops/:slug': {
    id: 'readAgentShop',
    tag: 'agent-shops',
    summary: "An agent's shop with its prices, for anyone who has its link",
    access: 'anyone',
    params: slugParam,
    reply: z.object({ shop: publicShop }),
    errors: ['NOT_FOUND'],
  },
  'POST /shops/:slug/afa': {
    id: 'giveGuestAfa',
    tag: 'agent-shops',
    summary: 'Give the details of the person whom AFA shall register, before a guest pays for it: `form` names them in the payment',
    access: 'anyone',
    params: slugParam,
    body: afaDetailsForm,
    reply: afaFormReply,
    errors: ['NOT_FOUND', 'TAKEN', 'CONFLICT'],
  },
  'POST /shops/:slug/payment': {
    id: 'startGuestPayment',
    tag: 'agent-shops',
    summary: 'Get a payment by card or mobile money ready for what a guest buys in a shop',
    access: 'anyone',
    params: slugParam,
    headers: z.object(ifOnTheWayHeader),
    body: guestRequest,
    reply: paymentReply,
    errors: ['CONFLICT', 'ON_THE_WAY', 'NOT_FOUND', 'PRICE_CHANGED', 'NOT_AVAILABLE', 'OUTSIDE_SERVICE', 'PURCHASES_PAUSED'],
  },
  'POST /shops/payment/:reference/confirm': {
    id: 'confirmGuestPayment',
    tag: 'agent-shops',
    summary: "Ask what has become of a guest's payment and orders",
    access: 'anyone',
    params: guestParam,
    reply: guestPurchase,
    errors: ['NOT_FOUND'],
  },
  'POST /shops/order/:reference/report': {
    id: 'reportGuestOrder',
    tag: 'agent-shops',
    summary: 'Say that an order of a guest has not arrived; sent twice, it is the same report',
    access: 'anyone',
    params: guestParam,
    body: z.object({ text: z.optional(z.string().check(tidy(), z.maxLength(500, { error: 'Use at most 500 characters.' }))) }),
    reply: messageReply,
    errors: ['NOT_FOUND', 'CONFLICT'],
  },
  'GET /my-shop': {
    id: 'readOwnShop',
    tag: 'agent-shops',
    summary: "The agent's own shop, with what each package costs and may sell for",
    access: 'signed-in',
    reply: ownShopReply,
    errors: ['FORBIDDEN'],
  },
  'POST /my-shop': {
    id: 'openOwnShop',
    tag: 'agent-shops',
    summary: 'Open a shop; its link stays the same for good',
    access: 'signed-in',
    body: z.extend(look, { slug }),
    reply: ownShopReply,
    errors: ['FORBIDDEN', 'TAKEN', 'CONFLICT'],
  },
  'PUT /my-shop': {
    id: 'changeOwnShop',
    tag: 'agent-shops',
    summary: "Change how the shop looks, open and close it, or stop the sub-agents' shops for a while; what is not sent stays as it is",
    access: 'signed-in',
    body: z.partial(
      z.extend(look, {
        open: z.boolean({ error: 'Say yes or no: open.' }),
        host: z.nullable(hostName),
        subAgentsSell: z.boolean({ error: 'Say yes or no: subAgentsSell.' }),
      }),
    ),
    reply: ownShopReply,
    errors: ['FORBIDDEN', 'NOT_FOUND', 'TAKEN'],
  },
  'PUT /my-shop/logo': {
    id: 'changeOwnShopLogo',
    tag: 'agent-shops',
    summary: "Change the shop's logo, or take it away",
    access: 'signed-in',
    body: logoRequest,
    reply: ownShopReply,
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  },
  'PUT /my-shop/prices': {
    id: 'changeOwnShopPrices',
    tag: 'agent-shops',
    summary: "Change the shop's prices: all of them, or none when one is below the agent's cost or above the owner's limit",
    access: 'signed-in',
    body: priceRequest,
    reply: ownShopReply,
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  },
  'GET /my-shop/sales': {
    id: 'listOwnShopSales',
    tag: 'agent-shops',
    summary: 'What the shop sold, newest first, and what the agent keeps of each',
    access: 'signed-in',
    query: listQuery,
    reply: z.array(shopSale),
    list: true,
    errors: ['FORBIDDEN'],
  },
  'GET /my-shop/today': {
    id: 'readOwnShopDay',
    tag: 'agent-shops',
    summary: 'What the shop has sold and earned since midnight in Ghana; null for an agent without a shop',
    access: 'signed-in',
    reply: z.object({ day: z.nullable(shopDay), subAgents: z.nullable(z.object({ orders: z.number(), earned: z.number() })) }),
    errors: ['FORBIDDEN'],
  },
  'GET /agent-shops': {
    id: 'listAgentShops',
    tag: 'agent-shops',
    summary: "All agents' shops, newest first, or those whose host name waits for the owner, or whose name could be taken for the house's",
    access: SEES_SHOPS,
    query: z.extend(listQuery, {
      host: z.optional(z.literal('waiting', { error: 'Send host=waiting, or leave it out.' })),
      names: z.optional(z.literal('ours', { error: 'Send names=ours, or leave it out.' })),
    }),
    reply: z.array(listedShop),
    list: true,
  },
  'PUT /agent-shops/:id': {
    id: 'limitAgentShop',
    tag: 'agent-shops',
    summary: 'Close one shop or open it again, limit its prices, approve or refuse its host name',
    access: 'owner',
    params: idParam('shop'),
    body: limitRequest,
    reply: z.object({ shop: listedShop }),
    errors: ['NOT_FOUND', 'CONFLICT'],
  },
  'GET /agent-shops/rules': {
    id: 'readShopRules',
    tag: 'agent-shops',
    summary: "The limits of all agents' shops, and how sub-agents' shops stand",
    access: SEES_SHOPS,
    reply: z.object({ rules: shopRules, subAgentsNow }),
  },
  'PUT /agent-shops/rules': {
    id: 'changeShopRules',
    tag: 'agent-shops',
    summary: "Change the limits of all agents' shops; what is not sent stays as it is",
    access: 'owner',
    body: z.partial(shopRules),
    reply: z.object({ rules: shopRules }),
  },
})
