import type { FastifyInstance, FastifyRequest } from 'fastify'
import { addressKey } from '../address-key.ts'
import { TooManyAttempts } from '../errors.ts'
import { countShareRefused } from '../metrics.ts'
import { type Bucket, memoryBuckets, openRateLimiter, type RateLimiter } from '../rate-limiter.ts'
import { bucketOf, type RateName, type ShareName, shareOf } from '../shares.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What a call uses up of the caller's account's or address's shares. */
    shares?: readonly ShareName[]
    /** This route's own limit of requests from one address, instead of that of all others together. */
    requests?: { of: string; size: number; everyMs: number } | 'unlimited'
  }
}

/**
 * 3,000 requests a minute from one address: wide, since many phones share a mobile operator's. Each process counts for
 * itself, which only protects the process; limits on accounts, money and messages are counted across all processes.
 */
const REQUESTS = { of: 'requests', size: 3_000, everyMs: 20 }

export function requestsFrom(address: string): Bucket {
  return { name: `requests from ${addressKey(address)}`, size: REQUESTS.size, everyMs: REQUESTS.everyMs }
}

/** Limits every request by its address, before anything is looked up for it. `buckets` also count what never gets here. */
export function limitRequests(app: FastifyInstance, now: () => Date, buckets = memoryBuckets()) {
  const limiter = openRateLimiter(buckets, now)
  app.addHook('onRequest', async (request, reply) => {
    const limit = request.routeOptions.config.requests ?? REQUESTS
    if (limit === 'unlimited') return
    const { of, size, everyMs } = limit
    const bucket = { name: `${of} from ${addressKey(request.ip)}`, size, everyMs }
    await limiter.take([bucket]).finally(() => {
      const { attempts, allAfterMs } = buckets.left(bucket, now())
      void reply.headers({
        'x-ratelimit-limit': size,
        'x-ratelimit-remaining': attempts,
        'x-ratelimit-reset': Math.ceil(allAfterMs / 1_000),
      })
    })
  })
}

/** @throws Error when the app is built, for a write that names neither a share nor a limit of its own. */
export function requireShares(app: FastifyInstance) {
  app.addHook('onRoute', ({ method, url, config = {} }) => {
    const reads = [method].flat().every((one) => ['GET', 'HEAD', 'OPTIONS'].includes(one))
    if (reads || url.endsWith('/*') || config.requests || config.shares?.length) return
    throw new Error(`${String(method)} ${url} names no share of its caller (server/platform/shares.ts)`)
  })
}

/**
 * Takes a call from each route's shares of calls and messages. Invalid requests are not counted. `limiter` counts across all processes, and nothing is
 * limited without it.
 */
export function limitRate(app: FastifyInstance, limiter: RateLimiter | null, now: () => Date) {
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
    const take = (from: RateLimiter, names: RateName[]) => from.take(names.map((name) => bucketOf(name, callerOf(request, name))))
    for (const [from, names] of [[ownLimiter, inMemory] as const, [limiter, inDatabase] as const]) {
      if (names.length === 0) continue
      await take(from, names).catch((error: unknown) => {
        if (error instanceof TooManyAttempts) names.forEach(countShareRefused)
        throw error
      })
    }
  })
}

function callerOf(request: FastifyRequest, name: ShareName): string {
  return shareOf(name).by === 'address' ? addressKey(request.ip) : String(request.actor?.id)
}
