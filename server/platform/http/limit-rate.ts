import type { FastifyInstance, FastifyRequest } from 'fastify'
import { addressKey, networkKey } from '../address-key.ts'
import { TooManyAttempts } from '../errors.ts'
import { hashToken } from '../hash-token.ts'
import { countShareRefused } from '../metrics.ts'
import { type Bucket, memoryBuckets, openRateLimiter, type RateLimiter } from '../rate-limiter.ts'
import { bucketOf, ofOneClient, type RateName, type ShareName, shareOf } from '../shares.ts'
import { GUEST_BROWSER } from './browser-ids.ts'
import { type KnownCallers, noteCallers } from './known-callers.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What a call uses up of the caller's account's or address's shares. */
    shares?: readonly ShareName[]
    /** This route's own limit of requests from one address, instead of that of all others together. */
    requests?: { of: string; size: number; everyMs: number } | 'unlimited'
  }
}

type Rate = { of: string; size: number; everyMs: number }

/**
 * What one address has in a minute: wide, since thousands of phones share a mobile operator's. Who is not signed in has a share for each way in,
 * so that a flood of one leaves the others open; tokens that nobody has proved genuine here have one of their own, which those that turn
 * out to be get back. Each process counts for itself, which only protects the process; limits on accounts, money and messages are
 * counted across all processes.
 */
const OF_ADDRESS = {
  pages: { of: 'requests', size: 3_000, everyMs: 20 },
  reads: { of: 'open reads', size: 1_500, everyMs: 40 },
  acts: { of: 'open acts', size: 1_500, everyMs: 40 },
  unproven: { of: 'unproven tokens', size: 600, everyMs: 100 },
  proven: { of: 'signed-in requests', size: 30_000, everyMs: 2 },
} satisfies Record<string, Rate>
/** What a token or key that was genuine counts against, wherever it comes from: nobody else uses it up. */
const OF_ACCOUNT: Rate = { of: 'requests', size: 1_200, everyMs: 50 }

const bucketFrom = ({ of, size, everyMs }: Rate, whom: string): Bucket => ({ name: `${of} from ${whom}`, size, everyMs })

/** A handshake of the realtime channel: nobody has signed in yet. */
export function handshakesFrom(address: string): Bucket {
  return bucketFrom(OF_ADDRESS.reads, addressKey(address))
}

/**
 * Limits every request by its account, if its token was genuine lately, and else by its address, before anything is looked up for it.
 * `buckets` also count what never gets here.
 */
export function limitRequests(app: FastifyInstance, now: () => Date, buckets = memoryBuckets()): KnownCallers {
  const limiter = openRateLimiter(buckets, now)
  const unproven = new WeakMap<FastifyRequest, Bucket>()
  const callers = noteCallers(app, {
    onProven: (request) => {
      const bucket = unproven.get(request)
      if (bucket) void limiter.giveBack(bucket)
    },
  })
  app.addHook('onRequest', async (request, reply) => {
    const own = request.routeOptions.config.requests
    if (own === 'unlimited') return
    const address = addressKey(request.ip)
    const owner = own ? undefined : callers.ownerOf(request)
    const way = own ?? OF_ADDRESS[wayOf(request)]
    const bucket = owner === undefined ? bucketFrom(way, address) : bucketFrom(OF_ACCOUNT, `account ${owner}`)
    const others = owner === undefined ? widened(bucketFrom(way, networkKey(request.ip))) : [bucketFrom(OF_ADDRESS.proven, address)]
    await limiter.take([bucket, ...others]).finally(() => {
      // Programs read the count of their key (RateLimit-…); two sets of headers would be one too many.
      if (request.routeOptions.url?.startsWith('/v1/')) return
      const { attempts, allAfterMs } = buckets.left(bucket, now())
      void reply.headers({
        'x-ratelimit-limit': bucket.size,
        'x-ratelimit-remaining': attempts,
        'x-ratelimit-reset': Math.ceil(allAfterMs / 1_000),
      })
    })
    if (way === OF_ADDRESS.unproven && owner === undefined) unproven.set(request, bucket)
  })
  return callers
}

/** The /48 of an IPv6 address has eight times what one of its /64 has; an IPv4 address is its own network, and is counted already. */
function widened({ name, size, everyMs }: Bucket): Bucket[] {
  return name.endsWith('/48') ? [{ name, size: 8 * size, everyMs: everyMs / 8 }] : []
}

