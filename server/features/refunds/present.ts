import { toCedis } from '../../../shared/money.ts'
import type { StaffRefund } from '../../../shared/refunds.ts'
import type { StaffRefundRow } from './refunds.sql.ts'

export function presentRefund(row: StaffRefundRow): StaffRefund {
  const { orderSeq, network, offer } = row
  return {
    _id: row.id,
    status: row.status,
    amount: toCedis(row.amountPesewas),
    phone: row.phone,
    reason: row.reason,
    order: orderSeq === null || network === null || offer === null ? null : { number: String(orderSeq), network, offer },
    shop: row.shopName,
    paymentReference: row.paymentReference,
    provider: row.providerNote,
    disputed: row.disputed,
    wasSent: row.sentAt !== null,
    transactionId: row.handTransactionId,
    decidedBy: row.decider,
    claimedBy: row.claimer,
    codeSentAt: row.codeSentAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null,
  }
}
