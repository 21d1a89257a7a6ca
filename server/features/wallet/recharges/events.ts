import { SEES_WALLETS } from '../../../../shared/staff-rules.ts'
import type { Ctx } from '../../../platform/context.ts'
import { presentRecharge } from './present.ts'
import type { RechargeRow } from './recharges.sql.ts'

/** Announces a recharge's state to its requester and the staff who see wallets. */
export function announceRecharge(ctx: Ctx, row: RechargeRow) {
  const recharge = presentRecharge(row)
  ctx.realtime.announce({ user: row.userId }, 'rechargeUpdated', recharge)
  ctx.realtime.announce({ staff: SEES_WALLETS }, 'rechargeUpdated', recharge)
}
