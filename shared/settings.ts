import * as z from 'zod/mini'
import { endpoints } from './endpoint.ts'
import { NETWORKS } from './networks.ts'
import { phone, tenDigits } from './phones.ts'
import { SUPPLIERS } from './suppliers.ts'

/** Who delivers what a network's orders ask for: a data supplier, or a person. */
export const ROUTES = ['by-hand', ...SUPPLIERS] as const
export type Route = (typeof ROUTES)[number]

const route = z.enum(ROUTES, { error: 'Choose a supplier from the list, or by hand.' })
const yesOrNo = (what: string) => z.boolean({ error: `Say yes or no: ${what}.` })
const wholeNumber = (least: number, most: number) => {
  const error = `Enter a whole number from ${least} to ${most}.`
  return z.int({ error }).check(z.minimum(least, { error }), z.maximum(most, { error }))
}

/** What an admin can change about the shop's work with the world outside. */
export const settings = z.object({
  /** For each network, who delivers. */
  routes: z.object(Object.fromEntries(NETWORKS.map((name) => [name, route])) as Record<(typeof NETWORKS)[number], typeof route>, {
    error: 'Send the routes as an object of networks.',
  }),
  /** An order that the supplier has delivered completes by itself. */
  completeDelivered: yesOrNo('complete delivered orders'),
  /** An order that the supplier has refused, or could not deliver, is rejected and refunded by itself. */
  rejectRefused: yesOrNo('reject refused orders'),
  /** The operator gets a message for each order. */
  operatorSms: yesOrNo('messages to the operator'),
  /** Where those go; null for the shop's own number. What is stored may be older than the check of prefixes. */
  operatorPhone: z.nullable(tenDigits),
  /** The buyer gets a message when an order is completed. */
  buyerSms: yesOrNo('messages to buyers'),
  /** The most messages that the shop sends in one day (UTC). */
  smsDailyCap: wholeNumber(0, 100_000),
  /** Orders in a rush come in digests, which list the same facts; else each order has a message of its own. */
  smsDigest: yesOrNo('one message for many orders'),
  /** With digests, from more orders in a minute than this on. */
  smsDigestAbove: wholeNumber(1, 1_000),
})
export type Settings = z.output<typeof settings>

const someSettings = z.partial(z.extend(settings, { routes: z.partial(settings.shape.routes) }))

/**
 * `PUT /admin/settings`: what is not sent stays as it is. `seen` is what the admin saw of what they change: where it is
 * no longer so, the reply is 409 and nothing is changed.
 */
export const changeSettingsRequest = z.extend(someSettings, {
  operatorPhone: z.optional(z.nullable(phone)),
  seen: z.optional(someSettings),
})
export type ChangeSettingsRequest = z.output<typeof changeSettingsRequest>

/** `suppliers`: those that this shop is set up for, with the networks that each carries; only these can be routed to. */
export const settingsReply = z.object({
  settings,
  suppliers: z.array(z.object({ name: z.enum(SUPPLIERS), networks: z.array(z.string()) })),
  /** Who changed them last, and when as an ISO time; null when that is too long ago to say. */
  lastChange: z.nullable(z.object({ by: z.string(), at: z.string() })),
})
export type SettingsReply = z.output<typeof settingsReply>

export const settingsEndpoints = endpoints({
  'GET /admin/settings': {
    id: 'readSettings',
    tag: 'admin',
    summary: 'How the shop works with suppliers and messages',
    access: 'admin',
    reply: settingsReply,
  },
  'PUT /admin/settings': {
    id: 'changeSettings',
    tag: 'admin',
    summary: 'Change those settings; what is not sent stays as it is',
    access: 'admin',
    body: changeSettingsRequest,
    reply: settingsReply,
    errors: ['CONFLICT'],
  },
})
