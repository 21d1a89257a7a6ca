import * as z from 'zod/mini'
import { endpoints, idParam } from './endpoint.ts'
import { tidy } from './fields.ts'
import { WEBHOOK_EVENTS } from './webhook-rules.ts'

const URL_NEEDED = 'Enter an address that begins with https://'
const EVENTS = 'Choose what you want to hear about.'

const url = z.string({ error: URL_NEEDED }).check(tidy(), z.minLength(10, { error: URL_NEEDED }), z.maxLength(500, { error: URL_NEEDED }))
const events = z
  .array(z.enum(WEBHOOK_EVENTS, { error: EVENTS }), { error: EVENTS })
  .check(z.minLength(1, { error: EVENTS }), z.maxLength(WEBHOOK_EVENTS.length, { error: EVENTS }))

/** Where events are sent. Times are ISO, and null while they don't apply. `disabledAt`: switched off after failing for days. */
const webhookEndpoint = z.object({
  _id: z.string(),
  url: z.string(),
  isTest: z.boolean(),
  events: z.array(z.enum(WEBHOOK_EVENTS)),
  createdAt: z.string(),
  failingSince: z.nullable(z.string()),
  disabledAt: z.nullable(z.string()),
  /** Until then, everything is signed with the secret before as well. */
  oldSecretUntil: z.nullable(z.string()),
})
export type WebhookEndpoint = z.output<typeof webhookEndpoint>

/** One event for one endpoint. `answer` is the latest HTTP status; `problem` says why there is none. */
const webhookDelivery = z.object({
  _id: z.string(),
  /** The header `webhook-id`: the same in every attempt. */
  eventId: z.string(),
  event: z.string(),
  order: z.nullable(z.string()),
  status: z.enum(['waiting', 'delivered', 'failed']),
  attempts: z.number(),
  answer: z.nullable(z.number()),
  problem: z.nullable(z.string()),
  tookMs: z.nullable(z.number()),
  createdAt: z.string(),
  attemptedAt: z.nullable(z.string()),
  nextAt: z.nullable(z.string()),
})
export type WebhookDelivery = z.output<typeof webhookDelivery>

const withSecret = z.object({ endpoint: webhookEndpoint, secret: z.string() })
const one = z.object({ endpoint: webhookEndpoint })

export const webhookEndpoints = endpoints({
  'GET /webhooks': {
    id: 'listWebhooks',
    tag: 'users',
    summary: 'Own webhook endpoints of the developer API',
    access: 'signed-in',
    reply: z.array(webhookEndpoint),
  },
  'POST /webhooks': {
    id: 'createWebhook',
    tag: 'users',
    summary: 'Be told of events at an https address. `secret` (whsec_…) verifies the signatures and is shown this once',
    access: 'signed-in',
    body: z.object({ url, events, test: z.optional(z.boolean()) }),
    reply: withSecret,
    errors: ['FORBIDDEN', 'CONFLICT'],
  },
  'PUT /webhooks/:id': {
    id: 'changeWebhook',
    tag: 'users',
    summary: 'Change the address or the events; an endpoint that was switched off works again',
    access: 'signed-in',
    params: idParam('webhook'),
    body: z.object({ url, events }),
    reply: one,
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  },
  'DELETE /webhooks/:id': {
    id: 'endWebhook',
    tag: 'users',
    summary: 'Send nothing more there',
    access: 'signed-in',
    params: idParam('webhook'),
    reply: one,
    errors: ['NOT_FOUND'],
  },
  'POST /webhooks/:id/rotate': {
    id: 'rotateWebhookSecret',
    tag: 'users',
    summary: 'A new secret. For 24 hours everything is signed with both',
    access: 'signed-in',
    params: idParam('webhook'),
    reply: withSecret,
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  },
  'POST /webhooks/:id/test': {
    id: 'sendTestEvent',
    tag: 'users',
    summary: 'Send an event of the type endpoint.test',
    access: 'signed-in',
    params: idParam('webhook'),
    reply: z.object({ eventId: z.string() }),
    errors: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  },
  'GET /webhooks/:id/deliveries': {
    id: 'listWebhookDeliveries',
    tag: 'users',
    summary: 'What was sent to an endpoint in the last 30 days: the 50 newest before `before`, which is the `next` of an earlier reply',
    access: 'signed-in',
    params: idParam('webhook'),
    query: z.object({ before: z.optional(z.string().check(z.regex(/^[0-9]{1,15}$/))) }),
    reply: z.object({ deliveries: z.array(webhookDelivery), next: z.nullable(z.string()) }),
    errors: ['NOT_FOUND'],
  },
  'POST /webhooks/deliveries/:id/resend': {
    id: 'resendWebhookDelivery',
    tag: 'users',
    summary: 'Send an event once more, now',
    access: 'signed-in',
    params: idParam('delivery'),
    reply: z.object({ message: z.string() }),
    errors: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  },
})
