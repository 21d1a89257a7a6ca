import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify'
import { type Access, isForStaff } from '../../../shared/endpoint.ts'
import { hasRole } from '../../../shared/staff-rules.ts'
import type { Actor } from '../context.ts'
import { Forbidden, Unauthenticated } from '../errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Required on every route; the app does not start without it. */
    access?: Access
    /** The handler identifies the caller itself, in its own statement, and calls `identify` if that is not conclusive. */
    findsActor?: true
  }
  interface FastifyRequest {
    actor: Actor | null
    /** The bearer token if it is well-formed, or null; not yet verified. */
    token: string | null
    /**
     * Sets `actor` to the token's user.
     * @throws Unauthenticated when the token has no live session.
     */
    identify(): Promise<void>
  }
}

/** Errors about a body, raised before the handler runs: invalid, too large, wrong type. */
const OF_THE_BODY = [400, 413, 415]

/**
 * Identifies the caller by bearer token and enforces each route's `config.access`. It runs after the body has arrived, since
 * a client may send it slowly; writes check rights again in their transaction (`lock-actor.ts`).
 * @throws Error when a route declares no access.
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
    if (!access) throw new Error(`${String(route.method)} ${route.url} declares no access`)
    if (findsActor && access !== 'signed-in') throw new Error(`${route.url}: findsActor needs access "signed-in"`)
    if (access !== 'anyone') route.errorHandler = authoriseFirst
  })

  app.addHook('onRequest', async (request) => {
    request.token = bearerToken(request.headers.authorization)
    if (isOpen(request)) return
    if (!request.token) throw new Unauthenticated()
    // Large bodies are accepted only after authentication.
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
  const { access } = request.routeOptions.config
  if (access && isForStaff(access) && !(request.actor && hasRole(request.actor, access))) throw new Forbidden()
}

/** Return 401 before validation errors, so anonymous callers learn nothing about the schema. */
async function authoriseFirst(error: FastifyError, request: FastifyRequest) {
  if (OF_THE_BODY.includes(error.statusCode ?? 0) && !request.actor) await authorise(request)
  throw error
}

function bearerToken(header: string | undefined): string | null {
  const match = /^Bearer ([A-Za-z0-9_-]{20,100})$/i.exec(header ?? '')
  return match?.[1] ?? null
}
