import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import type { ApiScope } from '../../../shared/api-keys.ts'
import { network, phone } from '../../../shared/fields.ts'
import { IDEMPOTENCY_KEY_HEADER } from '../../../shared/limits.ts'
import { formatPesewas, parseCedis } from '../../../shared/money.ts'
import { type Actor, type Ctx, requireActor } from '../../platform/context.ts'
import { Forbidden, Invalid, NotFound, Unauthenticated } from '../../platform/errors.ts'
import { hashToken } from '../../platform/hash-token.ts'
import type { Api } from '../../platform/http/api.ts'
import { toErrorReply } from '../../platform/http/error-replies.ts'
import { databaseBuckets, openRateLimiter, type RateLimiter } from '../../platform/rate-limiter.ts'
import { selectKeyOwner, updateKeyUsed } from '../api-keys/api-keys.sql.ts'
import { matchAddress } from '../api-keys/match-address.ts'
import { readCatalogue } from '../products/queries.ts'
import { placeOrdersWithKey } from '../purchases/place-orders.ts'
import { findOwnWallet } from '../wallet/queries.ts'
import { selectOrdersBefore, selectOwnOrder } from './developer-api.sql.ts'
import { presentApiOrder, presentOffers } from './present.ts'

const PRICE = 'Send expected_price as text, like "23.00".'
const KEY = 'Send the header Idempotency-Key with 1 to 150 letters, digits, or ._:-'
const CURSOR = 'Send the next_cursor of an earlier reply.'
const LIMIT = 'The limit is a whole number from 1 to 100.'
const newOrder = z.strictObject({
  network,
  offer: z.string().check(z.minLength(1), z.maxLength(100)),
  receiver: phone,
  expected_price: z.string({ error: PRICE }).check(z.regex(/^[0-9]{1,7}\.[0-9]{2}$/, { error: PRICE })),
})
const page = z.object({
  cursor: z.optional(z.string().check(z.regex(/^[0-9]{1,15}$/, { error: CURSOR }))),
  limit: z.optional(
    z.coerce.number({ error: LIMIT }).check(z.int({ error: LIMIT }), z.minimum(1, { error: LIMIT }), z.maximum(100, { error: LIMIT })),
  ),
})
const idempotencyKey = z.string({ error: KEY }).check(z.regex(/^[\w.:-]{1,150}$/, { error: KEY }))

/** 120 requests at once with one key, and two more a second, counted over all processes. */
const RATE = { size: 120, everyMs: 500 }

/** A key's last use is noted this seldom, so that reading costs no write. */
const NOTE_USE_AFTER_MS = 300_000

type Call = { request: FastifyRequest; reply: FastifyReply; ctx: Ctx; actor: Actor; keyHash: Buffer }

