import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { formatLongDate } from '../../../../shared/dates.ts'
import { type newApiOrder, V1, type V1Route } from '../../../../shared/developer-api.ts'
import { ifOnTheWayHeader } from '../../../../shared/fields.ts'
import { IDEMPOTENCY_KEY_HEADER, IF_ON_THE_WAY_HEADER } from '../../../../shared/limits.ts'
import { pesewasIn } from '../../../../shared/readers/read-amount.ts'
import { type Actor, type Ctx, requireActor } from '../../../platform/context.ts'
import { AppError, Forbidden, Invalid, TooManyAttempts, Unauthenticated } from '../../../platform/errors.ts'
import { hashToken } from '../../../platform/hash-token.ts'
import type { Api } from '../../../platform/http/api.ts'
import { toErrorReply } from '../../../platform/http/error-replies.ts'
import { readForStranger } from '../../../platform/http/guess-turns.ts'
import type { RateLimiter } from '../../../platform/rate-limiter.ts'
import type { Timings } from '../../../platform/timings.ts'
import type { Vault } from '../../../platform/vault.ts'
import { readCatalogue } from '../../catalogue/products/queries.ts'
import { deleteForms } from '../../orders/afa/afa.sql.ts'
import type { AfaRules } from '../../orders/afa/record-afa.ts'
import { type AfaOfLines, nameAfaForms, recordAfaForms } from '../../orders/afa/record-afa-form.ts'
import { placeBulkWithKey } from '../../orders/bulk/place-bulk.ts'
import { readForBuyer } from '../../orders/checkers/queries.ts'
import { findOrderId } from '../../orders/orders/queries.ts'
import { limitTakenCards } from '../../orders/purchases/limit-taken-cards.ts'
import { placeOrdersWithKey } from '../../orders/purchases/place-orders.ts'
import type { PurchaseLine, RefusedLine } from '../../orders/purchases/purchases.sql.ts'
import { selectKeyOwner, updateKeyUsed } from '../api-keys/api-keys.sql.ts'
import { matchAddress } from '../api-keys/match-address.ts'
import { composeGuide, GUIDE_POLICY } from './compose-guide.ts'
import { composeOpenApi } from './compose-openapi.ts'
import { takeKeyAttempt } from './developer-api.sql.ts'
import { placeTestOrders } from './place-test-orders.ts'
import { presentAmount, presentApiOrder, presentList, presentOffers, presentOrderId, presentTestChecker } from './present.ts'
import { readBalance, readList, readListOfPurchase, readLists, readMovements, readOrder, readOrders, readOrdersOfList } from './queries.ts'

const KEY = 'Send the header Idempotency-Key with 1 to 140 letters, digits, or ._:-'
const idempotencyKey = z.string({ error: KEY }).check(z.regex(/^[\w.:-]{1,140}$/, { error: KEY }))
const ifOnTheWay = ifOnTheWayHeader[IF_ON_THE_WAY_HEADER]

/** 120 requests at once with one key, and two more a second, counted over all processes. */
const RATE = { size: 120, everyMs: 500 }
/** 10 lists at once, and one more every six seconds. */
const LIST_RATE = { size: 10, everyMs: 6_000 }
/** 5,000 orders of some 130 bytes. */
const LIST_BYTES = 1024 * 1024
/** A key's last use is noted this seldom, so that reading costs no write. */
const NOTE_USE_AFTER_MS = 300_000
const MOST_ISSUES = 100

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls the developer API. */
    apiCaller: Caller | null
  }
}

type Caller = { actor: Actor; isTest: boolean; keyHash: Buffer; keyId: string }
type Allowance = { name: string; size: number; everyMs: number }
type Call<R extends V1Route> = {
  ctx: Ctx
  owner: { userId: string; isTest: boolean }
  keyHash: Buffer
  params: Part<R, 'params'>
  query: Part<R, 'query'>
  body: Part<R, 'body'>
  /** Of a write: what makes it happen once. */
  key: string
  /** Of a write: what is on its way to the same number already is refused. */
  asks: boolean
  /** Says that this reply was given before. */
  replayed: () => void
}
type Part<R extends V1Route, P extends string> = (typeof V1)[R] extends { [K in P]: infer S extends z.core.$ZodType }
  ? z.output<S>
  : undefined
type Handlers = { [R in V1Route]: (call: Call<R>) => Promise<z.input<(typeof V1)[R]['reply']>> }
type Deps = {
  limited: boolean
  cards: RateLimiter
  onOrders: () => void
  timings: Timings['testOrders']
  shopName: string
  vault: Vault | null
  afa: AfaRules
  publicUrl: () => string
}

