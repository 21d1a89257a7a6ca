import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { addressKey } from '../address-key.ts'
import { TooManyAttempts } from '../errors.ts'
import { type FairTurns, laneOf, openFairTurns, type Turn } from '../fair-turns.ts'
import { countShareRefused } from '../metrics.ts'
import { type ShareName, shareOf } from '../shares.ts'

/** Wide, since many only wait for a service outside: what bounds the work is each lane's share. */
const LIMITS = { atOnce: 1_000, inAll: 5_000, waitMs: 2_500 }
/** A file, or a list without `page`, reads up to a hundred times as much as a page. */
const HEAVY = 3
const MOST_KNOWN = 20_000
const UNAUTHENTICATED = 401

/**
 * Bounds the requests that one account, or one address for everybody who is not signed in, has in flight before any of them reaches the
 * database. Others wait for their turn, and what is over or waits too long is refused with 429. An account's reply counts until it
 * was read, so that nobody has us keep many of them.
 */
export function limitWork(app: FastifyInstance, limits = LIMITS): { waiting: () => number } {
  const both: Record<'requests' | 'open requests', FairTurns> = {
    requests: openFairTurns({ ...limits, ...laneOf(shareOf('requests')) }),
    'open requests': openFairTurns({ ...limits, ...laneOf(shareOf('open requests')) }),
  }
  /** Whose a token was when it was last asked for. One that is made up stays in its address's lane. */
  const owners = new Map<string, string>()
  const turnOf = new WeakMap<FastifyRequest, { turn: Turn; key: string | null }>()

  // After the body has arrived, since a slow one would keep others of the lane waiting.
  app.addHook('preValidation', async (request, reply) => {
    if (!/^\/(api|v1|images|s)\//.test(request.url) || request.routeOptions.config.requests) return
    const key = keyOf(request)
    const owner = key === null ? undefined : owners.get(key)
    const share = owner === undefined ? 'open requests' : 'requests'
    const gone = new AbortController()
    const leave = () => gone.abort()
    reply.raw.once('close', leave)
    const place = { weight: weightOf(request), signal: gone.signal }
    const turn = await both[share].take({ lane: owner ?? addressKey(request.ip) }, place).catch(refused(share))
    reply.raw.off('close', leave)
    turnOf.set(request, { turn, key })
    reply.raw.once('finish', turn.end)
    reply.raw.once('close', turn.end)
    if (reply.raw.destroyed) turn.end()
  })
  app.addHook('onSend', async (request, reply) => {
    const begun = turnOf.get(request)
    if (!begun) return
    const { turn, key } = begun
    // Hundreds of slow phones share an operator's address.
    if (key === null) return turn.end()
    turn.rest()
    if (request.actor) note(owners, key, request.actor.id)
    else if (reply.statusCode === UNAUTHENTICATED) owners.delete(key)
  })
  return { waiting: () => both.requests.waiting() + both['open requests'].waiting() }
}

function refused(share: ShareName) {
  return (error: unknown): never => {
    if (error instanceof TooManyAttempts) countShareRefused(share)
    throw error
  }
}

/** Null without a token. */
function keyOf({ headers: { authorization } }: FastifyRequest): string | null {
  return authorization === undefined ? null : createHash('sha256').update(authorization.slice(0, 200)).digest('base64')
}

function note(owners: Map<string, string>, key: string, owner: string) {
  owners.delete(key)
  owners.set(key, owner)
  if (owners.size > MOST_KNOWN) owners.delete(owners.keys().next().value as string)
}

function weightOf(request: FastifyRequest): number {
  const { endpoint } = request.routeOptions.config
  const isUnpaged = endpoint?.list === true && (request.query as { page?: unknown }).page === undefined
  return isUnpaged || endpoint?.reply === 'csv' ? HEAVY : 1
}
