import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Of a guest who has begun a payment. */
export const GUEST_BROWSER = browserIds({ name: 'guest', path: '/api' })

const YEAR_SECONDS = 31_536_000

/**
 * A random id that a browser keeps in a cookie of this name, and sends with requests below `path`. It grants nothing by itself; only its hash is stored.
 */
export function browserIds({ name, path }: { name: string; path: string }) {
  const pattern = new RegExp(`(?:^|;\\s*)${name}=([A-Za-z0-9_-]{32})(?:;|$)`)
  return {
    make: (): string => randomBytes(24).toString('base64url'),
    /** Null when the browser has none. */
    read: (request: FastifyRequest): string | null => pattern.exec(request.headers.cookie ?? '')?.[1] ?? null,
    /** Has the browser keep an id for a year. */
    keep(reply: FastifyReply, id: string, publicUrl: string): void {
      const secure = publicUrl.startsWith('https:') ? '; Secure' : ''
      void reply.header('set-cookie', `${name}=${id}; Path=${path}; Max-Age=${YEAR_SECONDS}; HttpOnly; SameSite=Strict${secure}`)
    },
  }
}
