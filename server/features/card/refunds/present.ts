import { toCedis } from '../../../../shared/money.ts'
import type { GuestRefundStatus, RefundToSource, StaffRefund } from '../../../../shared/refunds.ts'
import { findReasonToKeep } from './find-reason-to-keep.ts'
import type { StaffRefundRow } from './refunds.sql.ts'
import type { CustomerRefundRow } from './refunds-of-customers.sql.ts'

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
    customer: row.customer,
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

export function presentRefundToSource(row: CustomerRefundRow, { available }: { available: boolean }): RefundToSource {
  const why = row.status === null ? findReasonToKeep(row, { available }) : null
  return {
    amount: toCedis(row.amountPesewas ?? row.inWalletPesewas),
    state: row.status !== null ? STATES[row.status] : why === null ? 'offered' : 'kept',
    // Switched off, there is nothing to say on each order.
    why: row.enabled && available ? why : null,
    byHand: row.byHand,
    requestedAt: row.createdAt?.toISOString() ?? null,
    endedAt: row.endedAt?.toISOString() ?? null,
  }
}

const STATES: Record<GuestRefundStatus, RefundToSource['state']> = {
  due: 'on-its-way',
  sending: 'on-its-way',
  accepted: 'on-its-way',
  unknown: 'checking',
  review: 'checking',
  paid: 'paid',
  returned: 'paid',
  wallet: 'returned',
  // Codes are for guests.
  code: 'checking',
  claimed: 'returned',
}
