import type { FastifyInstance } from 'fastify'
import { addressKey } from '../address-key.ts'
import { memoryBuckets, openRateLimiter, type RateLimiter } from '../rate-limiter.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** How often one user or address may call this, counted across all processes. */
    attempts?: { of: string; by: 'user' | 'address'; size: number; everyMs: number }
    /** This route's own limit of requests from one address, instead of that of all others together. */
    requests?: { of: string; size: number; everyMs: number } | 'unlimited'
  }
}

/**
 * 3,000 requests a minute from one address: wide, since many phones share a mobile operator's. Each process counts for
 * itself, which only protects the process; limits on accounts, money and messages are counted across all processes.
 */
const REQUESTS = { of: 'requests', size: 3_000, everyMs: 20 }

/** Limits every request by its address, before anything is looked up for it. */
export function limitRequests(app: FastifyInstance, now: () => Date) {
  const buckets = memoryBuckets()
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

/** Enforces each route's `config.attempts`. Invalid requests are not counted. */
export function limitRate(app: FastifyInstance, limiter: RateLimiter) {
  app.addHook('preHandler', async (request) => {
    const limit = request.routeOptions.config.attempts
    if (!limit) return
    const { of, by, size, everyMs } = limit
    const who = by === 'user' ? request.actor?.id : addressKey(request.ip)
    await limiter.take([{ name: `${of} ${who}`, size, everyMs }])
  })
}