function wayOf({ method, url, headers, routeOptions }: FastifyRequest): 'pages' | 'reads' | 'acts' | 'unproven' {
  // By its route, however the address was written.
  if (!/^\/(api|v1)\//.test(routeOptions.url ?? url)) return 'pages'
  if (headers.authorization !== undefined) return 'unproven'
  return method === 'GET' || method === 'HEAD' ? 'reads' : 'acts'
}

/** @throws Error when the app is built, for a write that names neither a share nor a limit of its own. */
export function requireShares(app: FastifyInstance) {
  app.addHook('onRoute', ({ method, url, config = {} }) => {
    const reads = [method].flat().every((one) => ['GET', 'HEAD', 'OPTIONS'].includes(one))
    if (reads || url.endsWith('/*') || config.requests || config.shares?.length) return
    throw new Error(`${String(method)} ${url} names no share of its caller (server/platform/shares.ts)`)
  })
}

declare module 'fastify' {
  interface FastifyRequest {
    /** What this call has taken of its address's shares that others there need, should it be refused. */
    takenOfAddress?: { name: RateName; bucket: Bucket }[]
  }
}

/**
 * Takes a call from each route's shares of calls and messages. Invalid requests are not counted. `limiter` counts across all processes, and nothing is
 * limited without it. `hasPaidIn`: whether a payment was made in the browser with this hash of its id.
 */
export function limitRate(
  app: FastifyInstance,
  limiter: RateLimiter | null,
  { now, hasPaidIn }: { now: () => Date; hasPaidIn: (browser: Buffer) => Promise<boolean> },
) {
  if (!limiter) return
  const ownLimiter = openRateLimiter(memoryBuckets(), now)
  app.addHook('preHandler', async (request) => {
    const { shares = [] } = request.routeOptions.config
    const inMemory: RateName[] = []
    const inDatabase: RateName[] = []
    for (const name of shares) {
      const share = shareOf(name)
      if ('everyMs' in share) (share.inEachProcess ? inMemory : inDatabase).push(name as RateName)
    }
    for (const [from, names] of [[ownLimiter, inMemory] as const, [limiter, inDatabase] as const]) {
      if (names.length === 0) continue
      await takeShares(from, request, names, hasPaidIn).catch((error: unknown) => {
        if (error instanceof TooManyAttempts) names.forEach(countShareRefused)
        throw error
      })
    }
  })
  app.addHook('onResponse', async (request, reply) => {
    if (reply.statusCode >= 400 && reply.statusCode < 500) for (const taken of request.takenOfAddress ?? []) await forgive(limiter, taken)
  })
}

async function takeShares(
  limiter: RateLimiter,
  request: FastifyRequest,
  names: RateName[],
  hasPaidIn: (browser: Buffer) => Promise<boolean>,
) {
  const ofCaller = names.map((name) => ({ name, bucket: bucketOf(name, callerOf(request, name)) }))
  const shared = ofCaller.filter(({ name }) => ofOneClient(name)?.refused)
  const ofNetwork = names.flatMap((name) => (shareOf(name).by === 'address' ? widened(bucketOf(name, networkKey(request.ip))) : []))
  const ofClient = [...names.flatMap((name) => clientBuckets(request, name)), ...ofNetwork]
  try {
    await limiter.take([...ofCaller.map(({ bucket }) => bucket), ...ofClient])
    request.takenOfAddress = shared
  } catch (error) {
    const id = GUEST_BROWSER.read(request)
    const isForBrowsers = names.every((name) => ofOneClient(name))
    if (!(error instanceof TooManyAttempts) || id === null || !isForBrowsers || !(await hasPaidIn(hashToken(id)))) throw error
    await limiter.take([...ofCaller.map(({ bucket }) => ({ ...bucket, name: `${bucket.name} in browsers that have paid` })), ...ofClient])
  }
}

/** A call that its endpoint has refused gives its place at the address to others, as long as there are not too many such calls. */
async function forgive(limiter: RateLimiter, { name, bucket }: { name: RateName; bucket: Bucket }) {
  const refused = ofOneClient(name)?.refused
  if (!refused) return
  try {
    await limiter.take([{ name: `${bucket.name} refused`, size: refused.most, everyMs: refused.everyMs }])
    await limiter.giveBack(bucket)
  } catch (error) {
    if (!(error instanceof TooManyAttempts)) throw error
  }
}

/** Of the browser, as its cookie names it, and of the number in the body, at the address. */
function clientBuckets(request: FastifyRequest, name: RateName): Bucket[] {
  const most = ofOneClient(name)
  if (!most) return []
  const { phone, phoneNumber } = (request.body ?? {}) as { phone?: unknown; phoneNumber?: unknown }
  const number = phone ?? phoneNumber
  const browser = GUEST_BROWSER.read(request)
  const clients = [
    ...(typeof number === 'string' ? [`number ${number}`] : []),
    ...(browser === null ? [] : [`browser ${hashToken(browser).toString('base64url')}`]),
  ]
  const at = addressKey(request.ip)
  return clients.map((client) => ({ name: `${name} ${at} of ${client}`, size: most.most, everyMs: most.everyMs }))
}

function callerOf(request: FastifyRequest, name: ShareName): string {
  return shareOf(name).by === 'address' ? addressKey(request.ip) : String(request.actor?.id)
}
