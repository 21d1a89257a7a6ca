import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ErrorBody } from '../../../shared/errors.ts'
import { shareRead } from '../share-read.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The slug of the agent's shop whose own host name was asked; null at the house's. */
    agentShop: string | null
  }
}

type Options = {
  /** The house's own address, whose host is never an agent's. */
  publicUrl: () => string
  /** The host names of agents' shops that the owner has approved, each with its shop's slug. */
  readHosts: () => Promise<Map<string, string>>
}

/** Files that are the same everywhere. */
export const FILES = /^\/(?:assets|images)\/[^/]+$|^\/(?:favicon\.svg|icon-[a-z0-9-]+\.png|healthz|readyz)$/
/** What a guest needs besides the shop itself: to follow an order, and a payment by its reference. `/sandbox` is the simulated card page. */
const FOR_GUESTS =
  /^\/(?:track\/?|t\/[^/]+|sandbox\/(?:card|page)\/.*|api\/track(?:\/[^/]+(?:\/checkers(?:\/send)?)?)?|api\/shops\/payment\/[^/]+\/(?:confirm|refund-codes)|api\/shops\/order\/[^/]+\/(?:report|refund-code|afa))$/

/** My Wallet, where a guest uses the code of a refund. It is the house's. */
const WALLET = '/user/finance'

/**
 * At an agent's own host name there is their shop, its payment and the tracker, and nothing else. Only the `Host` header counts, since
 * proxies pass on `X-Forwarded-Host` as a client sends it.
 */
export function limitAgentHosts(app: FastifyInstance, options: Options) {
  const { publicUrl } = options
  const findShop = openHostFinder(options)
  app.decorateRequest('agentShop', null)
  app.addHook('onRequest', async (request, reply) => {
    const path = request.url.split('?', 1)[0] as string
    if (FILES.test(path)) return
    request.agentShop = await findShop(request)
    if (request.agentShop !== null && !isForGuests(path, request.agentShop))
      return path === WALLET ? reply.redirect(new URL(WALLET, publicUrl()).href, 302) : sendAbsent(request, reply)
  })
}

/**
 * Finds the slug of the agent's shop whose own host name a request asks; null at the house's. Anybody can send any name: all of them share
 * one read.
 */
export function openHostFinder({ publicUrl, readHosts }: Options): (request: Pick<IncomingMessage, 'headers'>) => Promise<string | null> {
  const hosts = shareRead(readHosts)
  return async (request) => {
    const host = hostNameOf(request)
    if (host === null || host === new URL(publicUrl()).hostname) return null
    return (await hosts()).get(host) ?? null
  }
}

/** Null for what cannot be an agent's: an address in digits, or a name without a dot. */
function hostNameOf({ headers }: Pick<IncomingMessage, 'headers'>): string | null {
  const host = (headers.host ?? '').toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '')
  return /^(?=.{4,100}$)[a-z0-9.-]+\.[a-z]{2,}$/.test(host) ? host : null
}

function isForGuests(path: string, slug: string): boolean {
  return (
    ['/', `/s/${slug}`, `/api/shops/${slug}`, `/api/shops/${slug}/payment`, `/api/shops/${slug}/afa`].includes(path) ||
    FOR_GUESTS.test(path)
  )
}

/** A browser goes to the shop's only page; a program is told. */
function sendAbsent(request: FastifyRequest, reply: FastifyReply) {
  const isPage = ['GET', 'HEAD'].includes(request.method) && /text\/html/.test(request.headers.accept ?? '')
  if (isPage) return reply.redirect('/', 302)
  const body: ErrorBody = { message: 'There is nothing at this address.', code: 'NOT_FOUND' }
  return reply.code(404).header('cache-control', 'no-store').send(body)
}