/** The developer API under `/v1`. Its errors are `application/problem+json` (RFC 9457). */
export function developerApiRoutes(app: Api, { limited, cards, onOrders, timings, shopName, vault, afa, publicUrl }: Deps) {
  app.decorateRequest('apiCaller', null)
  app.setErrorHandler((error: FastifyError, request, reply) => sendProblem(error, request, reply))
  app.setNotFoundHandler((request, reply) => sendNothingHere(request, reply))
  // The number that an integrator tells us: each line of the log about the request has it.
  app.addHook('onRequest', async (request, reply) => void reply.header('request-id', request.id))
  let openApi: string | undefined
  app.get('/openapi.json', { schema: { hide: true }, config: { access: 'anyone' } }, (_request, reply) => {
    // Composed for whoever asks first: it would take a thirtieth of every start.
    openApi ??= JSON.stringify(composeOpenApi(shopName))
    return reply.type('application/json').header('cache-control', 'public, max-age=300').send(openApi)
  })

  app.get('/guide', { schema: { hide: true }, config: { access: 'anyone' } }, async (request, reply) => {
    const offers = presentOffers(await readCatalogue(request.ctx.db))
    const { network, offer, price } = offers[0] ?? { network: 'MTN', offer: '5GB', price: '23.00' }
    const afa = offers.find((one) => one.network === 'AFA') ?? null
    const facts = { shopName, origin: new URL(publicUrl()).origin, network, offer, price, receiver: '0244120001', afa }
    void reply.header('content-security-policy', GUIDE_POLICY).header('cache-control', 'no-store')
    return reply.type('text/html; charset=utf-8').send(composeGuide(facts))
  })

  const handlers: Handlers = {
    'GET /balance': async ({ ctx, owner }) => ({ balance: presentAmount(await readBalance(ctx, owner)), currency: 'GHS' }),

    'GET /statement': async ({ ctx, owner, query }) => {
      const { rows, next } = await readMovements(ctx, owner, query)
      return { data: rows, next_cursor: next }
    },

    'GET /catalogue': async ({ ctx }) => ({ data: presentOffers(await readCatalogue(ctx.db)) }),

    'GET /orders': async ({ ctx, owner, query }) => {
      const { rows, next } = await readOrders(ctx, owner, query)
      return { data: rows.map(presentApiOrder), next_cursor: next }
    },

    'GET /orders/{id}': async ({ ctx, owner, params: { id } }) => presentApiOrder(await readOrder(ctx, owner, id)),

    'GET /orders/{id}/checkers': async ({ ctx, owner, params: { id } }) => {
      const found = await readOrder(ctx, owner, id)
      return {
        data: found.isTest
          ? presentTestChecker(found)
          : await readForBuyer(ctx.db, vault, { id: await findOrderId(ctx, String(found.seq)), status: found.status }),
      }
    },

    'POST /orders': async (call) => {
      const { orders, balance } = await buy(call, [call.body], {
        pathOf: ({ code }) => fieldOf(code),
        askAt: () => 'receiver',
        lineAt: () => '',
      })
      const [order] = orders
      if (!order) throw new Error('a purchase made no order')
      return { ...order, balance }
    },

    'POST /orders/bulk': async (call) => {
      const { orders, balance } = await buy(call, call.body.orders, {
        pathOf: pathInOrders,
        askAt: receiverInOrders,
        lineAt: (index) => `orders.${index}.`,
      })
      return { data: orders, balance }
    },

    'POST /lists': async (call) => {
      const { ctx, owner, keyHash, key, replayed } = call
      const lines = toLines(call.body.orders)
      if (call.asks) refuseTwice(lines, receiverInOrders)
      const askAt = call.asks ? receiverInOrders : undefined
      const name = call.body.name ?? `List of ${formatLongDate(ctx.now)}`
      if (owner.isTest) {
        const placed = await placeTestOrders(ctx, timings, { keyHash, key, lines, listName: name, pathOf: pathInOrders, askAt })
        if (placed.replayed) replayed()
        const list = presentList(await readListOfPurchase(ctx, owner, placed.purchaseId))
        return { ...list, balance: presentAmount(placed.balancePesewas) }
      }
      const bulk = { name, placedBy: 'api' as const, groupId: null, leftOut: [], pathOf: pathInOrders, askAt, nameOrder, ...toBulk(lines) }
      const placed = await placeBulkWithKey(ctx, keyHash, { ...bulk, key: `v1:${key}` })
      if (placed.replayed) replayed()
      else onOrders()
      return { ...presentList(await readListOfPurchase(ctx, owner, placed.jobId)), balance: presentAmount(placed.balancePesewas) }
    },

    'GET /lists': async ({ ctx, owner, query }) => {
      const { rows, next } = await readLists(ctx, owner, query)
      return { data: rows.map(presentList), next_cursor: next }
    },

    'GET /lists/{id}': async ({ ctx, owner, params: { id } }) => presentList(await readList(ctx, owner, id)),

    'GET /lists/{id}/orders': async ({ ctx, owner, params: { id }, query }) => {
      const { rows, next } = await readOrdersOfList(ctx, owner, { id, ...query })
      return { data: rows.map((row) => ({ line: row.line, ...presentApiOrder(row) })), next_cursor: next }
    },
  }

  async function buy(
    { ctx, owner, keyHash, key, asks, replayed }: Pick<Call<'POST /orders'>, 'ctx' | 'owner' | 'keyHash' | 'key' | 'asks' | 'replayed'>,
    wanted: z.output<typeof newApiOrder>[],
    paths: { pathOf: (line: RefusedLine) => string; askAt: (index: number) => string; lineAt: (index: number) => string },
  ) {
    const details = toAfaDetails(wanted, paths.lineAt)
    const lines = toLines(wanted)
    if (asks) refuseTwice(lines, paths.askAt)
    const purchase = { lines, pathOf: paths.pathOf, askAt: asks ? paths.askAt : undefined, nameOrder }
    if (owner.isTest) {
      // The details of a test are looked at and not kept; what they would be kept as tells them from others under the same key.
      const afaForms = nameAfaForms(ctx, afa, { key, details, pathOf: (index) => `${paths.lineAt(index)}afa.` })
      const placed = await placeTestOrders(ctx, timings, { keyHash, key, ...purchase, afaForms })
      if (placed.replayed) replayed()
      return { orders: placed.orders.map(presentApiOrder), balance: presentAmount(placed.balancePesewas) }
    }
    const forms = await recordForms(ctx, { key, details, lineAt: paths.lineAt })
    const named = lines.map((line, index) => ({ ...line, afa: forms[index] ?? undefined }))
    const placed = await limitTakenCards(cards, { userId: requireActor(ctx).id, lines: named }, () =>
      placeOrdersWithKey(ctx, keyHash, { key: `v1:${key}`, ...purchase, lines: named }),
    ).finally(() => forgetForms(ctx, forms))
    if (placed.replayed) replayed()
    else onOrders()
    return { orders: placed.orders.map((order) => presentApiOrder(order)), balance: presentAmount(placed.balancePesewas) }
  }

  async function recordForms(ctx: Ctx, { key, details, lineAt }: { key: string; details: AfaOfLines; lineAt: (index: number) => string }) {
    if (details.every((one) => one === null)) return []
    return recordAfaForms(ctx, afa, { key, details, pathOf: (index) => `${lineAt(index)}afa.` })
  }

  /** A purchase has used them up; one that was refused or was there already leaves none behind. */
  async function forgetForms(ctx: Ctx, forms: readonly (string | null)[]) {
    const left = forms.filter((id) => id !== null)
    if (left.length > 0) await deleteForms(ctx.db, left)
  }

  for (const name of Object.keys(V1) as V1Route[]) register(app, name, handlers[name] as (call: never) => Promise<object>, limited)
}

