import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance } from 'fastify'
import { addressKey } from './address-key.ts'

/**
 * Many phones share one address of a mobile operator, so this is wide. Each process counts for itself, which is what it is
 * for: that one asker does not take a whole process. What guards accounts, money and messages is counted by all together.
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
