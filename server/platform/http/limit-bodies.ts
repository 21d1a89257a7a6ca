import type { FastifyInstance, FastifyRequest } from 'fastify'
import { addressKey } from '../address-key.ts'
import { ServiceUnavailable, TooManyAtOnce } from '../errors.ts'
import { countShareRefused } from '../metrics.ts'
import { shareOf } from '../shares.ts'
import type { KnownCallers } from './known-callers.ts'

/** Of all clients together, in one process. The smallest machine for a shop has 1 GB (docs/going-live.md). */
const BYTES_IN_ALL = 128_000_000

/**
 * Bounds the bodies that one account, or one address for everybody who is not signed in, has us keep: they are in memory from their first byte on,
 * long before the request counts as work in flight, and a client may take minutes to send one. A body counts as many bytes as it says it has, or as
 * its route takes where it does not say; until the reply is read, or the client is gone.
 */
export function limitBodies(app: FastifyInstance, callers: KnownCallers, bytesInAll = BYTES_IN_ALL): { bytes: () => number } {
  const kept = new Map<string, number>()
  let inAll = 0

  app.addHook('onRequest', async (request, reply) => {
    const bytes = bytesOf(request)
    if (bytes === 0) return
    const owner = callers.ownerOf(request)
    const share = owner === undefined ? 'open bodies' : 'bodies'
    const lane = owner === undefined ? `at ${addressKey(request.ip)}` : `of ${owner}`
    const before = kept.get(lane) ?? 0
    const isShareFull = before > 0 && before + bytes > shareOf(share).most
    if (isShareFull || inAll + bytes > bytesInAll) {
      // The rest of the body would be read before the next request otherwise.
      void reply.header('connection', 'close')
      if (!isShareFull) throw new ServiceUnavailable()
      countShareRefused(share)
      throw new TooManyAtOnce()
    }
    kept.set(lane, before + bytes)
    inAll += bytes
    let isOver = false
    const end = () => {
      if (isOver) return
      isOver = true
      inAll -= bytes
      const left = (kept.get(lane) ?? 0) - bytes
      if (left > 0) kept.set(lane, left)
      else kept.delete(lane)
    }
    reply.raw.once('finish', end)
    reply.raw.once('close', end)
  })
  return { bytes: () => inAll }
}

function bytesOf({ headers, routeOptions }: FastifyRequest): number {
  const { bodyLimit } = routeOptions
  if (headers['transfer-encoding'] !== undefined) return bodyLimit
  // What is longer is refused before it is read.
  return Math.min(Number(headers['content-length'] ?? 0) || 0, bodyLimit)
}
