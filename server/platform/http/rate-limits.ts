import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance } from 'fastify'

/** Many phones share one address of a mobile operator, so limits by address are wide; tight ones go by account. */
const REQUESTS_PER_MINUTE_AND_ADDRESS = 3_000

export async function registerRateLimits(app: FastifyInstance, on: boolean) {
  await app.register(rateLimit, {
    global: on,
    max: on ? REQUESTS_PER_MINUTE_AND_ADDRESS : Number.MAX_SAFE_INTEGER,
    timeWindow: '1 minute',
    allowList: on ? [] : () => true,
    errorResponseBuilder: (_request, { after }) =>
      Object.assign(new Error(`Too many tries. Please wait ${after} and try again.`), { statusCode: 429 }),
  })
}
