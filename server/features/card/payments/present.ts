import { formatPesewas, toCedis } from '../../../../shared/money.ts'
import {
  type ConfirmPaymentReply,
  type HeldPayment,
  type OwnPayment,
  PAYMENT_PROGRESS,
  type PaymentDispute,
  type PaymentProgress,
  type TopUpRules,
  type UnmatchedPayment,
} from '../../../../shared/payments.ts'
import type { OrderRow } from '../../orders/orders/orders.sql.ts'
import { presentOrder } from '../../orders/orders/present.ts'
import { presentUser } from '../../people/users/present.ts'
import type { UserRow } from '../../people/users/users.sql.ts'
import type { DisputeRow, UnmatchedRow } from './disputes.sql.ts'
import { explainPayment } from './explain-payment.ts'
import type { HeldPaymentRow, OwnPaymentRow, PaymentRow } from './payments.sql.ts'
import type { TopUpOnHold, TopUpStanding } from './top-ups.sql.ts'

export type Confirmation = { payment: PaymentRow; message: string | null; list: string | null; orders: OrderRow[]; user: UserRow }

export function presentConfirmation({ payment, message, list, orders, user }: Confirmation): ConfirmPaymentReply {
  return {
    payment: { reference: payment.reference, status: payment.status, message, progress: progressOf(payment) },
    ...(list !== null && { list }),
    orders: orders.map((row) => presentOrder(row, 'buyer')),
    user: presentUser(user),
  }
}

export function presentHeldPayment(row: HeldPaymentRow): HeldPayment {
  return {
    reference: row.reference,
    user: row.username,
    phone: row.phone,
    amount: toCedis(row.receivedPesewas ?? 0),
    status: row.status,
    reason: row.waitsForStaff ? [row.reason, waitingOf(row)].filter(Boolean).join('. ') : (row.reason ?? ''),
    inWallet: row.inWallet,
    waits: row.waitsForStaff ? toCedis(row.onHoldPesewas) : null,
    createdAt: row.settledAt.toISOString(),
  }
}

function waitingOf({ onHoldPesewas }: HeldPaymentRow): string {
  return `GHS ${formatPesewas(onHoldPesewas)} is beyond the limits of topping up and waits: call the payer, then release it, or refund it in your Paystack dashboard`
}

export function presentOwnPayment(row: OwnPaymentRow): OwnPayment {
  return {
    reference: row.reference,
    purpose: row.purpose,
    status: row.status,
    message: explainPayment(row),
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

export function presentTopUpRules(standing: TopUpStanding, onHold: TopUpOnHold[], byItselfPesewas: number): TopUpRules {
  const { minimumPesewas, maximumPesewas, dailyPesewas, settledPesewas, openPesewas, holdHours } = standing
  return {
    minimum: toCedis(minimumPesewas),
    maximum: toCedis(maximumPesewas),
    leftToday: toCedis(Math.max(0, dailyPesewas - settledPesewas - openPesewas)),
    holdHours,
    onHold: onHold.map(({ reference, pesewas, until }) => ({ reference, amount: toCedis(pesewas), until: until.toISOString() })),
    requestsUpTo: toCedis(byItselfPesewas),
  }
}

export function progressOf({ status, reason }: Pick<OwnPaymentRow, 'status' | 'reason'>): PaymentProgress | null {
  return status === 'open' ? (PAYMENT_PROGRESS.find((one) => one === reason) ?? null) : null
}

const DAY_MS = 24 * 3_600_000
/** The time to answer a dispute when the provider gives no deadline. Weekends only extend the real one. */
const ANSWER_WITHIN_MS = 2 * DAY_MS

/** `orders` contains the orders of all listed payments. */
export function presentDispute(row: DisputeRow, orders: OrderRow[]): PaymentDispute {
  const isOpen = row.kind === 'dispute' && (row.outcome === 'open' || row.outcome === 'unclear')
  const dueAt = row.dueAt ?? new Date(row.heardAt.getTime() + ANSWER_WITHIN_MS)
  return {
    id: row.id,
    kind: row.kind,
    reference: row.reference,
    amount: toCedis(row.amountPesewas),
    currency: row.currency,
    outcome: row.outcome,
    category: row.category,
    whatToDo: whatToDo(row),
    dueAt: isOpen ? dueAt.toISOString() : null,
    heardAt: row.heardAt.toISOString(),
    booked: toCedis(row.bookedPesewas),
    onHold: row.holdReason,
    customer: row.user,
    payerEmail: row.payerEmail,
    orders: orders
      .filter(({ paymentReference, topUpReference, disputedReferences }) =>
        [paymentReference, topUpReference, ...disputedReferences].includes(row.reference),
      )
      .map((order) => presentOrder(order, 'admin')),
  }
}

function whatToDo({ kind, outcome, user }: DisputeRow): string {
  if (kind === 'refund') return REFUND_WORDS[outcome] ?? 'Look it up under Refunds in your Paystack dashboard.'
  switch (outcome) {
    case 'open':
      return user
        ? 'Answer under Disputes in your Paystack dashboard in time, or the money is taken back. Delivered? Decline the dispute there, and send the order references and delivery times as proof. Not delivered? Accept it, then reject the orders here.'
        : 'This payment is not one of ours. Look it up and answer it under Disputes in your Paystack dashboard.'
    case 'won':
      return 'You keep the money. The orders go on.'
    case 'lost':
      return 'The money is back with the payer and booked as a loss. Reject the orders that were not delivered.'
    default:
      return 'It has ended, but we can’t tell how. Check under Disputes in your Paystack dashboard who has the money.'
  }
}

const REFUND_WORDS: Record<string, string> = {
  pending: 'The money is on its way back to the payer. Reject the orders that were not delivered once it is there.',
  processing: 'The money is on its way back to the payer. Reject the orders that were not delivered once it is there.',
  processed:
    'The money is back with the payer. Reject the orders that were not delivered: they aren’t refunded to the wallet a second time.',
  failed: 'The money did not reach the payer and is still yours. Try again in your Paystack dashboard if they should have it.',
  'needs-attention': 'Paystack needs the account of the payer to send the money. See under Refunds in your Paystack dashboard.',
}

export function presentUnmatched(row: UnmatchedRow): UnmatchedPayment {
  return {
    reference: row.reference,
    amount: toCedis(row.amountPesewas),
    currency: row.currency,
    payerEmail: row.payerEmail,
    user: row.username,
    whatToDo: row.username
      ? `${row.username} has this e-mail address. Call them and ask what they paid for, then refund it in your Paystack dashboard. Don’t credit their wallet as well: they could still claim this payment with its reference.`
      : 'No customer has this e-mail address. Write to the payer, or refund the payment in your Paystack dashboard.',
    foundAt: row.foundAt.toISOString(),
  }
}
