import { createHash, randomInt } from 'node:crypto'
import type { Ctx } from '../../../platform/context.ts'
import { type Tx, transaction } from '../../../platform/db.ts'
import { NotFound } from '../../../platform/errors.ts'
import { refuseOtherBrowser } from '../../orders/orders/refuse-other-browser.ts'
import { forgetOldCodes, insertCode, isGuestPayment, lockCodedRefunds } from './refund-codes.sql.ts'
import { lockCodeToSend } from './refunds.sql.ts'

/** None that is easily taken for another. */
const LETTERS = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'
const LENGTH = 12

/**
 * Makes a code for each refund of a guest's payment that waits for one. Only its hash is kept, so one that is shown again is a new one;
 * those shown or sent before go on working. Empty when nothing waits for a code.
 * @throws NotFound for a payment that no guest made; 409 CONFLICT in another browser than the one that paid: staff see the reference, too.
 */
export async function createCodes(
  ctx: Ctx,
  paymentReference: string,
  browser: Buffer | null,
): Promise<{ amountPesewas: number; code: string }[]> {
  if (!(await isGuestPayment(ctx.db, paymentReference))) throw new NotFound('payment')
  await refuseOtherBrowser(ctx.db, {
    paymentReference,
    browser,
    instead: 'On the page of your order you can have the code sent by SMS, or call us.',
  })
  return transaction(ctx.db, async (tx) => {
    const codes: { amountPesewas: number; code: string }[] = []
    for (const { id, amountPesewas } of await lockCodedRefunds(tx, paymentReference)) {
      codes.push({ amountPesewas, code: await makeCode(tx, id, ctx.now) })
    }
    return codes
  })
}

/** A code of one refund, which is locked; null when nothing waits for a code there any more. */
export async function createCode(tx: Tx, refundId: string, now: Date): Promise<string | null> {
  const refund = await lockCodeToSend(tx, { id: refundId })
  return refund?.status === 'code' ? makeCode(tx, refundId, now) : null
}

async function makeCode(tx: Tx, refundId: string, now: Date): Promise<string> {
  const code = Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('')
  await insertCode(tx, { refundId, hash: hashCode(code), now })
  await forgetOldCodes(tx, refundId)
  return code.replace(/(.{4})(?=.)/g, '$1-')
}

/** Small letters, spaces and dashes do not matter. */
export function hashCode(code: string): Buffer {
  return createHash('sha256')
    .update(code.toUpperCase().replace(/[^A-Z0-9]/g, ''))
    .digest()
}
