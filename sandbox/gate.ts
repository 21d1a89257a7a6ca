import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

export type SandboxAccess = {
  /** True when other machines may reach the shop; then every visit needs the admin. */
  exposed: boolean
  isAdmin: (token: string) => Promise<boolean>
  /** The shop's own address; with https the cookie is Secure. */
  shopUrl: () => string
}

const COOKIE = 'sandbox_visit'
const VISIT_MS = 60 * 60_000
/** A local proxy adds at least one of these, so the visitor may be anyone. */
const PROXY_HEADERS = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'forwarded', 'via', 'cf-connecting-ip']
/** A customer's card pop-up, which has its own access code, and its assets. */
const ANYONES = /^\/sandbox\/(?:page\/|card\/)/

/**
 * Protects the outbox, which has reset links, and the simulators' controls: only this machine or the admin may visit. A page
 * opened in a browser sends no Authorization header, so the admin's session is exchanged for an httpOnly cookie that ends
 * with it.
 */
export function guardSandbox(
  app: FastifyInstance,
  { exposed, isAdmin, shopUrl }: SandboxAccess,
  sendSignIn: (reply: FastifyReply) => unknown,
) {
  const visits = new Map<string, { token: string; endsAt: number }>()
  const visitOf = (request: FastifyRequest) => {
    const id = new RegExp(`(?:^|;\\s*)${COOKIE}=([A-Za-z0-9_-]{43})(?:;|$)`).exec(request.headers.cookie ?? '')?.[1]
    const visit = id === undefined ? undefined : visits.get(id)
    return visit && visit.endsAt > Date.now() ? visit.token : null
  }
  const mayVisit = async (request: FastifyRequest) => {
    if (!exposed && isThisMachine(request)) return true
    const token = bearerOf(request) ?? visitOf(request)
    return token !== null && isAdmin(token)
  }

  app.addHook('onRequest', async (request, reply) => {
    const path = request.routeOptions.url ?? ''
    if (ANYONES.test(path) || (await mayVisit(request))) return
    void reply.code(401)
    if (path === '/sandbox') return sendSignIn(reply)
    return reply.send({ message: 'Please sign in as the admin to see the sandbox.', code: 'UNAUTHENTICATED' })
  })

  app.post('/api/sandbox/visit', { schema: { hide: true } }, async (request, reply) => {
    const token = bearerOf(request)
    // No sign-in is needed on this machine.
    if (token === null) return reply.code(204).send()
    for (const [id, { endsAt }] of visits) if (endsAt <= Date.now()) visits.delete(id)
    const id = randomBytes(32).toString('base64url')
    visits.set(id, { token, endsAt: Date.now() + VISIT_MS })
    const secure = shopUrl().startsWith('https:') ? '; Secure' : ''
    return reply
      .code(204)
      .header('set-cookie', `${COOKIE}=${id}; Path=/; Max-Age=${VISIT_MS / 1000}; HttpOnly; SameSite=Strict${secure}`)
      .send()
  })
}

function isThisMachine({ headers, socket }: FastifyRequest): boolean {
  if (PROXY_HEADERS.some((name) => headers[name] !== undefined)) return false
  return isLoopback(socket.remoteAddress ?? '') && isLoopback((headers.host ?? '').replace(/:\d+$/, ''))
}

function isLoopback(name: string): boolean {
  return /^(?:localhost|(?:::ffff:)?127(?:\.\d{1,3}){3}|\[?::1\]?)$/i.test(name)
}

function bearerOf({ headers }: FastifyRequest): string | null {
  return /^Bearer ([A-Za-z0-9_-]{20,100})$/.exec(headers.authorization ?? '')?.[1] ?? null
}
