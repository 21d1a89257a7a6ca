import { randomInt } from 'node:crypto'
import type { Ctx } from '../../../platform/context.ts'
import type { Tx } from '../../../platform/db.ts'
import { AppError } from '../../../platform/errors.ts'
import { NUMBER_TAKEN_QUEUE, numberTakenJob } from '../../../platform/queues.ts'
import { replaceOwner } from './confirmed-numbers.sql.ts'
import { lockHolder, updateHolderPhone } from './holders.sql.ts'
import { updateCodeOwner } from './number-codes.sql.ts'
import { CALL_US } from './request-registration-code.ts'
import { takeNumberCode, WrongCode } from './take-number-code.ts'

/** `claim` is what `requestRegistrationCode` replied. */
export type ClaimedNumber = { phone: string; claim: string; code: string }

/**
 * Frees a number for the account that somebody opens with it, by the code that was sent to it. The account that has it, and never proved it nor
 * traded, keeps all but the number: it gets a stand-in to sign in with, by mail, and its id is returned. A wrong code is counted and returned.
 * @throws 409 CONFLICT where that account proved the number or has traded, whose money and orders a newcomer must never get; or no code works any
 * more.
 */
export async function takeOverNumber(
  tx: Tx,
  ctx: Ctx,
  { phone, claim, code }: ClaimedNumber,
): Promise<{ holderId: string | null } | WrongCode> {
  const holder = await lockHolder(tx, phone)
  const taken = await takeNumberCode(tx, ctx, { userId: null, shopId: null, phone, codeId: claim }, { code, instead: CALL_US })
  if (taken instanceof WrongCode) return taken
  if (!holder) return { holderId: null }
  if (holder.hasProved) {
    throw new AppError(
      'CONFLICT',
      'That number’s account has confirmed it. Sign in there, or choose a new password with “Forgot your password?”.',
    )
  }
  if (holder.hasTraded) {
    throw new AppError('CONFLICT', `That number’s account was used before, so its money and orders stay where they are. ${CALL_US}`)
  }
  const standIn = String(randomInt(9_000_000_000, 10_000_000_000))
  await updateHolderPhone(tx, holder.id, standIn)
  await ctx.jobs.enqueue(tx, NUMBER_TAKEN_QUEUE, [numberTakenJob({ userId: holder.id, to: holder.email, phone, standIn }, ctx.now)])
  ctx.log.info({ userId: holder.id }, 'an account that never confirmed its number gave it to whoever did')
  return { holderId: holder.id }
}

/** The number is confirmed for the account that its code has opened. Another one that paid from it is told. */
export async function confirmTakenNumber(tx: Tx, ctx: Ctx, { phone, claim }: ClaimedNumber, userId: string): Promise<void> {
  await updateCodeOwner(tx, claim, userId)
  const former = await replaceOwner(tx, { phone, userId, codeId: claim, now: ctx.now })
  if (!former) return
  await ctx.jobs.enqueue(tx, NUMBER_TAKEN_QUEUE, [numberTakenJob({ userId: former.userId, to: former.email, phone }, ctx.now)])
}
