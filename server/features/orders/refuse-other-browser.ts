import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Queryable } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import { hashToken } from '../../platform/hash-token.ts'

const COOKIE = /(?:^|;\s*)guest=([A-Za-z0-9_-]{32})(?:;|$)/
const YEAR_SECONDS = 31_536_000

const read = (request: FastifyRequest) => COOKIE.exec(request.headers.cookie ?? '')?.[1] ?? null

/** The hash of the id of a guest's browser; null when it has none. */
export function guestBrowserOf(request: FastifyRequest): Buffer | null {
  const id = read(request)
  return id === null ? null : hashToken(id)
}

/** Gives the browser that begins a guest's payment a random id, unless it has one. Its hash is kept with the payment. */
export function keepGuestBrowser(request: FastifyRequest, reply: FastifyReply, publicUrl: string): Buffer {
  const id = read(request) ?? randomBytes(24).toString('base64url')
  const secure = publicUrl.startsWith('https:') ? '; Secure' : ''
  void reply.header('set-cookie', `guest=${id}; Path=/api; Max-Age=${YEAR_SECONDS}; HttpOnly; SameSite=Strict${secure}`)
  return hashToken(id)
}

/**
 * References stand in lists of the staff, at suppliers and in links that are passed on, and numbers beside them. So what is worth money to whoever has it
 * is shown in the browser that paid alone.
 * @throws AppError (CONFLICT) in another
 */
export async function refuseOtherBrowser(
  db: Queryable,
  { paymentReference, browser, instead }: { paymentReference: string | null; browser: Buffer | null; instead: string },
): Promise<void> {
  const { rowCount } = await db.query('select from payments where reference = $1 and guest_browser = $2', [paymentReference, browser])
  if (rowCount !== 1) throw new AppError('CONFLICT', `We show it on the phone that paid, in the same browser. ${instead}`)
}