type WantedLine = Omit<z.output<typeof newApiOrder>, 'afa'>

function toLines(wanted: readonly WantedLine[]): PurchaseLine[] {
  return wanted.map(({ network, offer, receiver, expected_price: price }) => {
    return { network, offer, receiver, product: null, clientId: null, expectedPricePesewas: pesewasIn(price) ?? 0 }
  })
}

/** A line that stands twice in one purchase is on its way already by the time that the second is bought. */
function refuseTwice(lines: readonly PurchaseLine[], pathOf: (index: number) => string) {
  const first = new Map<string, number>()
  const issues = lines.flatMap(({ network, offer, receiver }, index) => {
    const line = `${network} ${offer} for ${receiver}`
    const before = first.get(line)
    first.set(line, before ?? index)
    return before === undefined ? [] : [{ path: pathOf(index), message: `${line} is in this request twice.` }]
  })
  if (issues.length > 0) throw new AppError('ON_THE_WAY', issues[0]?.message ?? '', issues.slice(0, MOST_ISSUES))
}

/** Whom each line registers. AFA without details is refused here, though the site may ask for them later: a program is not there to be asked. */
function toAfaDetails(wanted: readonly z.output<typeof newApiOrder>[], lineAt: (index: number) => string): AfaOfLines {
  return wanted.map(({ network, receiver, afa }, index) => {
    const path = `${lineAt(index)}afa`
    if (network === 'AFA' && !afa) throw new Invalid([{ path, message: 'AFA needs the details of the person: send them as afa.' }])
    if (network !== 'AFA' && afa) throw new Invalid([{ path, message: `Only AFA takes details of a person; this is ${network}.` }])
    if (!afa) return null
    const { full_name: fullName, ghana_card: ghanaCard, birth_date: birthDate, region, town, occupation } = afa
    return { fullName, phone: receiver, ghanaCard, birthDate, region, town, occupation }
  })
}

