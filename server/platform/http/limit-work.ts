import type { FastifyInstance, FastifyRequest } from 'fastify'
import { networkKey } from '../address-key.ts'
import { TooManyAttempts } from '../errors.ts'
import { laneOf, openFairTurns, type Turn } from '../fair-turns.ts'
import { countShareRefused } from '../metrics.ts'
import { type ShareName, shareOf } from '../shares.ts'
import { type KnownCallers, noteCallers } from './known-callers.ts'

/** Wide, since many only wait for a service outside: what bounds the work is each lane's share. */
const LIMITS = { atOnce: 1_000, inAll: 5_000, waitMs: 2_500 }
/** A file, or a list without `page`, reads up to a hundred times as much as a page. */
const HEAVY = 3

/**
 * Bounds the requests that one account, or one address for everybody who is not signed in, has in flight before any of them reaches the
 * database. Others wait for their turn, and what is over or waits too long is refused with 429. An account's reply counts until it
 * was read, so that nobody has us keep many of them.
 */
export function limitWork(
  app: FastifyInstance,
  /** `openReadsAtOnce`: at work at once for whoever is not signed in. They wait for nothing outside, so this leaves connections to all others. */
  { openReadsAtOnce, ...given }: { openReadsAtOnce: number } & Partial<typeof LIMITS>,
  /** A token that is made up stays in its address's lane. */
  callers: KnownCallers = noteCallers(app),
): { waiting: () => number } {
  const limits = { ...LIMITS, ...given }
  const ofOpen = laneOf(shareOf('open requests'))
  const known = openFairTurns({ ...limits, ...laneOf(shareOf('requests')) })
  const openActs = openFairTurns({ ...limits, ...ofOpen })
  const openReads = openFairTurns({ ...limits, atOnce: openReadsAtOnce, ...ofOpen })
  const turnOf = new WeakMap<FastifyRequest, Turn>()

  // After the body has arrived, since a slow one would keep others of the lane waiting.
  app.addHook('preValidation', async (request, reply) => {
    if (!/^\/(api|v1|images|s|t)\//.test(request.routeOptions.url ?? request.url) || request.routeOptions.config.requests) return
    const owner = callers.ownerOf(request)
    const share = owner === undefined ? 'open requests' : 'requests'
    const turns = owner !== undefined ? known : request.method === 'GET' ? openReads : openActs
    const gone = new AbortController()
    const leave = () => gone.abort()
    reply.raw.once('close', leave)
    const place = { weight: weightOf(request), signal: gone.signal }
    const turn = await turns.take({ lane: owner ?? networkKey(request.ip) }, place).catch(refused(share))
    reply.raw.off('close', leave)
    turnOf.set(request, turn)
    reply.raw.once('finish', turn.end)
    reply.raw.once('close', turn.end)
    if (reply.raw.destroyed) turn.end()
  })
  app.addHook('onSend', async (request) => {
    const turn = turnOf.get(request)
    // Hundreds of slow phones share an operator's address.
    if (request.headers.authorization === undefined) turn?.end()
    else turn?.rest()
  })
  return { waiting: () => known.waiting() + openActs.waiting() + openReads.waiting() }
}

function refused(share: ShareName) {
  return (error: unknown): never => {
    if (error instanceof TooManyAttempts) countShareRefused(share)
    throw error
  }
}

function weightOf(request: FastifyRequest): number {
  const { endpoint } = request.routeOptions.config
  const isUnpaged = endpoint?.list === true && (request.query as { page?: unknown }).page === undefined
  return isUnpaged || endpoint?.reply === 'csv' ? HEAVY : 1
}
