import type { FastifyInstance } from 'fastify'
import type { RateLimiter } from '../rate-limiter.ts'
import { addressKey } from './address-key.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** How often one user or address may call this, counted across all processes. */
    tries?: { of: string; by: 'user' | 'address'; size: number; everyMs: number }
  }
}

/** Enforces each route's `config.tries`. Invalid requests are not counted. */
export function limitRate(app: FastifyInstance, tries: RateLimiter) {
  app.addHook('preHandler', async (request) => {
    const limit = request.routeOptions.config.tries
    if (!limit) return
    const { of, by, size, everyMs } = limit
    const who = by === 'user' ? request.actor?.id : addressKey(request.ip)
    await tries.take([{ name: `${of} ${who}`, size, everyMs }])
  })
}
