import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { AppError } from '../../../platform/errors.ts'
import { requireStaff } from '../../../platform/lock-actor.ts'
import { announceApprovals } from '../../people/approvals/events.ts'
import { SecondPersonNeeded } from '../../people/approvals/request-approval.ts'
import { OwnGain } from '../../people/second-factor/refuse-own-gain.ts'
import { announceCredited, type Credited, creditLocked } from './credit-payment.ts'
import { readMatches } from './queries.ts'
import { selectCredit } from './received-payments.sql.ts'

type Pair = { paymentId: string; rechargeId: string; amount: number }
export type Approved = { credited: number; amountPesewas: number; refused: { paymentId: string; message: string }[] }

/**
 * Credits certain matches, each in a transaction of its own that checks rights and locks again, so one that cannot be credited
 * stops no other. What two admins approve at once, or one approves twice, is credited once and counted for both.
 */
export async function approveMatches(ctx: Ctx, pairs: readonly Pair[]): Promise<Approved> {
  const certain = new Set(
    (await readMatches(ctx.db, ctx.now))
      .filter(({ state }) => state === 'certain')
      .map(({ payment, request }) => pairKey(payment.id, request?.id)),
  )
  const approved: Approved = { credited: 0, amountPesewas: 0, refused: [] }
  for (const pair of pairs) {
    try {
      const credited = await approveOne(ctx, pair, certain.has(pairKey(pair.paymentId, pair.rechargeId)))
      approved.credited++
      approved.amountPesewas += credited.amountPesewas
    } catch (error) {
      // An unknown error, and the end of a session, stop the rest; what was credited stays credited.
      const stopsNone = ['NOT_FOUND', 'CONFLICT', 'ALREADY_DECIDED', 'SECOND_PERSON_NEEDED']
      if (!(error instanceof AppError) || !(stopsNone.includes(error.code) || error instanceof OwnGain)) throw error
      approved.refused.push({ paymentId: pair.paymentId, message: error.message })
    }
  }
  return approved
}

async function approveOne(ctx: Ctx, { paymentId, rechargeId, amount }: Pair, isCertain: boolean): Promise<Credited> {
  const credited = await transaction(ctx.db, async (tx) => {
    const admin = await requireStaff(tx, ctx, 'finance')
    // What was credited before is no longer among the matches, and is answered as it was the first time.
    if (!isCertain && (await selectCredit(tx, paymentId)) === null) {
      throw new AppError('CONFLICT', 'This match is no longer certain. Please look at it again.')
    }
    return creditLocked(tx, ctx, { id: paymentId, rechargeId, amount, adminId: admin.id, onlyCertain: true })
  })
  if (credited instanceof SecondPersonNeeded) {
    announceApprovals(ctx)
    throw credited
  }
  await announceCredited(ctx, credited)
  return credited
}

function pairKey(paymentId: string, rechargeId: string | undefined): string {
  return `${paymentId} ${rechargeId}`
}
