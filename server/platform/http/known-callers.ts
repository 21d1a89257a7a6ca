import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'

const MOST_KNOWN = 20_000
const UNAUTHENTICATED = 401

export type KnownCallers = {
  /** The account whose token or API key a request shows, if that was genuine when last asked for; says nothing about whether it still is. */
  ownerOf(request: FastifyRequest): string | undefined
}

/**
 * Remembers whose a token was, so that a request has its account's share of this process before the database is asked. Tokens that are
 * made up are never kept, so they neither make shares nor push out others.
 */
export function noteCallers(app: FastifyInstance, { most = MOST_KNOWN, onProven }: Options = {}): KnownCallers {
  const owners = new Map<string, string>()
  app.addHook('onSend', async (request, reply) => {
    const key = keyOf(request)
    if (key === null) return
    if (!request.actor) {
      if (reply.statusCode === UNAUTHENTICATED) owners.delete(key)
      return
    }
    if (!owners.delete(key)) onProven?.(request)
    owners.set(key, request.actor.id)
    if (owners.size > most) owners.delete(owners.keys().next().value as string)
  })
  return {
    ownerOf(request) {
      const key = keyOf(request)
      return key === null ? undefined : owners.get(key)
    },
  }
}

type Options = { most?: number; onProven?: (request: FastifyRequest) => void }

/** Null without a token. */
function keyOf({ headers: { authorization } }: FastifyRequest): string | null {
  return authorization === undefined ? null : createHash('sha256').update(authorization.slice(0, 200)).digest('base64')
}
