import * as z from 'zod/mini'
import { endpoints, messageReply } from './endpoint.ts'
import { phone, tidy } from './fields.ts'

/**
 * `isOn`: the shop answers on WhatsApp. `number`: the shop's, ten digits. `linkedAt`: since when the account's phone number is connected, null
 * when it is not; `newsStopped`: its owner wrote STOP.
 */
const ownLink = z.object({
  isOn: z.boolean(),
  number: z.string(),
  phone: z.string(),
  linkedAt: z.nullable(z.string()),
  newsStopped: z.boolean(),
})
export type OwnWhatsapp = z.output<typeof ownLink>

const TEMPLATE = 'Enter the name as it is at Meta: small letters, digits and _.'
const LANGUAGE = 'Enter a language such as en or en_GB.'
const CAP = 'Enter a whole number from 0 to 100000.'

export const WHATSAPP_STATUSES = ['waiting', 'sending', 'sent', 'failed', 'unknown', 'over-cap', 'left-out'] as const
export type WhatsappStatus = (typeof WHATSAPP_STATUSES)[number]

/** `template`: the approved message for news once 24 hours have passed, null for none. */
const settings = z.object({ dailyCap: z.int(), template: z.nullable(z.string()), templateLanguage: z.string() })

/**
 * A message of the shop's; times are ISO. `phone` has its middle hidden. `unnumbered`: somebody wrote whose number WhatsApp hides, so that
 * `phone` is null and `detail` their name.
 */
const sentMessage = z.object({
  _id: z.string(),
  kind: z.enum(['reply', 'delivered', 'refunded', 'test', 'unnumbered']),
  phone: z.nullable(z.string()),
  status: z.enum(WHATSAPP_STATUSES),
  detail: z.string(),
  createdAt: z.string(),
  deliveredAt: z.nullable(z.string()),
  readAt: z.nullable(z.string()),
})
export type WhatsappMessage = z.output<typeof sentMessage>

/** `webhookUrl`: what to enter at Meta. */
const adminReply = z.object({
  isSetUp: z.boolean(),
  number: z.string(),
  webhookUrl: z.string(),
  settings,
  usedToday: z.int(),
  messages: z.array(sentMessage),
})
export type AdminWhatsapp = z.output<typeof adminReply>

export const whatsappEndpoints = endpoints({
  'GET /user/me/whatsapp': {
    id: 'readWhatsapp',
    tag: 'users',
    summary: "Whether one's own number is connected to the shop's WhatsApp",
    access: 'signed-in',
    reply: ownLink,
  },
  'POST /user/me/whatsapp': {
    id: 'startWhatsapp',
    tag: 'users',
    summary: 'A code that connects the number of the account once it is sent from there, for ten minutes',
    access: 'signed-in',
    reply: z.object({ code: z.string(), expiresAt: z.string(), number: z.string() }),
    errors: ['CONFLICT'],
  },
  'DELETE /user/me/whatsapp': {
    id: 'endWhatsapp',
    tag: 'users',
    summary: 'Disconnect WhatsApp from the account',
    access: 'signed-in',
    reply: messageReply,
  },
  'GET /admin/whatsapp': {
    id: 'readWhatsappSettings',
    tag: 'admin',
    summary: 'How WhatsApp is set up, and the newest messages',
    access: 'owner',
    reply: adminReply,
  },
  'PUT /admin/whatsapp': {
    id: 'changeWhatsappSettings',
    tag: 'admin',
    summary: "The day's most messages, and the approved message for news",
    access: 'owner',
    body: z.object({
      dailyCap: z.optional(z.int({ error: CAP }).check(z.minimum(0, { error: CAP }), z.maximum(100_000, { error: CAP }))),
      template: z.optional(z.nullable(z.string({ error: TEMPLATE }).check(tidy(), z.regex(/^[a-z0-9_]{1,512}$/, { error: TEMPLATE })))),
      templateLanguage: z.optional(z.string({ error: LANGUAGE }).check(tidy(), z.regex(/^[a-z]{2,3}(_[A-Z]{2})?$/, { error: LANGUAGE }))),
    }),
    reply: z.object({ settings }),
  },
  'POST /admin/whatsapp/test': {
    id: 'sendWhatsappTest',
    tag: 'admin',
    summary: 'Send a test message to a number',
    access: 'owner',
    body: z.object({ phone }),
    reply: messageReply,
    errors: ['CONFLICT'],
  },
})

/** What Meta calls. The signature covers the raw body, which is therefore not declared. */
export const whatsappWebhookEndpoints = endpoints({
  'GET /whatsapp/webhook': {
    id: 'verifyWhatsappWebhook',
    tag: 'shop',
    summary: 'Meta asks whether the webhook is ours',
    access: 'anyone',
    hidden: true,
    query: z.object({
      'hub.mode': z.optional(z.string()),
      'hub.verify_token': z.optional(z.string()),
      'hub.challenge': z.optional(z.string()),
    }),
    reply: z.string(),
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  },
  'POST /whatsapp/webhook': {
    id: 'receiveWhatsapp',
    tag: 'shop',
    summary: 'Messages of customers, and what became of ours',
    access: 'anyone',
    hidden: true,
    reply: z.object({ received: z.boolean() }),
    errors: ['UNAUTHENTICATED', 'NOT_FOUND'],
  },
})
