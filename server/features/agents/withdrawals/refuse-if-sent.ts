import type { CardGateway } from '../../../integrations/payments/card-gateway.ts'
import type { Ctx } from '../../../platform/context.ts'
import { AppError } from '../../../platform/errors.ts'
import { settleWithdrawal } from './settle-withdrawal.ts'
import { selectWithdrawal } from './withdrawals.sql.ts'

/**
 * Before money goes another way: what was sent once must still be unknown to the provider. Call it before the transaction, since it
 * asks outside.
 * @throws 409 CONFLICT when the provider knows of the payout or gives no clear answer.
 */
export async function refuseIfSent(ctx: Ctx, gateway: CardGateway, id: string): Promise<void> {
  const withdrawal = await selectWithdrawal(ctx.db, id)
  if (!withdrawal?.sentAt || withdrawal.status !== 'approval') return
  const said = await gateway.payouts.queryStatus(withdrawal.reference)
  if (said.outcome === 'not-found') return
  if (said.outcome !== 'unknown') await settleWithdrawal(ctx, gateway, id, said)
  throw new AppError(
    'CONFLICT',
    said.outcome === 'unknown'
      ? 'The provider gives no clear answer about this payout now. Nothing was changed; please try again in a few minutes.'
      : 'The provider knows this payout after all. Please look at it again.',
  )
}
