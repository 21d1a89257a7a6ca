import type { FastifyInstance } from 'fastify'
import { addressKey } from '../address-key.ts'
import { NotFound, TooManyAttempts, Unauthenticated } from '../errors.ts'
import { countShareRefused } from '../metrics.ts'
import type { RateLimiter } from '../rate-limiter.ts'
import { bucketOf } from '../shares.ts'

const WRONG = 'wrong signatures'
const MOST_SENDERS = 100

type Signed = {
  header: string
  /** What a signature looks like. */
  form: RegExp
  /** Whether anybody is to send here; always, if not given. */
  isSetUp?: () => boolean
  limiter: RateLimiter
}

/**
 * Refuses what is posted to the webhooks of `scope` before its body arrives, where no signature can be right, and where too many from that address were
 * wrong. Each call from an address of which nothing is known counts as wrong until its signature turns out right; the provider's own addresses,
 * from which that has come, are never limited.
 */
export function refuseUnsigned(scope: FastifyInstance, { header, form, isSetUp = () => true, limiter }: Signed) {
  const senders = new Set<string>()

  scope.addHook('onRequest', async (request, reply) => {
    if (request.method !== 'POST') return
    const address = addressKey(request.ip)
    try {
      if (!senders.has(address)) await limiter.take([bucketOf(WRONG, address)])
      if (!isSetUp()) throw new NotFound('webhook')
      if (!form.test(request.headers[header]?.toString() ?? '')) throw new Unauthenticated('The signature is not right.')
    } catch (error) {
      if (error instanceof TooManyAttempts) countShareRefused(WRONG)
      // The body would be read before the next request otherwise.
      void reply.header('connection', 'close')
      throw error
    }
  })
  scope.addHook('onSend', async (request, reply) => {
    if (request.method !== 'POST' || reply.statusCode !== 200) return
    const address = addressKey(request.ip)
    if (senders.has(address)) return
    senders.add(address)
    if (senders.size > MOST_SENDERS) senders.delete(senders.values().next().value as string)
    await limiter.giveBack(bucketOf(WRONG, address))
  })
}
