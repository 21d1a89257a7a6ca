import * as z from 'zod/mini'
import { endpoints, idParam, messageReply } from './endpoint.ts'
import { network } from './fields.ts'
import { offerName, PRODUCT_STATUSES, price } from './products.ts'
import { ROUTES } from './settings.ts'

/** The most packages whose prices change at once: every package of a large catalogue. */
const MAX_PRICE_CHANGES = 1_000

const productId = z.uuid({ error: 'That product does not exist.' })
const amounts = z.object({ from: price, to: price })
const shown = z.boolean({ error: 'Say yes or no: hidden.' })

/** What changes about one package, in cedis. `from` is what the admin saw; if that is not so any more, nothing is changed. */
const priceChange = z
  .object({
    productId,
    offer: offerName,
    priceCustomer: z.optional(amounts),
    priceAgent: z.optional(amounts),
    hidden: z.optional(z.object({ from: shown, to: shown })),
  })
  .check(z.refine((change) => Boolean(change.priceCustomer ?? change.priceAgent ?? change.hidden), { error: 'Say what changes.' }))
export type PriceChange = z.output<typeof priceChange>

const knownCost = z.nullable(price)
const costChange = z.object({
  productId,
  offer: offerName,
  supplier: z.enum(ROUTES, { error: 'Choose a supplier from the list, or by hand.' }),
  from: knownCost,
  to: knownCost,
})
export type CostChange = z.output<typeof costChange>

const packageOf = ({ productId: id, offer }: { productId: string; offer: string }) => `${id} ${offer}`
const isEachOnce = (lines: { productId: string; offer: string }[]) => new Set(lines.map(packageOf)).size === lines.length
const TWICE = 'A package is named twice.'
const TOO_MANY = `Change at most ${MAX_PRICE_CHANGES.toLocaleString('en')} packages at once.`
const changes = z
  .array(priceChange, { error: 'Send the prices as a list.' })
  .check(z.maxLength(MAX_PRICE_CHANGES, { error: TOO_MANY }), z.refine(isEachOnce, { error: TWICE }))
const NOTHING = 'Change at least one price.'

const publishRequest = z
  .object({
    changes: z._default(changes, []),
    costs: z._default(
      z
        .array(costChange, { error: 'Send the costs as a list.' })
        .check(z.maxLength(MAX_PRICE_CHANGES, { error: TOO_MANY }), z.refine(isEachOnce, { error: TWICE })),
      [],
    ),
  })
  .check(z.refine((request) => request.changes.length + request.costs.length > 0, { error: NOTHING }))
export type PublishRequest = z.output<typeof publishRequest>

const scheduleRequest = z.object({
  /** ISO time. */
  liveAt: z.iso.datetime({ error: 'Choose a date and a time.' }),
  changes: changes.check(z.minLength(1, { error: NOTHING })),
})
export type ScheduleRequest = z.output<typeof scheduleRequest>

const pricedPackage = z.object({
  offer: z.string(),
  priceCustomer: z.number(),
  priceAgent: z.number(),
  hidden: z.boolean(),
  /** What it costs where the network's orders go; null while nobody has said. */
  cost: z.nullable(z.number()),
})
export type PricedPackage = z.output<typeof pricedPackage>

/** A product with all its packages, the hidden ones too. `supplier` is where its orders go, and what `cost` is about. */
const pricedProduct = z.object({
  _id: z.string(),
  productId: z.string(),
  network,
  image: z.string(),
  status: z.enum(PRODUCT_STATUSES),
  supplier: z.enum(ROUTES),
  packages: z.array(pricedPackage),
})

const wasAndIs = z.optional(z.object({ from: z.number(), to: z.number() }))
const statedChange = z.object({
  productId: z.string(),
  network: z.string(),
  offer: z.string(),
  priceCustomer: wasAndIs,
  priceAgent: wasAndIs,
  hidden: z.optional(z.object({ from: z.boolean(), to: z.boolean() })),
})
/** A change as it was published or scheduled. */
export type StatedChange = z.output<typeof statedChange>

const priceSchedule = z.object({
  _id: z.string(),
  /** ISO times. */
  liveAt: z.string(),
  createdAt: z.string(),
  by: z.string(),
  /** `conflict`: somebody has changed the package since, so it will be left as it is. */
  changes: z.array(z.extend(statedChange, { conflict: z.boolean() })),
})

const endedSchedule = z.object({
  _id: z.string(),
  liveAt: z.string(),
  by: z.string(),
  /** `refused`: whoever scheduled it may not change prices any more, so nothing went live. */
  outcome: z.enum(['published', 'refused']),
  /** The changes that did not go live and still differ from what is on sale. */
  leftOut: z.array(statedChange),
})

const pricePublication = z.object({
  _id: z.string(),
  at: z.string(),
  by: z.string(),
  scheduled: z.boolean(),
  changes: z.array(statedChange),
  /** Packages that somebody has changed since, by network and offer; with any of them it can't be undone. */
  changedSince: z.array(z.string()),
})

const pricesReply = z.object({
  products: z.array(pricedProduct),
  /** Margins below this part of the price are marked. */
  marginLinePercent: z.number(),
  /** What has yet to go live, the next first. */
  schedules: z.array(priceSchedule),
  /** Schedules of the last two days that did not go live as a whole. */
  incomplete: z.array(endedSchedule),
  /** The newest publication, while it can be undone. */
  lastPublication: z.nullable(pricePublication),
})
export type PricesReply = z.output<typeof pricesReply>

export const priceEndpoints = endpoints({
  'GET /admin/prices': {
    id: 'listPrices',
    tag: 'products',
    summary: 'All prices with their costs, hidden packages too, and what is scheduled',
    access: 'products',
    reply: pricesReply,
  },
  'POST /admin/prices/publish': {
    id: 'publishPrices',
    tag: 'products',
    summary: 'Change many prices and costs at once, all or none; 409 names the packages that have changed meanwhile',
    access: 'products',
    body: publishRequest,
    reply: pricesReply,
    errors: ['CONFLICT', 'SECOND_PERSON_NEEDED'],
  },
  'POST /admin/price-schedules': {
    id: 'schedulePrices',
    tag: 'products',
    summary: 'Change many prices at a later time; packages that are changed before then are left as they are',
    access: 'products',
    body: scheduleRequest,
    reply: pricesReply,
    errors: ['CONFLICT', 'SECOND_PERSON_NEEDED'],
  },
  'DELETE /admin/price-schedules/:id': {
    id: 'cancelPriceSchedule',
    tag: 'products',
    summary: 'Cancel scheduled prices that have not gone live',
    access: 'products',
    params: idParam('schedule'),
    reply: pricesReply,
    errors: ['NOT_FOUND', 'CONFLICT'],
  },
  'POST /admin/price-proposals/:id/approve': {
    id: 'approvePrices',
    tag: 'products',
    summary: 'Publish prices that somebody who is not an owner has asked for: under the cost, or more than a third lower',
    access: 'owner',
    params: idParam('proposal'),
    body: z.object({ hash: z.string({ error: 'Say what you saw.' }).check(z.maxLength(64)) }),
    reply: messageReply,
    errors: ['NOT_FOUND', 'ALREADY_DECIDED', 'CONFLICT'],
  },
  'POST /admin/prices/:id/undo': {
    id: 'undoPrices',
    tag: 'products',
    summary: 'Bring back the prices from before the newest publication, unless somebody has changed them since',
    access: 'products',
    params: idParam('publication'),
    reply: pricesReply,
    errors: ['NOT_FOUND', 'CONFLICT'],
  },
})
