import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance } from 'fastify'
import { addressKey } from './address-key.ts'

/**
 * Wide, since many phones share a mobile operator's address. Each process counts for itself: this only protects the process.
 * Limits on accounts, money and messages are counted across all processes.
 */
const REQUESTS_PER_MINUTE_AND_ADDRESS = 3_000

export async function registerRateLimits(app: FastifyInstance, on: boolean) {
  await app.register(rateLimit, {
    global: on,
    max: on ? REQUESTS_PER_MINUTE_AND_ADDRESS : Number.MAX_SAFE_INTEGER,
    timeWindow: '1 minute',
    keyGenerator: (request) => addressKey(request.ip),
    allowList: on ? [] : () => true,
    errorResponseBuilder: (_request, { after }) =>
      Object.assign(new Error(`Too many tries. Please wait ${after} and try again.`), { statusCode: 429 }),
  })
}
