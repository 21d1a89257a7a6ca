import type { CardGateway } from '../../../integrations/payments/card-gateway.ts'
import type { Ctx } from '../../../platform/context.ts'
import { NotFound } from '../../../platform/errors.ts'
import { settleWithdrawal } from './settle-withdrawal.ts'
import { claimDueWithdrawals, selectWithdrawal, selectWithdrawalByReference, type WithdrawalRow } from './withdrawals.sql.ts'

const AT_ONCE = 20
/** Whoever claimed one and died leaves it to the next after this. */
const CLAIMED_FOR_MS = 60_000

/** Asks the provider about payouts that are under way or unclear. */
export async function checkWithdrawals(ctx: Ctx, gateway: CardGateway): Promise<void> {
  const nextAt = new Date(ctx.now.getTime() + CLAIMED_FOR_MS)
  const due = await claimDueWithdrawals(ctx.db, { now: ctx.now, nextAt, limit: AT_ONCE, toSend: false })
  await Promise.all(
    due.map(({ id, reference }) =>
      checkWithdrawal(ctx, gateway, id).catch((error: unknown) =>
        ctx.log.error({ err: error, reference }, 'a withdrawal could not be asked about'),
      ),
    ),
  )
}

/**
 * Asks the provider about one payout now. Returns it as it stands afterwards; one that was never sent is not asked about.
 * @throws NotFound
 */
export async function checkWithdrawal(ctx: Ctx, gateway: CardGateway, id: string): Promise<WithdrawalRow> {
  const withdrawal = await selectWithdrawal(ctx.db, id)
  if (!withdrawal) throw new NotFound('withdrawal')
  if (withdrawal.sentAt === null || withdrawal.handTransactionId !== null) return withdrawal
  return settleWithdrawal(ctx, gateway, id, await gateway.payouts.queryStatus(withdrawal.reference))
}

/** A webhook event named a payout. What it says is not trusted: the provider is asked. A reference that is not ours is left alone. */
export async function checkWithdrawalByReference(ctx: Ctx, gateway: CardGateway, reference: string): Promise<void> {
  const withdrawal = await selectWithdrawalByReference(ctx.db, reference)
  if (!withdrawal) return ctx.log.info({ reference }, 'a webhook event about a payout that is not ours')
  await checkWithdrawal(ctx, gateway, withdrawal.id)
}
