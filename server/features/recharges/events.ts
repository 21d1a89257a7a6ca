import type { Ctx } from '../../platform/context.ts'
import { presentRecharge } from './present.ts'
import type { RechargeRow } from './recharges.sql.ts'

/** Announces a recharge's state to its requester and the admins. */
export function announceRecharge(ctx: Ctx, row: RechargeRow) {
  const recharge = presentRecharge(row)
  ctx.realtime.announce({ user: row.userId }, 'rechargeUpdated', recharge)
  ctx.realtime.announce('admins', 'rechargeUpdated', recharge)
}
