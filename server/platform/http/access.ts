import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify'
import type { Actor } from '../context.ts'
import { Forbidden, Unauthenticated } from '../errors.ts'

/** Who may call a route. Every route says it; one that does not is refused when the app is built. */
export type Access = 'anyone' | 'signed-in' | 'admin'

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access
    /** The route finds the asker in a statement of its own, and calls `identify` where that does not settle it. */
    findsActor?: true
  }
  interface FastifyRequest {
    actor: Actor | null
    /** The bearer token in its right form, or null; whose it is has still to be found out. */
    token: string | null
    /** Sets `actor` to whom the token belongs to. @throws Unauthenticated when that is nobody. */
    identify(): Promise<void>
  }
}

/** What is said of a body before it comes to the route: not valid, too large, of another type. */
const OF_THE_BODY = [400, 413, 415]

/** Finds out who asks from the bearer token, and holds each route to its `config.access`. */
export function registerAccess(app: FastifyInstance, findActor: (token: string) => Promise<Actor | null>) {
  app.decorateRequest('actor', null)
  app.decorateRequest('token', null)
  app.decorateRequest('identify', async function identify(this: FastifyRequest) {
    if (!this.token) throw new Unauthenticated()
    this.actor = await findActor(this.token)
    if (!this.actor) throw new Unauthenticated('Your session has ended. Please sign in again.')
  })

  app.addHook('onRoute', (route) => {
    const { access, findsActor } = route.config ?? {}
    if (!access) throw new Error(`${String(route.method)} ${route.url} does not say who may call it`)
    if (!findsActor) return
    if (access !== 'signed-in') throw new Error(`${route.url} cannot find its asker by itself, since that is all it would ask`)
    route.errorHandler = identifyFirst
  })

  app.addHook('onRequest', async (request) => {
    const { access, findsActor } = request.routeOptions.config
    request.token = bearerToken(request.headers.authorization)
    if (access === undefined || access === 'anyone') return
    if (findsActor && request.token) return
    await request.identify()
    if (access === 'admin' && request.actor?.level !== 'Admin') throw new Forbidden()
  })
}

/** Whoever is nobody is told so, and not what is wrong with a request that never came to the route. */
async function identifyFirst(error: FastifyError, request: FastifyRequest) {
  if (OF_THE_BODY.includes(error.statusCode ?? 0)) await request.identify()
  throw error
}

function bearerToken(header: string | undefined): string | null {
  const match = /^Bearer ([A-Za-z0-9_-]{20,100})$/.exec(header ?? '')
  return match?.[1] ?? null
}