/** The lines of a list as `placeBulkWithKey` takes them, numbered from 1, and what they come to. */
function toBulk(lines: PurchaseLine[]) {
  return {
    lines: lines.map(({ clientId: _, ...line }, index) => {
      return { ...line, number: index + 1, text: `${line.receiver} ${line.offer} ${line.network}`, name: '', retryOf: null }
    }),
    totalPesewas: lines.reduce((sum, { expectedPricePesewas }) => sum + expectedPricePesewas, 0),
  }
}

function fieldOf(code: RefusedLine['code']) {
  return code === 'PRICE_CHANGED' ? 'expected_price' : 'offer'
}

function pathInOrders({ code, index }: RefusedLine) {
  return `orders.${index}.${fieldOf(code)}`
}

/** As this API names an order of a live key. */
function nameOrder(seq: number) {
  return presentOrderId(seq, false)
}

function receiverInOrders(index: number) {
  return `orders.${index}.receiver`
}

function register(app: Api, name: V1Route, handle: (call: never) => Promise<object>, limited: boolean) {
  const [method, path] = name.split(' ') as ['GET' | 'POST', string]
  const declared: (typeof V1)[V1Route] & { writes?: true; params?: z.core.$ZodType; query?: z.core.$ZodType; body?: z.core.$ZodType } =
    V1[name]
  const { scope, writes, params, query, body } = declared
  app.route({
    method,
    url: path.replace(/\{(\w+)\}/, ':$1'),
    schema: { hide: true },
    ...(name === 'POST /lists' && { bodyLimit: LIST_BYTES }),
    // Before the body is read, so that strangers learn nothing about it and cannot send a large one.
    onRequest: async (request, reply) => {
      void reply.header('cache-control', 'no-store')
      refuseKeyInAddress(request.url)
      const caller = await authenticate(request, scope)
      if (limited) await takeTurn(request, reply, name === 'POST /lists' ? listsOf(caller) : requestsOf(caller))
      request.apiCaller = caller
      request.actor = caller.actor
    },
    handler: async (request, reply) => {
      if (body) refuseText(request)
      const { actor, keyHash, isTest } = request.apiCaller as Caller
      const call = {
        ctx: { ...request.ctx, actor },
        keyHash,
        owner: { userId: actor.id, isTest },
        key: writes ? parse(idempotencyKey, request.headers[IDEMPOTENCY_KEY_HEADER]) : '',
        asks: writes === true && parse(ifOnTheWay, request.headers[IF_ON_THE_WAY_HEADER]) !== undefined,
        params: params && parse(params, request.params),
        query: query && parse(query, request.query),
        body: body && parse(body, request.body),
        replayed: () => void reply.header('idempotency-replayed', 'true'),
      }
      const answer = await handle(call as never)
      return reply.code(writes ? 201 : 200).send(answer)
    },
  })
}

async function authenticate(request: FastifyRequest, scope: string): Promise<Caller> {
  const { db, now } = request.ctx
  if (request.headers.authorization === undefined) throw new Unauthenticated('Send your key in the header Authorization: Bearer dw_…')
  const [, secret] = /^bearer (dw_(?:live|test)_[\w-]{43})$/i.exec(request.headers.authorization ?? '') ?? []
  const keyHash = hashToken(secret ?? '')
  const found = secret === undefined ? null : await readForStranger(request.ip, () => selectKeyOwner(db, keyHash, now))
  if (!found) throw new Unauthenticated('This key does not work: it is unknown, has expired or was ended.')
  if (!matchAddress(found.addresses, request.ip)) throw new Forbidden('This key does not work from your IP address.')
  if (!found.scopes.some((one) => one === scope)) throw new Forbidden(`This key lacks the scope ${scope}.`)
  if (scope === 'orders:write' && found.lacksPin)
    throw new Forbidden('This key was made before its owner chose a PIN, so it buys nothing. Replace it under For developers.')
  if (now.getTime() - (found.usedAt?.getTime() ?? 0) > NOTE_USE_AFTER_MS) await updateKeyUsed(db, found.keyId, now)
  return { keyHash, keyId: found.keyId, isTest: found.isTest, actor: requireActor(found) }
}

