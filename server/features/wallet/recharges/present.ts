import { toCedis } from '../../../../shared/money.ts'
import type { Recharge } from '../../../../shared/recharges.ts'
import type { RechargeRow } from './recharges.sql.ts'

export function presentRecharge(row: RechargeRow): Recharge {
  return {
    _id: row.id,
    rechargeId: row.rechargeId,
    amount: toCedis(row.amountPesewas),
    status: row.status,
    createdAt: row.createdAt.toISOString(),
    saidPaidAt: row.saidPaidAt?.toISOString() ?? null,
    declineReason: row.declineReason,
    credited: row.creditedPesewas === null ? null : toCedis(row.creditedPesewas),
    user: { _id: row.userId, username: row.username, phone: row.phone },
  }
}