/** The developer API under `/v1`. Its errors are `application/problem+json` (RFC 9457). */
export function developerApiRoutes(app: Api, { limited, onOrders }: { limited: boolean; onOrders: () => void }) {
  app.setErrorHandler((error: FastifyError, request, reply) => sendProblem(error, request, reply))
  app.setNotFoundHandler((request, reply) => sendProblem(new NotFound('address') as unknown as FastifyError, request, reply))

  route(app, limited, 'GET', '/balance', 'balance:read', async ({ ctx, actor }) => {
    return { balance: formatPesewas((await findOwnWallet(ctx.db, actor.id)).balancePesewas), currency: 'GHS' }
  })
  route(app, limited, 'GET', '/catalogue', 'catalogue:read', async ({ ctx }) => ({ data: presentOffers(await readCatalogue(ctx.db)) }))
  route(app, limited, 'GET', '/orders', 'orders:read', async ({ ctx, actor, request }) => {
    const { cursor, limit = 20 } = parse(page, request.query)
    const rows = await selectOrdersBefore(ctx.db, {
      userId: actor.id,
      before: cursor === undefined ? null : Number(cursor),
      limit: limit + 1,
    })
    const shown = rows.slice(0, limit)
    return { data: shown.map(presentApiOrder), next_cursor: rows.length > limit ? String(shown.at(-1)?.seq) : null }
  })
  route(app, limited, 'GET', '/orders/:id', 'orders:read', async ({ ctx, actor, request }) => {
    const [, seq] = /^ord_([0-9]{1,15})$/.exec((request.params as { id: string }).id) ?? []
    const order = seq === undefined ? null : await selectOwnOrder(ctx.db, actor.id, Number(seq))
    if (!order) throw new NotFound('order')
    return presentApiOrder(order)
  })
  route(app, limited, 'POST', '/orders', 'orders:write', async ({ ctx, keyHash, request, reply }) => {
    const key = parse(idempotencyKey, request.headers[IDEMPOTENCY_KEY_HEADER])
    const { expected_price, ...order } = parse(newOrder, request.body)
    const line = { ...order, product: null, clientId: null, expectedPricePesewas: parseCedis(expected_price) ?? 0 }
    const purchase = await placeOrdersWithKey(ctx, keyHash, {
      key: `v1:${key}`,
      lines: [line],
      pathOf: ({ code }) => (code === 'PRICE_CHANGED' ? 'expected_price' : 'offer'),
    })
    onOrders()
    if (purchase.replayed) void reply.header('idempotency-replayed', 'true')
    const [placed] = purchase.orders
    if (!placed) throw new Error('a purchase made no order')
    void reply.code(purchase.replayed ? 200 : 201)
    return { ...presentApiOrder(placed), balance: formatPesewas(purchase.balancePesewas) }
  })
}

function route(app: Api, limited: boolean, method: 'GET' | 'POST', url: string, scope: ApiScope, handle: (call: Call) => Promise<object>) {
  app.route({
    method,
    url,
    schema: { hide: true },
    handler: async (request, reply) => {
      void reply.header('cache-control', 'no-store')
      const { ctx } = request
      const limiter = openRateLimiter(limited ? databaseBuckets(ctx.db) : null, () => ctx.now)
      const { actor, keyHash } = await authenticate(request, scope, limiter)
      return handle({ request, reply, actor, keyHash, ctx: { ...ctx, actor } })
    },
  })
}

async function authenticate(request: FastifyRequest, scope: ApiScope, limiter: RateLimiter) {
  const [, secret] = /^Bearer (dw_live_[\w-]{43})$/.exec(request.headers.authorization ?? '') ?? []
  const keyHash = hashToken(secret ?? '')
  const found = secret === undefined ? null : await selectKeyOwner(request.ctx.db, keyHash, request.ctx.now)
  if (!found) throw new Unauthenticated('This key does not work: it is unknown, has expired or was ended.')
  if (!matchAddress(found.addresses, request.ip)) throw new Forbidden('This key does not work from your IP address.')
  if (!found.scopes.includes(scope)) throw new Forbidden(`This key lacks the scope ${scope}.`)
  await limiter.take([{ name: `v1 ${found.keyId}`, ...RATE }])
  const { now } = request.ctx
  if (now.getTime() - (found.usedAt?.getTime() ?? 0) > NOTE_USE_AFTER_MS) await updateKeyUsed(request.ctx.db, found.keyId, now)
  return { keyHash, actor: requireActor(found) }
}

function parse<S extends z.core.$ZodType>(schema: S, input: unknown): z.output<S> {
  const { data, error } = z.safeParse(schema, input)
  if (error) throw new Invalid(error.issues.map(({ path, message }) => ({ path: path.join('.'), message })))
  return data as z.output<S>
}

function sendProblem(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  const { status, body } = toErrorReply(error, request, reply)
  const { message, ...others } = body
  const problem = { type: 'about:blank', title: message, status, ...others }
  return reply.code(status).header('content-type', 'application/problem+json').send(JSON.stringify(problem))
}