function requestsOf({ keyId }: Caller): Allowance {
  return { name: `v1 ${keyId}`, ...RATE }
}

/** An agent's keys share it: a list is a second of the server's work, whichever key sends it. */
function listsOf({ actor }: Caller): Allowance {
  return { name: `v1 lists ${actor.id}`, ...LIST_RATE }
}

/** Counts a request, and says in the reply's headers what is left. */
async function takeTurn({ ctx }: FastifyRequest, reply: FastifyReply, { name, size, everyMs }: Allowance) {
  const { waitMs, left, allAfterMs } = await takeKeyAttempt(ctx.db, { name, size, everyMs, now: ctx.now })
  void reply.headers({
    'ratelimit-policy': `${size};w=${(size * everyMs) / 1000}`,
    'ratelimit-limit': size,
    'ratelimit-remaining': left,
    'ratelimit-reset': Math.ceil(allAfterMs / 1000),
  })
  if (waitMs > 0) throw new TooManyAttempts(waitMs)
}

/** Elsewhere text is an empty body of clients that send a type without one; here it would be told that its JSON is no object. */
function refuseText({ body, headers }: FastifyRequest) {
  if (typeof body !== 'string' || headers['content-type']?.startsWith('application/json')) return
  throw new AppError('UNSUPPORTED_MEDIA_TYPE', TITLES.UNSUPPORTED_MEDIA_TYPE)
}

/** Addresses are kept in the logs of whatever stands between: a key in one is no secret any more. */
function refuseKeyInAddress(url: string) {
  if (!/dw_(?:live|test)_/.test(url)) return
  const message = 'Send the key in the header Authorization, never in the address. Replace this key now: addresses are kept in logs.'
  throw new Invalid([{ path: 'Authorization', message }])
}

function parse<S extends z.core.$ZodType>(schema: S, input: unknown): z.output<S> {
  const { data, error } = z.safeParse(schema, input)
  if (error)
    throw new Invalid(error.issues.slice(0, MOST_ISSUES).map((issue) => ({ path: issue.path.join('.'), message: sayIssue(issue) })))
  return data as z.output<S>
}

/** In words what a schema without words of its own refuses. */
function sayIssue(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return `There is no field ${issue.keys.join(', ')}.`
  if (issue.code === 'too_big' && issue.origin === 'string') return `At most ${issue.maximum} characters, please.`
  if (issue.code === 'invalid_type' && issue.expected === 'object') return 'Send a JSON object.'
  return issue.message
}

/** Sentences for a person in a browser, in the words of a program's author. */
const TITLES = {
  UNSUPPORTED_MEDIA_TYPE: 'Send JSON, with the header Content-Type: application/json.',
  KEY_REUSED: 'This Idempotency-Key was sent before with another request. Use a new one for each purchase.',
} as const

function sendProblem(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  const { status, body } = toErrorReply(error, request, reply)
  if (status === 401) void reply.header('www-authenticate', 'Bearer')
  const { message, ...others } = body
  return sendBody(reply, {
    type: 'about:blank',
    title: body.code in TITLES ? TITLES[body.code as keyof typeof TITLES] : message,
    status,
    ...others,
  })
}

function sendNothingHere(request: FastifyRequest, reply: FastifyReply) {
  const methods = request.server.methodsAt(request.url.split('?', 1)[0] as string)
  if (methods.length === 0) {
    return sendBody(reply, { type: 'about:blank', title: 'There is nothing at this address.', status: 404, code: 'NOT_FOUND' })
  }
  const allow = methods.join(', ')
  void reply.header('allow', allow)
  return sendBody(reply, { type: 'about:blank', title: `This address only takes ${allow}.`, status: 405, code: 'METHOD_NOT_ALLOWED' })
}

function sendBody(reply: FastifyReply, problem: { status: number } & Record<string, unknown>) {
  return reply.code(problem.status).header('content-type', 'application/problem+json').send(JSON.stringify(problem))
}
