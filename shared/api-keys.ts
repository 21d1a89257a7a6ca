import * as z from 'zod/mini'
import { endpoints, idParam } from './endpoint.ts'
import { tidy } from './fields.ts'
import { pinProofHeader } from './transaction-pin.ts'

/** What a key may do in the developer API. */
export const API_SCOPES = ['balance:read', 'catalogue:read', 'orders:read', 'orders:write'] as const
export type ApiScope = (typeof API_SCOPES)[number]

/** The most working keys that one agent can have, and the most of those replaced that may work on beside them. */
export const MAX_API_KEYS = 20

const NAME = 'Enter a name of 1 to 40 characters.'
const SCOPES = 'Choose what the key may do.'
const ADDRESSES = 'Enter at most 20 IP addresses or ranges, such as 203.0.113.12 or 203.0.113.0/24.'
const OVERLAP = 'The old key works on for 0 to 168 hours.'
const DAYS = 'A key lasts 1 to 730 days.'

/** Where calls may come from; none for anywhere. */
export const addressList = z
  .array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], { error: ADDRESSES }), { error: ADDRESSES })
  .check(z.maxLength(20, { error: ADDRESSES }))

const createKeyRequest = z.object({
  /** A test key never moves money. */
  test: z.optional(z.boolean()),
  name: z.string({ error: NAME }).check(tidy(), z.minLength(1, { error: NAME }), z.maxLength(40, { error: NAME })),
  scopes: z
    .array(z.enum(API_SCOPES, { error: SCOPES }), { error: SCOPES })
    .check(z.minLength(1, { error: SCOPES }), z.maxLength(4, { error: SCOPES })),
  addresses: z.optional(addressList),
  expiresInDays: z.optional(
    z.number({ error: DAYS }).check(z.int({ error: DAYS }), z.minimum(1, { error: DAYS }), z.maximum(730, { error: DAYS })),
  ),
})
const rotateKeyRequest = z.object({
  overlapHours: z
    .number({ error: OVERLAP })
    .check(z.int({ error: OVERLAP }), z.minimum(0, { error: OVERLAP }), z.maximum(168, { error: OVERLAP })),
})
export type CreateKeyRequest = z.output<typeof createKeyRequest>

/**
 * A key without its secret. Times are ISO, and null while they don't apply; `usedAt` is true to five minutes.
 * `isReplaced`: another key took over, and this one works until `expiresAt`.
 */
const apiKey = z.object({
  _id: z.string(),
  name: z.string(),
  ending: z.string(),
  scopes: z.array(z.enum(API_SCOPES)),
  addresses: z.array(z.string()),
  isTest: z.boolean(),
  isReplaced: z.boolean(),
  /** Nobody gave the PIN for it, and the wallet asks for one by now: it buys nothing until it is replaced. */
  lacksPin: z.boolean(),
  createdAt: z.string(),
  usedAt: z.nullable(z.string()),
  expiresAt: z.nullable(z.string()),
  endedAt: z.nullable(z.string()),
})
export type ApiKey = z.output<typeof apiKey>

export const apiKeyEndpoints = endpoints({
  'GET /api-keys': {
    id: 'listApiKeys',
    tag: 'users',
    summary: 'Own keys of the developer API: those that work first, then the newest, at most 50',
    access: 'signed-in',
    reply: z.array(apiKey),
  },
  'POST /api-keys': {
    id: 'createApiKey',
    tag: 'users',
    summary: 'Make a key of the developer API, for agents. `secret` is shown this once',
    access: 'signed-in',
    headers: z.object(pinProofHeader),
    body: createKeyRequest,
    reply: z.object({ key: apiKey, secret: z.string() }),
    errors: ['FORBIDDEN', 'PASSWORD_NEEDED', 'PIN_REQUIRED', 'CONFLICT'],
  },
  'POST /api-keys/:id/rotate': {
    id: 'rotateApiKey',
    tag: 'users',
    summary: 'Replace a key by a new one with the same rights. The old one works on for `overlapHours`. `secret` is shown this once',
    access: 'signed-in',
    params: idParam('key'),
    headers: z.object(pinProofHeader),
    body: rotateKeyRequest,
    reply: z.object({ key: apiKey, secret: z.string() }),
    errors: ['FORBIDDEN', 'PASSWORD_NEEDED', 'PIN_REQUIRED', 'NOT_FOUND', 'CONFLICT'],
  },
  'DELETE /api-keys/:id': {
    id: 'endApiKey',
    tag: 'users',
    summary: 'End a key: it works no more from this moment',
    access: 'signed-in',
    params: idParam('key'),
    reply: z.object({ key: apiKey }),
    errors: ['NOT_FOUND'],
  },
})
