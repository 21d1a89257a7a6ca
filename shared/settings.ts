import * as z from 'zod/mini'
import { endpoints } from './endpoint.ts'
import { phone, tenDigits } from './fields.ts'
import { NETWORKS } from './networks.ts'
import { SUPPLIERS } from './suppliers.ts'

/** Who delivers a network's orders: a data supplier or a person. */
export const ROUTES = ['by-hand', ...SUPPLIERS] as const
export type Route = (typeof ROUTES)[number]

const route = z.enum(ROUTES, { error: 'Choose a supplier from the list, or by hand.' })
const yesOrNo = (what: string) => z.boolean({ error: `Say yes or no: ${what}.` })
const wholeNumber = (least: number, most: number) => {
  const error = `Enter a whole number from ${least} to ${most}.`
  return z.int({ error }).check(z.minimum(least, { error }), z.maximum(most, { error }))
}

/** The settings that an admin can change. */
export const settings = z.object({
  /** Who delivers the orders of each network. */
  routes: z.object(Object.fromEntries(NETWORKS.map((name) => [name, route])) as Record<(typeof NETWORKS)[number], typeof route>, {
    error: 'Send the routes as an object of networks.',
  }),
  /** Complete an order automatically once the supplier has delivered it. */
  completeDelivered: yesOrNo('complete delivered orders'),
  /** Reject and refund an order automatically when the supplier refused or could not deliver it. */
  rejectRefused: yesOrNo('reject refused orders'),
  /** Send the operator a message for each order. */
  operatorSms: yesOrNo('messages to the operator'),
  /** Also for a checker from the stock, which the shop hands over by itself. */
  operatorCheckerSms: yesOrNo('messages about checkers from the stock'),
  /** The number for those; null for the shop's own. Stored numbers may be older than the check of prefixes. */
  operatorPhone: z.nullable(tenDigits),
  /** Send the buyer a message when an order is completed or refunded, a report of it is answered, or the network checks its number first, unless they want none. */
  buyerSms: yesOrNo('messages to buyers'),
  /** The most messages in one day (UTC). */
  smsDailyCap: wholeNumber(0, 100_000),
  /** Combine messages into digests at busy times; otherwise each order has its own message. */
  smsDigest: yesOrNo('one message for many orders'),
  /** The number of orders per minute from which digests are used. */
  smsDigestAbove: wholeNumber(1, 1_000),
  /** The least and the most that one top-up through the card provider puts into a wallet, in whole cedis. */
  topUpMinimum: wholeNumber(1, 50_000),
  topUpMaximum: wholeNumber(1, 100_000),
  /** The most that a customer tops up in one day (UTC), in whole cedis; 0 for no top-ups through the card provider. */
  topUpDaily: wholeNumber(0, 1_000_000),
  /** For how many hours a new payer cannot spend a top-up; 0 for no hold. */
  topUpHoldHours: wholeNumber(0, 720),
  /** Customers may have the refund of an order that was paid by card or mobile money sent back that way. */
  refundsToSource: yesOrNo('refunds back to cards and phones'),
  /** Margins below this part of a price, in percent, are marked amber on the Prices screen. */
  marginLinePercent: wholeNumber(0, 90),
})
export type Settings = z.output<typeof settings>

const someSettings = z.partial(z.extend(settings, { routes: z.partial(settings.shape.routes) }))

/**
 * `PUT /admin/settings`: omitted settings stay as they are. `seen` is what the admin saw of those they change; if one has
 * changed since, the reply is 409 and nothing is changed.
 */
export const changeSettingsRequest = z.extend(someSettings, {
  operatorPhone: z.optional(z.nullable(phone)),
  seen: z.optional(someSettings),
})
export type ChangeSettingsRequest = z.output<typeof changeSettingsRequest>

/** `suppliers`: those configured for this shop, with the networks that each carries; only these can be routed to. */
export const settingsReply = z.object({
  settings,
  suppliers: z.array(z.object({ name: z.enum(SUPPLIERS), networks: z.array(z.string()) })),
  /** Who changed the settings last and when (ISO time); null when that is too long ago. */
  lastChange: z.nullable(z.object({ by: z.string(), at: z.string() })),
})
export type SettingsReply = z.output<typeof settingsReply>

export const settingsEndpoints = endpoints({
  'GET /admin/settings': {
    id: 'readSettings',
    tag: 'admin',
    summary: 'How the shop works with suppliers and messages',
    access: 'owner',
    reply: settingsReply,
  },
  'PUT /admin/settings': {
    id: 'changeSettings',
    tag: 'admin',
    summary: 'Change those settings; what is not sent stays as it is',
    access: 'owner',
    body: changeSettingsRequest,
    reply: settingsReply,
    errors: ['CONFLICT'],
  },
})
