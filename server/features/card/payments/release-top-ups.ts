import { TOP_UPS_ON_HOLD } from '../../../ledger/accounts.ts'
import { lockWalletOf } from '../../../ledger/ledger.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { announceUserById } from '../../people/users/events.ts'
import { announcePayment } from './events.ts'
import { lockPayment, type PaymentRow } from './payments.sql.ts'
import { postCardMoney } from './post-card-money.ts'
import { reduceOnHold, selectDueTopUps } from './top-ups.sql.ts'

/** Puts top-ups into their payers' wallets once their time on hold is over. Safe to run twice or concurrently. */
export async function releaseTopUps(ctx: Ctx): Promise<void> {
  for (const reference of await selectDueTopUps(ctx.db, ctx.now)) {
    await releaseTopUp(ctx, reference).catch((error: unknown) =>
      ctx.log.error({ err: error, reference }, 'a top-up on hold could not be released'),
    )
  }
}

async function releaseTopUp(ctx: Ctx, reference: string) {
  const userId = await transaction(ctx.db, async (tx) => {
    const payment = await lockPayment(tx, reference)
    // A dispute may have come, or another process been quicker.
    if (!payment?.onHoldUntil || payment.userId === null || payment.onHoldUntil > ctx.now || !mayRelease(payment)) return null
    const { accountId } = await lockWalletOf(tx, payment.userId, ctx.now)
    await postCardMoney(tx, ctx, {
      key: `top-up-release:${reference}`,
      memo: 'Can be spent now',
      from: TOP_UPS_ON_HOLD,
      to: accountId,
      pesewas: payment.onHoldPesewas,
    })
    await reduceOnHold(tx, reference, payment.onHoldPesewas)
    return payment.userId
  })
  if (userId === null) return
  await announceUserById(ctx, userId)
  await announcePayment(ctx, reference)
}

function mayRelease({ holdReason, waitsForStaff, unspentUntil }: PaymentRow): boolean {
  return holdReason === null && !waitsForStaff && unspentUntil === null
}
