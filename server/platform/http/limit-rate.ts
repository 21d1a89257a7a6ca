import type { FastifyInstance } from 'fastify'
import type { RateLimiter } from '../rate-limiter.ts'
import { addressKey } from './address-key.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** How often the call may be made by one user or from one address, counted by all processes together. */
    tries?: { of: string; by: 'user' | 'address'; size: number; everyMs: number }
  }
}

/** Holds each route to its `config.tries`. A request that is not valid costs none. */
export function limitRate(app: FastifyInstance, tries: RateLimiter) {
  app.addHook('preHandler', async (request) => {
    const limit = request.routeOptions.config.tries
    if (!limit) return
    const { of, by, size, everyMs } = limit
    const who = by === 'user' ? request.actor?.id : addressKey(request.ip)
    await tries.take([{ name: `${of} ${who}`, size, everyMs }])
  })
}
