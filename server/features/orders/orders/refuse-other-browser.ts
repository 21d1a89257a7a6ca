import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Queryable } from '../../../platform/db.ts'
import { AppError } from '../../../platform/errors.ts'
import { hashToken } from '../../../platform/hash-token.ts'
import { GUEST_BROWSER } from '../../../platform/http/browser-ids.ts'

/** The hash of the id of a guest's browser; null when it has none. */
export function guestBrowserOf(request: FastifyRequest): Buffer | null {
  const id = GUEST_BROWSER.read(request)
  return id === null ? null : hashToken(id)
}

/** Gives the browser that begins a guest's payment a random id, unless it has one. Its hash is kept with the payment. */
export function keepGuestBrowser(request: FastifyRequest, reply: FastifyReply, publicUrl: string): Buffer {
  const id = GUEST_BROWSER.read(request) ?? GUEST_BROWSER.make()
  GUEST_BROWSER.keep(reply, id, publicUrl)
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

/** Whether a payment was made in the browser. */
export async function hasPaidIn(db: Queryable, browser: Buffer): Promise<boolean> {
  const { rowCount } = await db.query(`select from payments where guest_browser = $1 and status = 'paid' limit 1`, [browser])
  return rowCount === 1
}
