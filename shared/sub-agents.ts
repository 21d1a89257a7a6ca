import * as z from 'zod/mini'
import { MAX_SHOP_PRICES } from './agent-shop-rules.ts'
import { endpoints, idParam } from './endpoint.ts'
import { network } from './fields.ts'
import { offerName, price } from './products.ts'

const NO_INVITATION = 'That link has ended. Ask the agent for a new one.'
const codeParam = z.object({ code: z.string().check(z.regex(/^[a-z2-9]{24}$/, { error: NO_INVITATION })) })

/**
 * One package as sub-agents get it, in cedis: `cost` is the agent's own, `price` what sub-agents pay, from `lowest` to `highest`. Without a
 * price of the agent's (`own` false) it is 5 percent above the cost. `below-cost`: the house has overtaken the price, so it is not sold.
 */
const subAgentOffer = z.object({
  productId: z.string(),
  network,
  offer: z.string(),
  cost: z.number(),
  lowest: z.number(),
  highest: z.number(),
  price: z.number(),
  own: z.boolean(),
  state: z.enum(['on-sale', 'below-cost', 'not-available']),
})
/** @public */
export type SubAgentOffer = z.output<typeof subAgentOffer>

/** `orders` that were not refunded, and what the agent has earned with them, in cedis. `shop` is null until the sub-agent opens it. */
const subAgent = z.object({
  id: z.string(),
  username: z.string(),
  shop: z.nullable(z.object({ slug: z.string(), name: z.string(), sells: z.boolean() })),
  joinedAt: z.string(),
  endedAt: z.nullable(z.string()),
  orders: z.number(),
  earned: z.number(),
})
/** @public */
export type SubAgent = z.output<typeof subAgent>

/** `allowed`: the owner lets agents have sub-agents, at most `most` at a time. `selling`: the agent lets their shops sell. A link is `/join/` and the code, for one customer. */
const subAgentsReply = z.object({
  allowed: z.boolean(),
  selling: z.boolean(),
  most: z.number(),
  invitations: z.array(z.object({ id: z.string(), code: z.string(), createdAt: z.string() })),
  subAgents: z.array(subAgent),
  offers: z.array(subAgentOffer),
})
/** @public */
export type SubAgentsReply = z.output<typeof subAgentsReply>

/** Whose sub-agent the caller would be, and what packages cost them and may sell for at most, in cedis. `refusal`: why they cannot join. */
const invitation = z.object({
  agent: z.object({ username: z.string(), shop: z.string() }),
  offers: z.array(z.object({ network, offer: z.string(), cost: z.number(), highest: z.number() })),
  refusal: z.nullable(z.string()),
})
/** @public */
export type Invitation = z.output<typeof invitation>

const priceRequest = z.object({
  prices: z
    .array(
      z.object({
        productId: z.uuid({ error: 'That product does not exist.' }),
        offer: offerName,
        /** Null: 5 percent above the cost. */
        price: z.nullable(price),
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
export type SubAgentPriceRequest = z.output<typeof priceRequest>

export const subAgentEndpoints = endpoints({
  'GET /my-shop/sub-agents': {
    id: 'readSubAgents',
    tag: 'agent-shops',
    summary: "The agent's sub-agents, what they brought, what they pay, and the links that are open",
    access: 'signed-in',
    reply: subAgentsReply,
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  },
  'POST /my-shop/sub-agent-invitations': {
    id: 'inviteSubAgent',
    tag: 'agent-shops',
    summary: 'Make a link by which one customer becomes a sub-agent',
    access: 'signed-in',
    reply: subAgentsReply,
    errors: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  },
  'DELETE /my-shop/sub-agent-invitations/:id': {
    id: 'withdrawInvitation',
    tag: 'agent-shops',
    summary: 'Withdraw a link that nobody has used',
    access: 'signed-in',
    params: idParam('invitation'),
    reply: subAgentsReply,
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  },
  'PUT /my-shop/sub-agents/prices': {
    id: 'changeSubAgentPrices',
    tag: 'agent-shops',
    summary: 'Change what sub-agents pay: all of it, or nothing when one price is out of its bounds',
    access: 'signed-in',
    body: priceRequest,
    reply: subAgentsReply,
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  },
  'POST /my-shop/sub-agents/:id/end': {
    id: 'endSubAgent',
    tag: 'agent-shops',
    summary: 'End a sub-agent: their shop stops selling at once, orders that were bought go on',
    access: 'signed-in',
    params: idParam('sub-agent'),
    reply: subAgentsReply,
    errors: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  },
  'POST /my-shop/leave': {
    id: 'leaveAgent',
    tag: 'agent-shops',
    summary: "Stop being an agent's sub-agent; the own shop stops selling at once",
    access: 'signed-in',
    reply: z.object({ message: z.string() }),
    errors: ['NOT_FOUND'],
  },
  'GET /join/:code': {
    id: 'readInvitation',
    tag: 'agent-shops',
    summary: 'Whose sub-agent a link makes one, and on what terms',
    access: 'signed-in',
    params: codeParam,
    reply: invitation,
    errors: ['NOT_FOUND'],
  },
  'POST /join/:code': {
    id: 'acceptInvitation',
    tag: 'agent-shops',
    summary: 'Become the sub-agent of the agent whose link it is',
    access: 'signed-in',
    params: codeParam,
    reply: z.object({ message: z.string() }),
    errors: ['NOT_FOUND', 'CONFLICT'],
  },
})
