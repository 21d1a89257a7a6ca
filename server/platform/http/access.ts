import type { FastifyInstance } from 'fastify'
import type { Actor } from '../context.ts'
import { Forbidden, Unauthenticated } from '../errors.ts'

/** Who may call a route. Every route says it; one that does not is refused when the app is built. */
export type Access = 'anyone' | 'signed-in' | 'admin'

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access
  }
  interface FastifyRequest {
    actor: Actor | null
  }
}

/** Finds out who asks from the bearer token, and holds each route to its `config.access`. */
export function registerAccess(app: FastifyInstance, findActor: (token: string) => Promise<Actor | null>) {
  app.decorateRequest('actor', null)

  app.addHook('onRoute', (route) => {
    if (!route.config?.access) throw new Error(`${String(route.method)} ${route.url} does not say who may call it`)
  })

  app.addHook('onRequest', async (request) => {
    const access = request.routeOptions.config.access
    const token = bearerToken(request.headers.authorization)
    if (access === undefined || access === 'anyone') return
    if (!token) throw new Unauthenticated()
    request.actor = await findActor(token)
    if (!request.actor) throw new Unauthenticated('Your session has ended. Please sign in again.')
    if (access === 'admin' && request.actor.level !== 'Admin') throw new Forbidden()
  })
}

function bearerToken(header: string | undefined): string | null {
  const match = /^Bearer ([A-Za-z0-9_-]{20,100})$/.exec(header ?? '')
  return match?.[1] ?? null
}
