/** What an agent's program can be told of. */
export const WEBHOOK_EVENTS = ['order.delivered', 'order.refused', 'order.refunded'] as const
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number]

/** The most endpoints that one agent can have. */
export const MAX_WEBHOOKS = 10

/** What an endpoint that has never answered gets before it is switched off. */
export const MOST_UNPROVEN_CALLS = 20

/** The most events of tests that one agent gets within a day. */
export const MAX_TEST_EVENTS = 500
