import { toCedis } from '../../../shared/money.ts'
import type { ConfirmPaymentReply, HeldPayment } from '../../../shared/payments.ts'
import { presentOrder } from '../orders/present.ts'
import { presentUser } from '../users/present.ts'
import type { Confirmation } from './confirm-payment.ts'
import type { HeldPaymentRow } from './payments.sql.ts'

export function presentConfirmation({ payment, message, orders, user }: Confirmation): ConfirmPaymentReply {
  return {
    payment: { reference: payment.reference, status: payment.status, message },
    orders: orders.map((row) => presentOrder(row, 'buyer')),
    user: presentUser(user),
  }
}

export function presentHeldPayment(row: HeldPaymentRow): HeldPayment {
  return {
    reference: row.reference,
    user: row.username,
    amount: toCedis(row.receivedPesewas ?? 0),
    status: row.status,
    reason: row.reason ?? '',
    inWallet: row.inWallet,
    createdAt: row.settledAt.toISOString(),
  }
}
