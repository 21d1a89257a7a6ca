import type { Ctx } from '../../platform/context.ts'
import { presentRecharge } from './present.ts'
import type { RechargeRow } from './recharges.sql.ts'

/** Tells the asker's devices and the admins how a recharge stands now. */
export function announceRecharge(ctx: Ctx, row: RechargeRow) {
  const recharge = presentRecharge(row)
  ctx.realtime.announce({ user: row.userId }, 'rechargeUpdated', recharge)
  ctx.realtime.announce('admins', 'rechargeUpdated', recharge)
}
