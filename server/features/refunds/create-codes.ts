import { createHash, randomInt } from 'node:crypto'
import type { Ctx } from '../../platform/context.ts'
import { transaction } from '../../platform/db.ts'
import { NotFound } from '../../platform/errors.ts'
import { isGuestPayment, lockCodedRefunds, upsertCode } from './refund-codes.sql.ts'

/** None that is easily taken for another. */
const LETTERS = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'
const LENGTH = 12

/**
 * Makes a code for each refund of a guest's payment that waits for one. Only its hash is kept, so one that is shown again is a new one.
 * Call it for whoever has the payment's reference, which only the guest has. Empty when nothing waits for a code.
 * @throws NotFound for a payment that no guest made.
 */
export async function createCodes(ctx: Ctx, paymentReference: string): Promise<{ amountPesewas: number; code: string }[]> {
  if (!(await isGuestPayment(ctx.db, paymentReference))) throw new NotFound('payment')
  return transaction(ctx.db, async (tx) => {
    const refunds = await lockCodedRefunds(tx, paymentReference)
    const codes: { amountPesewas: number; code: string }[] = []
    for (const { id, amountPesewas } of refunds) {
      const code = Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('')
      await upsertCode(tx, { refundId: id, hash: hashCode(code), now: ctx.now })
      codes.push({ amountPesewas, code: code.replace(/(.{4})(?=.)/g, '$1-') })
    }
    return codes
  })
}

/** Small letters, spaces and dashes do not matter. */
export function hashCode(code: string): Buffer {
  return createHash('sha256')
    .update(code.toUpperCase().replace(/[^A-Z0-9]/g, ''))
    .digest()
}
