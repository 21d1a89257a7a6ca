import { startOfDay } from '../../../../shared/dates.ts'
import { formatPesewas, topUpFor } from '../../../../shared/money.ts'
import { lockWalletOf } from '../../../ledger/ledger.ts'
import type { Ctx } from '../../../platform/context.ts'
import type { Tx } from '../../../platform/db.ts'
import { AppError, Invalid } from '../../../platform/errors.ts'
import { selectTopUpStanding } from './top-ups.sql.ts'

/**
 * Refuses a top-up beyond the owner's limits, and one for a purchase that is not what is missing now. Locks the payer's wallet, so
 * that top-ups begun at once count each other. `linesPesewas` is the price of what it is to buy, null for nothing.
 * @throws Invalid for too little or too much at once, CONFLICT when something else is missing, TOO_MANY_REQUESTS when the
 * daily limit is used up.
 */
export async function refuseTopUp(
  tx: Tx,
  ctx: Ctx,
  { userId, amountPesewas, linesPesewas }: { userId: string; amountPesewas: number; linesPesewas: number | null },
): Promise<void> {
  const { balancePesewas } = await lockWalletOf(tx, userId, ctx.now)
  const { minimumPesewas, maximumPesewas, dailyPesewas, settledPesewas, openPesewas } = await selectTopUpStanding(tx, {
    userId,
    day: startOfDay(ctx.now),
    now: ctx.now,
  })
  if (linesPesewas !== null) refuseOtherThanMissing(amountPesewas, topUpFor(linesPesewas, balancePesewas))
  else if (amountPesewas < minimumPesewas) throw tooMuchOrLittle(`at least GHS ${formatPesewas(minimumPesewas)}`)
  if (amountPesewas > maximumPesewas) throw tooMuchOrLittle(`at most GHS ${formatPesewas(maximumPesewas)} at a time`)
  const leftPesewas = Math.max(0, dailyPesewas - settledPesewas - openPesewas)
  if (amountPesewas > leftPesewas) {
    throw new AppError(
      'TOO_MANY_REQUESTS',
      leftPesewas === 0
        ? 'You have reached today’s limit for topping up at once. Press Request to pay by mobile money, or come back tomorrow.'
        : `You can top up GHS ${formatPesewas(leftPesewas)} more at once today. Press Request for the rest, or come back tomorrow.`,
    )
  }
}

function refuseOtherThanMissing(amountPesewas: number, missingPesewas: number) {
  if (amountPesewas === missingPesewas) return
  const message =
    missingPesewas === 0
      ? 'Your wallet covers this by now. Nothing was charged: please pay from your wallet.'
      : `Your balance has changed: you need GHS ${formatPesewas(missingPesewas)} more now. Nothing was charged.`
  throw new AppError('CONFLICT', message)
}

function tooMuchOrLittle(limit: string): Invalid {
  return new Invalid([{ path: 'amount', message: `The amount must be ${limit}.` }])
}
