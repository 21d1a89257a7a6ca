import { toCedis } from '../../../shared/money.ts'
import {
  type ConfirmPaymentReply,
  type HeldPayment,
  type OwnPayment,
  PAYMENT_PROGRESS,
  type PaymentProgress,
} from '../../../shared/payments.ts'
import type { OrderRow } from '../orders/orders.sql.ts'
import { presentOrder } from '../orders/present.ts'
import { presentUser } from '../users/present.ts'
import type { UserRow } from '../users/users.sql.ts'
import { messageFor } from './payment-message.ts'
import type { HeldPaymentRow, OwnPaymentRow, PaymentRow } from './payments.sql.ts'

export type Confirmation = { payment: PaymentRow; message: string | null; orders: OrderRow[]; user: UserRow }

export function presentConfirmation({ payment, message, orders, user }: Confirmation): ConfirmPaymentReply {
  return {
    payment: { reference: payment.reference, status: payment.status, message, progress: progressOf(payment) },
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

export function presentOwnPayment(row: OwnPaymentRow): OwnPayment {
  return {
    reference: row.reference,
    purpose: row.purpose,
    status: row.status,
    message: messageFor(row),
    progress: progressOf(row),
    items: (row.lines ?? []).map((line) => ({
      productId: line.product,
      network: line.network ?? row.networks[line.product ?? ''] ?? '',
      offer: line.offer,
      phoneNumber: line.receiver,
      amount: toCedis(line.seen),
    })),
    price: toCedis(row.pricePesewas),
    surcharge: toCedis(row.surchargePesewas),
    total: toCedis(row.pricePesewas + row.surchargePesewas),
    createdAt: row.createdAt.toISOString(),
    settledAt: row.settledAt?.toISOString() ?? null,
  }
}

function progressOf({ status, reason }: Pick<OwnPaymentRow, 'status' | 'reason'>): PaymentProgress | null {
  return status === 'open' ? (PAYMENT_PROGRESS.find((one) => one === reason) ?? null) : null
}
