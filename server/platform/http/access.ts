import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify'
import type { Access } from '../../../shared/endpoint.ts'
import type { Actor } from '../context.ts'
import { Forbidden, Unauthenticated } from '../errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Every route says it; one that does not stops the app from being built. */
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

/**
 * Finds out who asks from the bearer token, and holds each route to its `config.access`. That happens once the body is
 * complete, since a body may take as long as the asker likes; what the asker may still do when a write begins, the
 * write asks again (`lock-actor.ts`).
 */
export function registerAccess(app: FastifyInstance, findActor: (token: string) => Promise<Actor | null>) {
  app.decorateRequest('actor', null)
  app.decorateRequest('token', null)
  app.decorateRequest('identify', async function identify(this: FastifyRequest) {
    this.actor = null
    if (!this.token) throw new Unauthenticated()
    this.actor = await findActor(this.token)
    if (!this.actor) throw new Unauthenticated('Your session has ended. Please sign in again.')
  })

  app.addHook('onRoute', (route) => {
    const { access, findsActor } = route.config ?? {}
    if (!access) throw new Error(`${String(route.method)} ${route.url} does not say who may call it`)
    if (findsActor && access !== 'signed-in')
      throw new Error(`${route.url} cannot find its asker by itself, since that is all it would ask`)
    if (access !== 'anyone') route.errorHandler = authoriseFirst
  })

  app.addHook('onRequest', async (request) => {
    request.token = bearerToken(request.headers.authorization)
    if (isOpen(request)) return
    if (!request.token) throw new Unauthenticated()
    // Nobody sends more than a page of text without having shown who they are.
    if (request.routeOptions.bodyLimit > (app.initialConfig.bodyLimit ?? 0)) await authorise(request)
  })

  app.addHook('preValidation', async (request) => {
    if (isOpen(request) || request.routeOptions.config.findsActor) return
    await authorise(request)
  })
}

function isOpen(request: FastifyRequest): boolean {
  const { access } = request.routeOptions.config
  return access === undefined || access === 'anyone'
}

async function authorise(request: FastifyRequest) {
  await request.identify()
  if (request.routeOptions.config.access === 'admin' && request.actor?.level !== 'Admin') throw new Forbidden()
}

/** An anonymous caller gets 401 before anything about a body, so that they learn nothing about the schema. */
async function authoriseFirst(error: FastifyError, request: FastifyRequest) {
  if (OF_THE_BODY.includes(error.statusCode ?? 0) && !request.actor) await authorise(request)
  throw error
}

function bearerToken(header: string | undefined): string | null {
  const match = /^Bearer ([A-Za-z0-9_-]{20,100})$/.exec(header ?? '')
  return match?.[1] ?? null
}
